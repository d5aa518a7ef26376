/** Merges lessons: one of them takes over the evidence and counts of the others, which are archived and name it. */

import type { Evidence, Lesson, Scope } from '../base/model/lesson.ts';
import { isWithinScope, toReach } from '../base/model/lesson-scope.ts';
import type { ToProjectId } from '../base/model/project.ts';
import { toSessionKey } from '../base/model/session.ts';
import { toArchived } from './lesson-states.ts';
import type { Author, Refusal } from './transition.ts';

/** The author of changes that follow from joining projects, in the history. */
export const JOINED_BY = 'projects/join@1';
/** The author of changes that follow from splitting projects again. */
export const PARTED_BY = 'projects/part@1';

const MAX_EVIDENCE = 10;

interface Merged {
  readonly into: Lesson;
  readonly from: readonly Lesson[];
}

/** Keeps the words and the trigger of `into`. */
export function mergeLessons(
  into: Lesson,
  from: readonly Lesson[],
  act: Author,
  toProjectId: ToProjectId,
): Merged | Refusal {
  const refusal = [into, ...from].map((lesson, i) => findRefusal(lesson, into, i)).find((one) => one !== undefined);
  if (refusal !== undefined) return refusal;
  return {
    into: { ...addLessons(into, from, act.at, toProjectId), reviewedBy: act.by },
    from: from.map((lesson) => supersedeLesson(lesson, into, act)),
  };
}

/** Returns `into` with the evidence and counts of all. */
export function addLessons(into: Lesson, from: readonly Lesson[], at: string, toProjectId: ToProjectId): Lesson {
  const all = [into, ...from];
  const { refutedBy: _, ...validity } = into.validity;
  const lastMatchedAt = toLatest(all.flatMap((lesson) => lesson.lastMatchedAt ?? []));
  return {
    ...into,
    evidence: joinEvidence(all),
    ...joinCounts(all, toProjectId),
    priority: Math.max(...all.map(({ priority }) => priority)),
    confidence: Math.max(...all.map(({ confidence }) => confidence)),
    tags: toSet(all.flatMap(({ tags }) => tags)),
    scope: joinScopes(all, toProjectId),
    validity: {
      ...validity,
      models: toSet(all.flatMap((lesson) => lesson.validity.models)),
      agentVersions: toSet(all.flatMap((lesson) => lesson.validity.agentVersions)),
    },
    ...(lastMatchedAt === undefined ? {} : { lastMatchedAt }),
    updatedAt: at,
  };
}

/** Archives a lesson that another one replaces. New findings of the mistake then count for the other one. */
export function supersedeLesson(lesson: Lesson, by: Pick<Lesson, 'id' | 'slug'>, { at, reason }: Author): Lesson {
  const why = { cause: 'superseded', reason: reason ?? `merged into ${by.slug}` } as const;
  const archived = toArchived(lesson, why, at);
  return { ...archived, validity: { ...lesson.validity, supersededBy: by.id } };
}

function findRefusal(lesson: Lesson, into: Lesson, i: number): Refusal | undefined {
  const next = `see it: oncebitten lessons show ${lesson.slug}`;
  if (i === 0 && lesson.status === 'archived')
    return { refused: `${lesson.slug} is archived`, next: `restore it first: oncebitten lessons restore ${into.slug}` };
  if (i > 0 && lesson.id === into.id)
    return { refused: `${lesson.slug} cannot be merged into itself`, next: 'name another lesson' };
  if (i > 0 && lesson.validity.supersededBy !== undefined && lesson.status === 'archived')
    return { refused: `${lesson.slug} is superseded already`, next };
  return undefined;
}

/** The newest of each session first, then the rest, newest first. */
function joinEvidence(lessons: readonly Lesson[]): readonly Evidence[] {
  const all = lessons.flatMap(({ evidence }) => evidence);
  const distinct = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  const newest = distinct.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const seen = new Set<string>();
  const isFirst = ({ agent, sessionId }: Evidence): boolean => {
    const key = `${agent}\n${sessionId}`;
    return !seen.has(key) && seen.add(key).has(key);
  };
  const firsts = newest.filter(isFirst);
  const kept = new Set([...firsts, ...newest].slice(0, MAX_EVIDENCE + firsts.length));
  return [...kept].slice(0, MAX_EVIDENCE).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** A session with evidence for several lessons counts once. Evidence does not contain its project. */
function joinCounts(
  lessons: readonly Lesson[],
  toProjectId: ToProjectId,
): Pick<Lesson, 'occurrences' | 'sessions' | 'projects'> {
  const sum = (of: (lesson: Lesson) => number): number => lessons.reduce((total, lesson) => total + of(lesson), 0);
  const sessions = lessons.map(({ evidence }) => toSet(evidence.map(toSessionKey)));
  const common = sessions.flat().length - toSet(sessions.flat()).length;
  const projects = toSet(lessons.flatMap(({ scope }) => toReach(scope, toProjectId).projectId ?? []));
  return {
    occurrences: sum(({ occurrences }) => occurrences),
    sessions: Math.max(0, sum((lesson) => lesson.sessions) - common),
    projects: Math.max(projects.length, ...lessons.map((lesson) => lesson.projects)),
  };
}

/** The merged lesson must fire wherever one of them did. A lesson of one session adds no scope. */
function joinScopes([into, ...from]: readonly Lesson[], toProjectId: ToProjectId): Scope {
  const first = into?.scope ?? { kind: 'user' };
  const others = from.map(({ scope }) => scope).filter(({ kind }) => kind !== 'session');
  const areWithin = (outer: Scope): boolean => others.every((scope) => isWithinScope(scope, outer, toProjectId));
  if (areWithin(first)) return first;
  const [other] = others;
  if (first.kind === 'session' && other !== undefined && areWithin(other)) return other;
  return { kind: first.kind === 'team' ? 'team' : 'user' };
}

function toLatest(times: readonly string[]): string | undefined {
  return [...times].sort().at(-1);
}

function toSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
