/**
 * Compiles lessons into the bytes of the manifest (shape: `base/model/manifest.ts`), with the opening lines for a
 * session's start, the CRITICAL lessons for new sessions, and the reason why each lesson fires.
 *
 * `listFiring` decides which lessons can fire, where, and in which mode: active, trusted lessons, and drafts in the
 * sessions that taught them. It leaves out a lesson for a reason that stands in the lesson, the settings or the date
 * (`StoredSilence` in `base/model/may-fire.ts`). Of the same lesson in several scopes, the nearest scope wins.
 * Unconfirmed lessons only advise.
 */

import { byWeight, type DeliveryMode, type Lesson, toLevel } from '../../base/model/lesson.ts';
import { toReach } from '../../base/model/lesson-scope.ts';
import { isOnlyAdvice, isProposed, isUnconfirmed, isWaiting } from '../../base/model/lesson-trust.ts';
import {
  BLOCK_KEY,
  type CompiledLesson,
  type FiringLesson,
  MANIFEST_VERSION,
  type ManifestHeader,
  type OpeningLines,
  toCriticalKey,
} from '../../base/model/manifest.ts';
import { findStoredSilence, toFiring } from '../../base/model/may-fire.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../../base/model/project.ts';
import type { Promotion } from '../../base/model/promotion.ts';
import type { Settings } from '../../base/model/settings.ts';
import { listWeighingLangs } from '../../base/model/skill.ts';
import { type CommandEdit, type EditStep, toReplacementEdit } from '../../base/shell/command-edit.ts';
import { toQuotationName } from '../../base/text/withhold-commands.ts';
import { renderWhy } from '../../base/triggers/render-triggers.ts';
import type { SessionCondition } from '../../base/triggers/trigger.ts';
import { redactLesson } from '../store/lessons/redact-lesson.ts';
import { compileTriggers } from './compiled-triggers.ts';
import { makeLessonIndex, type Route, toLessonRoutes } from './lesson-index.ts';
import { renderLesson, renderShortLesson } from './lesson-text.ts';
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
  const { aliases = [], promoted = [], settings, generatedAt, measure, stacks = {}, protocol } = input;
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
      ...toCompiled(lesson, toProjectId),
      ...measure?.(lesson),
      ...where,
      ...(isUnconfirmed(lesson) ? {} : toDense(lesson, dense)),
      ...(atStart.has(n) ? { short: renderShortLesson(lesson) } : {}),
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

