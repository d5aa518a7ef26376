/**
 * Compiles lessons into the bytes of the manifest (shape: `base/model/manifest.ts`), with the opening lines for a
 * session's start, the CRITICAL lessons for new sessions, and the reason why each lesson fires.
 */

import { byWeight, type Lesson, toLevel } from '../../base/model/lesson.ts';
import { toReach } from '../../base/model/lesson-scope.ts';
import { isProposed, isUnconfirmed, isWaiting } from '../../base/model/lesson-trust.ts';
import {
  BLOCK_KEY,
  type CompiledLesson,
  MANIFEST_VERSION,
  type ManifestHeader,
  type OpeningLines,
  toCriticalKey,
} from '../../base/model/manifest.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../../base/model/project.ts';
import type { Settings } from '../../base/model/settings.ts';
import { listWeighingLangs } from '../../base/model/skill.ts';
import { type CommandEdit, type EditStep, toReplacementEdit } from '../../base/shell/command-edit.ts';
import { toClaimName } from '../../base/text/withhold-commands.ts';
import { renderWhy } from '../../base/triggers/render-triggers.ts';
import type { SessionCondition } from '../../base/triggers/trigger.ts';
import { redactLesson } from '../store/lessons/redact-lesson.ts';
import { compileTriggers } from './compiled-triggers.ts';
import { decideProvenMode, type FiringLesson, listFiring, type Promoted } from './firing-lessons.ts';
import { makeLessonIndex, type Route, toLessonRoutes } from './lesson-index.ts';
import { compileSkills, listSkills, toDense } from './skills.ts';

export interface ManifestInput {
  readonly lessons: readonly Lesson[];
  readonly aliases?: readonly ProjectAlias[];
  /** The aliases that a hook can meet; absent: all. Kept few, because every cold call parses the header. */
  readonly hookAliases?: readonly ProjectAlias[];
  /** Lessons in files that agents always read. */
  readonly promoted?: readonly Promoted[];
  readonly settings: Settings;
  readonly generatedAt: string;
  readonly render: (lesson: Lesson) => string;
  /** Renders the short form for the start of a session. */
  readonly renderShort?: (lesson: Lesson) => string;
  /** What deliveries have shown about a lesson. */
  readonly measure?: (lesson: Lesson) => Pick<CompiledLesson, 'measured' | 'quietUntil' | 'withheld'>;
  /** Project id -> languages. */
  readonly stacks?: Readonly<Record<string, readonly string[]>>;
  readonly protocol?: string;
  readonly protocolVersion?: number;
  /** Without a seed, nothing is withheld. */
  readonly seed?: string;
}

