/** What a call would really be told: the hook's own decision, asked as a probe, so nothing is claimed and nothing withheld. */
import type { EventOf } from '../../base/event.ts';
import type { DeliveryMode } from '../../base/lesson.ts';
import type { HookReply } from '../../base/reply.ts';
import { isPaused, type Switches } from '../../base/switches.ts';
import type { Shown } from '../../match/fit-budget.ts';
import type { MatchCall } from '../../match/match-call.ts';
import type { Match } from '../../match/match-lessons.ts';
import type { Manifest } from '../../match/open-manifest.ts';
import { toSkillName } from '../../promote/render-skill.ts';
import { decideCall } from '../hook/decide-call.ts';

export interface Told {
  readonly how: HookReply['kind'];
  /** To the last byte, as the model reads it. */
  readonly text: string;
  /** Slugs, in the order in which they are told. */
  readonly lessons: readonly string[];
  /** Those among them that are told as one. */
  readonly together: readonly ToldTogether[];
  /** Those that have no room at this call. */
  readonly crowded: readonly string[];
}

export interface ToldTogether {
  readonly skill: string;
  readonly tool: string;
  readonly lessons: readonly string[];
}

export interface TellingContext {
  readonly manifest: Manifest;
  readonly switches: Switches;
  readonly modes: readonly DeliveryMode[];
  readonly claimsDir: string;
}

/** `matches`: without what is muted or quiet, as the hook leaves them out. */
export function findTold(
  event: EventOf<'call-started'>,
  call: MatchCall,
  matches: readonly Match[],
  context: TellingContext,
): Told | undefined {
  if (isPaused(context.switches, { ...event, projectId: call.projectId })) return undefined;
  const { settings } = context.manifest.header;
  const { reply, shown, crowded } = decideCall(event, call, matches, { ...context, settings, probe: true });
  if (reply === undefined) return undefined;
  return {
    how: reply.kind,
    text: reply.kind === 'refusal' ? reply.reason : reply.context,
    lessons: shown.map(toSlug),
    together: listTogether(shown),
    crowded: crowded.map(({ lesson }) => lesson.slug),
  };
}

function listTogether(shown: readonly Shown[]): readonly ToldTogether[] {
  return [...Map.groupBy(shown, ({ match }) => match.together)].flatMap(([together, members]) => {
    const tool = members[0]?.match.lesson.dense;
    if (together === undefined || tool === undefined || members.length < 2) return [];
    return [{ skill: toSkillName(tool), tool, lessons: members.map(toSlug) }];
  });
}

function toSlug({ match }: Shown): string {
  return match.lesson.slug;
}
