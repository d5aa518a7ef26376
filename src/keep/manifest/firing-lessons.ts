/**
 * Decides which lessons can fire, where, and in which mode: active lessons that are trusted, and drafts in the sessions
 * that taught them. Of the same lesson in several scopes, the nearest scope wins. Lessons from outside that nobody here
 * confirmed rank behind the user's own and only advise, because a repository must not silence a user's lesson with one
 * of the same name.
 */

import type { DeliveryMode, Lesson } from '../../base/model/lesson.ts';
import { isUnconfirmed, isVouchedFor } from '../../base/model/lesson-trust.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../../base/model/project.ts';
import type { Promotion } from '../../base/model/promotion.ts';
import type { Settings } from '../../base/model/settings.ts';

/** Under it a lesson cannot reach the threshold of the score. */
const PROVISIONAL_PRIORITY = 4;

export interface Speaking extends Precedence {
  /** The only session in which it speaks. */
  readonly sessionId?: string;
}

interface SpeakingQuestion {
  readonly lessons: readonly Lesson[];
  readonly aliases: readonly ProjectAlias[];
  readonly settings: Settings;
  readonly now: string;
  /** What stands in a file of a project is not said singly there. */
  readonly promoted?: readonly Promoted[];
}

export type Promoted = Pick<Promotion, 'lessonId' | 'projectId'>;

export function listSpeaking({
  lessons,
  aliases,
  settings,
  now,
  promoted = [],
}: SpeakingQuestion): readonly Speaking[] {
  const toProjectId = makeToProjectId(aliases);
  const valid = lessons.filter((lesson) => isValidAt(lesson, now)).map(toAdvising);
  const all = valid.filter((lesson) => maySpeak(lesson, settings));
  const nearest = decidePrecedence(aliases.length === 0 ? all : dropTwins(all, toProjectId), toProjectId);
  return [
    ...(promoted.length === 0 ? nearest : hushPromoted(nearest, promoted, toProjectId)),
    ...listProvisional(valid, settings, now),
  ];
}

/** After precedence: what a promoted lesson spoke for stays silent there too. */
function hushPromoted(
  nearest: readonly Precedence[],
  promoted: readonly Promoted[],
  toProjectId: ToProjectId,
): readonly Precedence[] {
  const byLesson = Map.groupBy(promoted, ({ lessonId }) => lessonId);
  return nearest.flatMap((one) => {
    const { id, scope } = one.lesson;
    const places = byLesson.get(id)?.map(({ projectId }) => toProjectId(projectId)) ?? [];
    if (places.length === 0) return [one];
    if (scope.kind === 'project' && places.includes(toProjectId(scope.id ?? ''))) return [];
    return [{ ...one, notIn: [...new Set([...(one.notIn ?? []), ...places])] }];
  });
}

/** Whoever compiles again at these moments lets lessons begin and end. */
function isValidAt({ validity: { from, until } }: Lesson, now: string): boolean {
  return (from === undefined || from <= now) && (until === undefined || until > now);
}

function maySpeak(lesson: Lesson, settings: Settings): boolean {
  return lesson.status === 'active' && isTrusted(lesson, settings);
}

/** Drafts, for each session in which they speak all the same: as weighty as a lesson must be to speak at all. */
function listProvisional(lessons: readonly Lesson[], settings: Settings, now: string): readonly Speaking[] {
  return lessons.flatMap((lesson) => {
    const spoken = { ...lesson, priority: Math.max(lesson.priority, PROVISIONAL_PRIORITY) };
    if (lesson.status !== 'draft' || !isTrusted(spoken, settings)) return [];
    const open = (lesson.provisional ?? []).filter(({ until }) => until > now);
    return open.map(({ sessionId }) => ({ lesson: spoken, sessionId }));
  });
}

function isTrusted(lesson: Lesson, settings: Settings): boolean {
  if (lesson.needsReview || lesson.priority < settings.minPriority) return false;
  return lesson.confidence >= settings.minConfidence || isVouchedFor(lesson);
}