function toCompiled(lesson: Lesson, toProjectId: ToProjectId): CompiledLesson {
  const { id, slug, priority, confidence, triggers, summary, scope, signatureId } = lesson;
  const text = renderLesson(lesson);
  const edit = toCompiledEdit(lesson);
  const isQuotation = isUnconfirmed(lesson);
  const langs = listWeighingLangs(lesson);
  return {
    id,
    slug: isQuotation ? toQuotationName(slug, id) : slug,
    priority,
    confidence,
    mode: decideProvenMode(lesson),
    triggers,
    why: renderWhy(triggers),
    // The summary is shown if the text has no room, and there an unconfirmed lesson must stay a quotation.
    summary: isQuotation ? text.replace(/\s*\n\s*/g, ' ') : summary,
    text,
    ...toReach(scope, toProjectId),
    ...compileTriggers(triggers),
    ...(signatureId === undefined ? {} : { signatureId }),
    ...(isQuotation ? { isQuotation } : {}),
    ...(isProposed(lesson) ? { isProposed: true } : {}),
    ...(edit === undefined || isQuotation ? {} : { edit }),
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

interface FiringQuestion {
  readonly lessons: readonly Lesson[];
  readonly aliases: readonly ProjectAlias[];
  readonly settings: Settings;
  readonly now: string;
  /** Lessons in a file of a project, which do not fire in that project. */
  readonly promoted?: readonly Promoted[];
}

export type Promoted = Pick<Promotion, 'lessonId' | 'projectId'>;

export function listFiring({
  lessons,
  aliases,
  settings,
  now,
  promoted = [],
}: FiringQuestion): readonly FiringLesson[] {
  const toProjectId = makeToProjectId(aliases);
  const mayFire = (lesson: Lesson, sessionId?: string): boolean =>
    findStoredSilence(lesson, { settings, at: now, sessionId }) === undefined;
  // A known fix is shown with the error of a call. No hook asks for it before one.
  const all = lessons
    .filter(({ triggers }) => triggers.failure !== true)
    .filter((lesson) => mayFire(lesson))
    .map(toFiring);
  const nearest = decidePrecedence(aliases.length === 0 ? all : dropTwins(all, toProjectId), toProjectId);
  const drafts = lessons.filter(({ status, triggers }) => status === 'draft' && triggers.failure !== true);
  return [
    ...(promoted.length === 0 ? nearest : leaveOutPromoted(nearest, promoted, toProjectId)),
    ...drafts.flatMap((lesson) => {
      const sessions = new Set(lesson.provisional?.map(({ sessionId }) => sessionId));
      const open = [...sessions].filter((sessionId) => mayFire(lesson, sessionId));
      return open.map((sessionId) => ({ lesson: toFiring(lesson), sessionId }));
    }),
  ];
}

/** Applied after precedence, because a lesson that the promoted one covers does not fire there either. */
function leaveOutPromoted(
  nearest: readonly FiringLesson[],
  promoted: readonly Promoted[],
  toProjectId: ToProjectId,
): readonly FiringLesson[] {
  const byLesson = Map.groupBy(promoted, ({ lessonId }) => lessonId);
  return nearest.flatMap((one) => {
    const places = byLesson.get(one.lesson.id)?.map(({ projectId }) => toProjectId(projectId)) ?? [];
    if (places.length === 0) return [one];
    if (places.includes(toReach(one.lesson.scope, toProjectId).projectId ?? '')) return [];
    return [{ ...one, notIn: [...new Set([...(one.notIn ?? []), ...places])] }];
  });
}

/** Joined projects may each have learned the same lesson, which must fire only once. */
function dropTwins(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Lesson[] {
  const seen = new Set<string>();
  return lessons.filter(({ scope, contentHash }) => {
    const { projectId } = toReach(scope, toProjectId);
    const key = `${projectId} ${contentHash}`;
    return projectId === undefined || (!seen.has(key) && seen.add(key));
  });
}

/** The nearest first. */
const RANKS = { session: 0, project: 1, file: 2, user: 3, foreign: 4, team: 5 } as const;

/** Where lessons of the same name or content fire. */
interface Twins {
  hasUser: boolean;
  readonly sessions: Set<string>;
  /** The nearest of each. */
  readonly projects: Map<string, number>;
}

/**
 * Of lessons with the same name or content in several scopes, only the nearest fires: session, project (store), project
 * (repository), user, team. The others still fire elsewhere. An unconfirmed lesson ranks below the user's own, because
 * a repository must not silence a user's lesson with one of the same name.
 */
function decidePrecedence(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly FiringLesson[] {
  const byKey = groupTwins(lessons, toProjectId);
  return lessons.flatMap((lesson) => {
    const twins = byKey.size === 0 ? [] : toKeys(lesson).flatMap((key) => byKey.get(key) ?? []);
    if (twins.length === 0) return [{ lesson }];
    if (twins.some((one) => isCovered(lesson, one, toProjectId))) return [];
    const notIn = new Set(twins.flatMap((one) => listNearer(lesson, one)));
    return [notIn.size === 0 ? { lesson } : { lesson, notIn: [...notIn] }];
  });
}

function groupTwins(lessons: readonly Lesson[], toProjectId: ToProjectId): ReadonlyMap<string, Twins> {
  const byKey = new Map<string, Twins>();
  const several = findSeveral(lessons);
  for (const lesson of several.size === 0 ? [] : lessons) {
    const { projectId, sessionId } = toReach(lesson.scope, toProjectId);
    for (const key of toKeys(lesson).filter((one) => several.has(one))) {
      const twins = byKey.get(key) ?? { hasUser: false, sessions: new Set(), projects: new Map() };
      byKey.set(key, twins);
      twins.hasUser ||= lesson.scope.kind === 'user';
      if (sessionId !== undefined) twins.sessions.add(sessionId);
      const known = twins.projects.get(projectId ?? '') ?? RANKS.team;
      if (projectId !== undefined) twins.projects.set(projectId, Math.min(known, toRank(lesson)));
    }
  }
  return byKey;
}

/** Names and contents that more than one lesson has; hardly any in a hundred thousand. */
function findSeveral(lessons: readonly Lesson[]): ReadonlySet<string> {
  const [once, several] = [new Set<string>(), new Set<string>()];
  for (const key of lessons.flatMap(toKeys)) {
    if (once.has(key)) several.add(key);
    else once.add(key);
  }
  return several;
}

function toKeys({ contentHash, slug, file }: Lesson): readonly string[] {
  return [`#${contentHash}`, file?.slug ?? slug];
}

function toRank(lesson: Lesson): number {
  const { kind } = lesson.scope;
  if (kind !== 'project') return RANKS[kind];
  if (isProposed(lesson)) return RANKS.foreign;
  if (lesson.file === undefined) return RANKS.project;
  return isUnconfirmed(lesson) ? RANKS.foreign : RANKS.file;
}

/** Does a nearer lesson fire wherever this one would? */
function isCovered(lesson: Lesson, { hasUser, projects }: Twins, toProjectId: ToProjectId): boolean {
  const rank = toRank(lesson);
  if (hasUser && rank > RANKS.user) return true;
  return (projects.get(toReach(lesson.scope, toProjectId).projectId ?? '') ?? rank) < rank;
}

function listNearer(lesson: Lesson, { sessions, projects }: Twins): readonly string[] {
  const { kind } = lesson.scope;
  if (kind === 'session') return [];
  if (kind === 'project') return [...sessions];
  const nearer = [...projects].filter(([, rank]) => rank < toRank(lesson)).map(([id]) => id);
  return [...sessions, ...nearer];
}

const MIN_CONFIDENCE = 0.8;
const MIN_OBSERVATIONS = 3;
const MAX_FALSE_SHARE = 0.2;

/**
 * The strongest mode that the evidence allows. A mode that a person set stands. Otherwise a lesson may pause a call if
 * it is trusted and its trigger was right on the user's past calls, and may rewrite a call if calls have shown the
 * working word, or the mistake was repeated in spite of the lesson. Only a person may choose to block.
 */
export function decideProvenMode(lesson: Lesson): DeliveryMode {
  const { mode, modeBy, reviewedBy, status, replacement, measure } = lesson;
  if (status !== 'active' || isOnlyAdvice(lesson)) return 'note';
  if (modeBy !== undefined && mode === 'note') return 'note';
  const isPersons = mode !== 'note' && (modeBy ?? reviewedBy) !== undefined;
  // Approving a lesson is not a request to block all such calls.
  if (isPersons && mode === 'block' && modeBy === undefined) return 'pause';
  if (isPersons) return mode === 'rewrite' && replacement === undefined ? 'pause' : mode;
  if (!isProven(lesson) && !(mode === 'pause' && measure?.raised !== undefined)) return 'note';
  return replacement !== undefined && isProven(lesson) ? 'rewrite' : 'pause';
}

function isProven({ confidence, tested }: Lesson): boolean {
  if (confidence < MIN_CONFIDENCE || tested === undefined) return false;
  const observed = tested.hits + tested.falseAlarms;
  return observed >= MIN_OBSERVATIONS && tested.falseAlarms <= observed * MAX_FALSE_SHARE;
}
