/**
 * Predicts the hook's answer to a call: the text that it would deliver, or the reason why it would deliver nothing. The
 * hook's own decision is asked as a probe, so nothing is claimed, withheld or marked.
 */

import { existsSync } from 'node:fs';
import type { HookReply } from '../../../base/contracts/agent-adapter.ts';
import type { EventOf } from '../../../base/model/event.ts';
import type { Knowledge } from '../../../base/model/knowledge.ts';
import type { DeliveryMode, Lesson } from '../../../base/model/lesson.ts';
import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import type { Promotion } from '../../../base/model/promotion.ts';
import type { Project } from '../../../base/model/session.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../base/model/settings.ts';
import type { Switches } from '../../../base/model/switches.ts';
import type { CallView } from '../../../base/triggers/call-view.ts';
import { makeSettingsFinder } from '../../../keep/settings/read-settings.ts';
import { decideMemory } from '../../../loop/delivery/known-failures.ts';
import { readKnowledge } from '../../../loop/delivery/read-knowledge.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { isPrivateOrPaused } from '../../../loop/privacy/private-sessions.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { listStanding } from '../../../loop/promoted-lessons.ts';
import { openCallMemory } from '../../../match/call-memory.ts';
import { openCuredFailures } from '../../../match/cure-book.ts';
import { type Manifest, makeProjectResolver, readManifest, withSettings } from '../../../match/manifest.ts';
import type { Match } from '../../../match/match-lessons.ts';
import { decideDelivery, type ShownLesson } from '../../../match/reply-to-call.ts';
import { toSkillName } from '../../../promote/render-skill.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';

export interface ShownReply {
  readonly how: HookReply['kind'];
  /** To the last byte, as the model reads it. */
  readonly text: string;
  /** Slugs in delivery order. */
  readonly lessons: readonly string[];
  /** Lessons that are delivered together as a skill. */
  readonly together: readonly ShownSkill[];
  /** Those that have no room at this call. */
  readonly crowded: readonly string[];
}

interface ShownSkill {
  readonly skill: string;
  readonly tool: string;
  readonly lessons: readonly string[];
}

interface TellingContext {
  readonly manifest: Manifest;
  readonly switches: Switches;
  readonly modes: readonly DeliveryMode[];
  readonly claimsDir: string;
}

/** `matches`: without muted and quiet lessons, which the hook leaves out too. Asked only if nothing is off. */
export function findShown(
  event: EventOf<'call-started'>,
  call: CallView,
  matches: readonly Match[],
  context: TellingContext,
): ShownReply | undefined {
  const { reply, shown, crowded } = decideDelivery(event, call, matches, { ...context, probe: true });
  if (reply === undefined) return undefined;
  return {
    ...toShown(reply),
    lessons: shown.map(toSlug),
    together: listTogether(shown),
    crowded: crowded.map(({ lesson }) => lesson.slug),
  };
}

/** The warning that the call failed before. Asked only if no lesson fires and nothing is off. */
export function findMemory(
  event: EventOf<'call-started'>,
  { id: projectId, root }: Pick<Project, 'id' | 'root'>,
  { cures, remembered }: Knowledge,
  context: TellingContext,
): ShownReply | undefined {
  const decision = decideMemory(event, {
    ...{ ...context, projectId, root, probe: true, elapsedUs: () => 0 },
    ...{ calls: openCallMemory(remembered), failures: openCuredFailures(cures) },
  });
  return decision?.reply && toShown(decision.reply);
}

function toShown(reply: HookReply): ShownReply {
  const text = reply.kind === 'refusal' ? reply.reason : reply.context;
  return { how: reply.kind, text, lessons: [], together: [], crowded: [] };
}

function listTogether(shown: readonly ShownLesson[]): readonly ShownSkill[] {
  return [...Map.groupBy(shown, ({ match }) => match.together)].flatMap(([together, members]) => {
    const tool = members[0]?.match.lesson.dense;
    if (together === undefined || tool === undefined || members.length < 2) return [];
    return [{ skill: toSkillName(tool), tool, lessons: members.map(toSlug) }];
  });
}

function toSlug({ match }: ShownLesson): string {
  return match.lesson.slug;
}

/** What a hook would know at the call. */
export function readKnown({ home, env }: Pick<CommandInput, 'home' | 'env'>) {
  const manifest = withSettings(readManifest(home.manifestFile), makeSettingsFinder(home.configFile, env)());
  const settings = manifest?.header.settings ?? DEFAULT_SETTINGS;
  const toProjectId = makeProjectResolver(manifest);
  return { manifest, home, env, settings, switches: readSwitches(home.switchesFile), toProjectId };
}

/** `disabled` and `muted`: by a variable of this shell, for agents that are started from it. */
export type Off = 'disabled' | 'paused' | 'private' | 'muted';

interface OffContext {
  readonly home: DataHome;
  readonly settings: Pick<Settings, 'privateProjects'>;
  readonly switches: Switches;
  readonly projectId: string;
  readonly toProjectId: ToProjectId;
  readonly env: NodeJS.ProcessEnv;
}

/** Why the hook says nothing at a call, whatever lessons there are: as the cold hook decides it, without leaving a mark. */
export function findOff(event: EventOf<'call-started'>, context: OffContext): Off | undefined {
  const { home, settings, switches, projectId, toProjectId, env } = context;
  if (env.ONCEBITTEN_DISABLED === '1') return 'disabled';
  const places = { awayDir: home.awayDir, switches, projectId, toProjectId, probe: true };
  if (isPrivateOrPaused(event, { ...places, privateFolders: [] })) return 'paused';
  if (isPrivateOrPaused(event, { ...places, privateFolders: settings.privateProjects })) return 'private';
  return env.DISABLE_EXPERIENCE_INJECTION === '1' ? 'muted' : undefined;
}

/** What the store knows that the manifest does not contain. */
export interface Stored {
  /** All that are not archived. */
  readonly lessons: readonly Lesson[];
  /** The files of this project that contain a promoted lesson, by the id of the lesson. */
  readonly files: ReadonlyMap<string, readonly Promotion[]>;
  readonly toProjectId: ToProjectId;
  /** Cures, and calls that failed before. */
  readonly knowledge: Knowledge;
}

const NOTHING: Stored = {
  ...{ lessons: [], files: new Map(), toProjectId: (id) => id },
  knowledge: { cures: [], remembered: [] },
};

/** `explain` answers without a store too, as the hook does. */
export async function readStored(
  { home, env }: Pick<CommandInput, 'home' | 'env'>,
  projectId: string,
): Promise<Stored> {
  if (!existsSync(home.dir)) return NOTHING;
  try {
    return await readHome({ home, env }, async ({ store, settings }) => {
      const toProjectId = makeToProjectId(await store.listProjectAliases());
      const standing = await listStanding(store, (one) => toProjectId(one.projectId) === toProjectId(projectId));
      return {
        lessons: (await store.listLessons()).filter(({ status }) => status !== 'archived'),
        files: Map.groupBy(standing, ({ lessonId }) => lessonId),
        toProjectId,
        knowledge: await readKnowledge(store, settings),
      };
    });
  } catch {
    return NOTHING;
  }
}