/** Projects that were joined may each have learned the same: it is said once. */
function dropTwins(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Lesson[] {
  const seen = new Set<string>();
  return lessons.filter(({ scope, contentHash }) => {
    if (scope.kind !== 'project' || scope.id === undefined) return true;
    const key = `${toProjectId(scope.id)} ${contentHash}`;
    return !seen.has(key) && seen.add(key);
  });
}

interface Precedence {
  readonly lesson: Lesson;
  /** Projects and sessions in which a nearer one speaks for it. */
  readonly notIn?: readonly string[];
}

/** The nearest first. */
const RANKS = { session: 0, project: 1, file: 2, user: 3, foreign: 4, team: 5 } as const;

/** Where lessons of one name, or of one content, speak. */
interface Twins {
  hasUser: boolean;
  readonly sessions: Set<string>;
  /** The nearest of each. */
  readonly projects: Map<string, number>;
}

/**
 * The same lesson in several scopes, by name or by content, is said once, by the nearest: session, project (store), project
 * (repository), user, team. Elsewhere the others still speak. What nobody here confirmed comes behind what is the user's:
 * a repository must not silence that with a lesson of its name.
 */
function decidePrecedence(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Precedence[] {
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
    const { kind, id } = lesson.scope;
    for (const key of toKeys(lesson)) {
      if (!several.has(key)) continue;
      const twins = byKey.get(key) ?? { hasUser: false, sessions: new Set(), projects: new Map() };
      byKey.set(key, twins);
      twins.hasUser ||= kind === 'user';
      if (kind === 'session' && id !== undefined) twins.sessions.add(id);
      if (kind !== 'project' || id === undefined) continue;
      const known = twins.projects.get(toProjectId(id)) ?? RANKS.team;
      twins.projects.set(toProjectId(id), Math.min(known, toRank(lesson)));
    }
  }
  return byKey;
}

/** Names and contents that more than one lesson has: hardly any, of a hundred thousand. */
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
  if (lesson.file === undefined) return RANKS.project;
  return isUnconfirmed(lesson) ? RANKS.foreign : RANKS.file;
}

/** Wherever it would speak, a nearer one does. */
function isCovered(lesson: Lesson, { hasUser, projects }: Twins, toProjectId: ToProjectId): boolean {
  const rank = toRank(lesson);
  if (hasUser && rank > RANKS.user) return true;
  return lesson.scope.kind === 'project' && (projects.get(toProjectId(lesson.scope.id ?? '')) ?? rank) < rank;
}

function listNearer(lesson: Lesson, { sessions, projects }: Twins): readonly string[] {
  const { kind } = lesson.scope;
  if (kind === 'session') return [];
  if (kind === 'project') return [...sessions];
  const nearer = [...projects].filter(([, rank]) => rank < toRank(lesson)).map(([id]) => id);
  return [...sessions, ...nearer];
}

/** The highest that is not CRITICAL. */
const MAX_PRIORITY = 8;

/** What came from outside and nobody here confirmed may advise: a note, never as weighty as what a person here vouches for. */
export function toAdvising(lesson: Lesson): Lesson {
  if (!isUnconfirmed(lesson)) return lesson;
  if (lesson.mode === 'note' && lesson.priority <= MAX_PRIORITY) return lesson;
  return { ...lesson, mode: 'note', priority: Math.min(lesson.priority, MAX_PRIORITY) };
}

const MIN_CONFIDENCE = 0.8;
const MIN_OBSERVATIONS = 3;
const MAX_FALSE_SHARE = 0.2;

/**
 * How far a lesson may go by what is known of it. What a person set stands. Else it may hold a call back where it is
 * trusted and its trigger was right in the user's own past calls, and correct one where calls have shown the word that
 * works, or the mistake came again and again although it was said. To refuse for good is for a person alone.
 */
export function decideReach(lesson: Lesson): DeliveryMode {
  const { mode, modeBy, reviewedBy, status, replacement, measure } = lesson;
  if (status !== 'active' || isUnconfirmed(lesson)) return 'note';
  if (modeBy !== undefined && mode === 'note') return 'note';
  const isPersons = mode !== 'note' && (modeBy ?? reviewedBy) !== undefined;
  // Whoever approved a lesson did not ask for all calls like it to be refused for good.
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
