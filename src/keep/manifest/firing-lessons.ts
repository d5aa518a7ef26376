/**
 * Decides which lessons can fire, where, and in which mode: active, trusted lessons, and drafts in the sessions that
 * taught them. Of the same lesson in several scopes, the nearest scope wins. Unconfirmed lessons only advise.
 */

import type { DeliveryMode, Lesson } from '../../base/model/lesson.ts';
import { toReach } from '../../base/model/lesson-scope.ts';
import { isOnlyAdvice, isProposed, isUnconfirmed } from '../../base/model/lesson-trust.ts';
import { findStoredSilence, toFiring } from '../../base/model/may-fire.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../../base/model/project.ts';
import type { Promotion } from '../../base/model/promotion.ts';
import type { Settings } from '../../base/model/settings.ts';

export interface FiringLesson extends Precedence {
  /** The only session in which the lesson fires. */
  readonly sessionId?: string;
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
  nearest: readonly Precedence[],
  promoted: readonly Promoted[],
  toProjectId: ToProjectId,
): readonly Precedence[] {
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

interface Precedence {
  readonly lesson: Lesson;
  /** Projects and sessions in which a nearer lesson says the same. */
  readonly notIn?: readonly string[];
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
