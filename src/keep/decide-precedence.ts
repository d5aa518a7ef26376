/**
 * The same lesson in several scopes, by name or by content, is said once, by the nearest: session, project (store), project
 * (repository), user, team. Elsewhere the others still speak. What nobody here confirmed comes behind what is the user's:
 * a repository must not silence that with a lesson of its name.
 */
import { isUnconfirmed } from '../base/is-vouched-for.ts';
import type { Lesson } from '../base/lesson.ts';
import type { ToProjectId } from '../base/project-alias.ts';

export interface Precedence {
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

export function decidePrecedence(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Precedence[] {
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