export function compileManifest(input: ManifestInput): Buffer {
  const { aliases = [], promoted = [], settings, generatedAt, render, measure, stacks = {}, protocol } = input;
  const { hookAliases = aliases } = input;
  const lessons = input.lessons.map(redactLesson);
  const toProjectId = makeToProjectId(aliases);
  const firing = listFiring({ lessons, aliases, settings, now: generatedAt, promoted });
  const critical = fileCritical(firing, toProjectId);
  const atStart = new Set(Object.values(critical).flat());
  const openings = compileOpenings(lessons, toProjectId, generatedAt);
  const skills = listSkills(firing, toProjectId, settings.skills.minLessons);
  const dense = new Set(skills.map(({ tool }) => tool));
  const lines: Buffer[] = [];
  const routes: (readonly Route[])[] = [];
  const offsets = [0];
  for (const [n, { lesson, ...where }] of firing.entries()) {
    const end = n === firing.length - 1 ? '\n\n' : ',\n';
    const compiled = {
      ...toCompiled(lesson, render(lesson), toProjectId),
      ...measure?.(lesson),
      ...where,
      ...(isUnconfirmed(lesson) ? {} : toDense(lesson, dense)),
      ...(atStart.has(n) && input.renderShort !== undefined ? { short: input.renderShort(lesson) } : {}),
    };
    const line = Buffer.from(JSON.stringify(compiled) + end);
    lines.push(line);
    offsets.push((offsets[n] ?? 0) + line.length);
    routes.push(toLessonRoutes(compiled));
  }
  const blocks = firing.flatMap(({ lesson }, n) => (lesson.mode === 'block' ? [n] : []));
  const asks = listAsks(firing.map(({ lesson }) => lesson));
  const header: ManifestHeader = {
    $schema: 'oncebitten/manifest.schema.json',
    type: 'manifest',
    version: MANIFEST_VERSION,
    generatedAt,
    // Matching opens no store, and its address may contain a password from the environment.
    settings: { ...settings, store: { url: '' } },
    ...(hookAliases.length === 0 ? {} : { aliases: toRecord(hookAliases) }),
    ...(asks.length === 0 ? {} : { asks }),
    ...(protocol === undefined ? {} : { protocol, protocolVersion: input.protocolVersion ?? 0 }),
    ...(Object.keys(stacks).length === 0 ? {} : { stacks }),
    ...(skills.length === 0 ? {} : { skills: compileSkills(skills, firing) }),
    ...(input.seed === undefined ? {} : { seed: input.seed }),
    ...(Object.keys(openings).length === 0 ? {} : { openings }),
    count: firing.length,
    keys: blocks.length === 0 ? critical : { ...critical, [BLOCK_KEY]: blocks },
    index: makeLessonIndex(routes),
    offsets,
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header).slice(0, -1)},\n"lessons":[\n`),
    ...lines,
    Buffer.from(']}\n'),
  ]);
}

/** The session conditions of the firing lessons, each once. */
function listAsks(lessons: readonly Lesson[]): readonly SessionCondition[] {
  const asks = lessons.flatMap(({ triggers }) => triggers.session?.unless ?? []);
  return [...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values()];
}

function toRecord(aliases: readonly ProjectAlias[]): Readonly<Record<string, string>> {
  return Object.fromEntries(aliases.map(({ fromId, intoId }) => [fromId, intoId]));
}

function toCompiled(lesson: Lesson, text: string, toProjectId: ToProjectId): CompiledLesson {
  const { id, slug, priority, confidence, triggers, summary, scope, signatureId } = lesson;
  const edit = toCompiledEdit(lesson);
  const isClaim = isUnconfirmed(lesson);
  const langs = listWeighingLangs(lesson);
  return {
    id,
    slug: isClaim ? toClaimName(slug, id) : slug,
    priority,
    confidence,
    mode: decideProvenMode(lesson),
    triggers,
    why: renderWhy(triggers),
    // The summary is shown if the text has no room, and there an unconfirmed lesson must stay a quotation.
    summary: isClaim ? text.replace(/\s*\n\s*/g, ' ') : summary,
    text,
    ...toReach(scope, toProjectId),
    ...compileTriggers(triggers),
    ...(signatureId === undefined ? {} : { signatureId }),
    ...(isClaim ? { isClaim } : {}),
    ...(isProposed(lesson) ? { isProposed: true } : {}),
    ...(edit === undefined || isClaim ? {} : { edit }),
    ...(langs.length === 0 ? {} : { langs }),
  };
}

/** A replacement that calls have proven may rewrite a call before it runs, so no other edit may be combined with it. */
function toCompiledEdit({ replacement, edit, origin }: Lesson): CommandEdit | undefined {
  if (replacement !== undefined) return toReplacementEdit(replacement);
  if (edit === undefined || edit.others !== undefined || origin.trust === 'foreign') return undefined;
  const { narrowed: _, ...compiled } = edit;
  return { ...compiled, steps: edit.steps.map(toFirstSources) };
}

/** Of the sources of a word only the first one is applied. */
function toFirstSources(step: EditStep): EditStep {
  return 'make' in step ? { ...step, make: step.make.map((line) => line.map((word) => word.slice(0, 1))) } : step;
}

/** After a longer absence, the user looks into the list. */
const NEWS_MS = 3 * 24 * 60 * 60_000;
const MAX_NAMES = 3;

/**
 * The lines for the user at the start of a session: lessons of the last days, and lessons that wait for review. By
 * project; under the empty string for all other projects.
 */
function compileOpenings(
  lessons: readonly Lesson[],
  toProjectId: ToProjectId,
  now: string,
): Readonly<Record<string, OpeningLines>> {
  const toId = ({ scope }: Lesson): string => toReach(scope, toProjectId).projectId ?? '';
  const waiting = Map.groupBy(lessons.filter(isWaiting), toId);
  const learned = Map.groupBy(
    lessons.filter((lesson) => isNews(lesson, now)),
    toId,
  );
  const ids = new Set(['', ...waiting.keys(), ...learned.keys()]);
  const lines = [...ids].map((id) => [id, toLines(id, { waiting, learned })] as const);
  return Object.fromEntries(lines.filter(([, { learned: one, waiting: other }]) => (one ?? other) !== undefined));
}

type ById = ReadonlyMap<string, readonly Lesson[]>;

/** A project also gets the lines for every project. */
function toLines(id: string, { waiting, learned }: { readonly waiting: ById; readonly learned: ById }): OpeningLines {
  const list = (all: ById): readonly Lesson[] => [...new Set(['', id])].flatMap((one) => all.get(one) ?? []);
  const [drafts, news] = [list(waiting).length, list(learned)];
  return {
    ...(news.length === 0 ? {} : { learned: renderLearned(news) }),
    ...(drafts === 0 ? {} : { waiting: renderWaiting(drafts) }),
  };
}

function renderLearned(lessons: readonly Lesson[]): string {
  const names = lessons.slice(0, MAX_NAMES).map(({ slug }) => slug);
  const more = lessons.length > MAX_NAMES ? ` and ${lessons.length - MAX_NAMES} more` : '';
  const what = lessons.length === 1 ? '1 lesson was learned' : `${lessons.length} lessons were learned`;
  return `${what} here in the last three days (${names.join(', ')}${more}). Tell the user, who can list lessons with: oncebitten lessons list`;
}

function renderWaiting(count: number): string {
  return `${count === 1 ? '1 draft lesson waits' : `${count} draft lessons wait`} for the user: oncebitten lessons review`;
}

/** Learned from calls (not written or imported by a person) and active. */
function isNews(lesson: Lesson, now: string): boolean {
  const { status, origin, createdAt, scope } = lesson;
  if (status !== 'active' || isWaiting(lesson) || scope.kind === 'session') return false;
  const age = Date.parse(now) - Date.parse(createdAt);
  return (origin.kind === 'episode' || origin.kind === 'self-report') && age >= 0 && age < NEWS_MS;
}

const MOST = 25;

/**
 * The CRITICAL lessons for new sessions, under keys of their own, so that the start of a session reads no others. Only
 * the weightiest, but more than are shown, because some may be muted. Lessons of a single session are not included. Key
 * -> numbers of the lessons.
 */
function fileCritical(firing: readonly FiringLesson[], toProjectId: ToProjectId): Readonly<Record<string, number[]>> {
  const critical = [...firing.entries()].filter(([, { lesson, sessionId }]) => {
    return toLevel(lesson.priority) === 'CRITICAL' && sessionId === undefined && lesson.scope.kind !== 'session';
  });
  const byKey = Map.groupBy(critical, ([, { lesson }]) =>
    toCriticalKey(toReach(lesson.scope, toProjectId).projectId ?? ''),
  );
  return Object.fromEntries(
    [...byKey].map(([key, all]) => {
      const ranked = all.toSorted(([, a], [, b]) => byWeight(a.lesson, b.lesson));
      return [key, ranked.slice(0, MOST).map(([n]) => n)];
    }),
  );
}
