/**
 * Makes lessons follow their projects after projects were joined or parted. Lessons of parted projects go back to the
 * projects of their calls. A lesson that became one for every project, although no two of its projects are proven to be
 * different repositories, goes back to the project that it was learned in first. The same lesson of two joined projects
 * becomes one. What a person decided stays; every change can be undone.
 */

import type { Store } from '../../base/contracts/store.ts';
import { makeId, makeSlug } from '../../base/ids.ts';
import type { ListedFinding } from '../../base/model/finding.ts';
import type { Evidence, KeptChange, Lesson, LessonUpdate, Scope } from '../../base/model/lesson.ts';
import { isWithinScope } from '../../base/model/lesson-scope.ts';
import { type AreDifferent, makeAreDifferent, makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { toSessionKey } from '../../base/model/session.ts';
import { DEFAULT_WEIGHTS, type ScoringWeights } from '../../base/model/settings.ts';
import { compareTexts } from '../../base/records.ts';
import { toMergeKey } from '../../distill/lessons/hash-lesson.ts';
import { rescore } from '../../distill/lessons/score-lesson.ts';
import { addFix } from '../../distill/text/retell-lesson.ts';
import { addLessons, JOINED_BY, PARTED_BY, supersedeLesson } from '../../promote/merge-lessons.ts';

/** Returns true if a lesson changed. A second run changes nothing. */
export async function repairLessons(store: Store, weights: ScoringWeights = DEFAULT_WEIGHTS): Promise<boolean> {
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const isReturned = await returnLessons(store, toProjectId, weights);
  const isNarrowed = await narrowLessons(store, toProjectId, await readAreDifferent(store), weights);
  return (await mergeTwins(store, toProjectId, weights)) || isNarrowed || isReturned;
}

/** Learned, and without any decision by a person. */
function isOurs({ origin, reviewedBy, file, status }: Lesson): boolean {
  return (
    (origin.kind === 'episode' || origin.kind === 'self-report') &&
    reviewedBy === undefined &&
    file === undefined &&
    status !== 'archived'
  );
}

async function narrowLessons(
  store: Store,
  toProjectId: ToProjectId,
  areDifferent: AreDifferent,
  weights: ScoringWeights,
): Promise<boolean> {
  const wide = (await store.listLessons()).filter((lesson) => isOurs(lesson) && lesson.scope.kind === 'user');
  const places = await store.listLessonProjects(wide.map(({ id }) => id));
  let isChanged = false;
  for (const { id, projects } of wide) {
    const ids = [...new Set([...(places.get(id) ?? [])].map(toProjectId))];
    if (ids.length === 0) continue;
    const isProven = ids.some((one) => ids.some((other) => areDifferent(one, other)));
    const first = isProven ? undefined : findWidened(await store.listLessonHistory(id));
    if (first === undefined && ids.length >= projects) continue;
    const scope: Scope | undefined = first === undefined ? undefined : { kind: 'project', id: toProjectId(first) };
    const count = scope === undefined ? ids.length : 1;
    const at = new Date().toISOString();
    const reason =
      scope === undefined
        ? 'some of its projects are one'
        : 'no two of its projects are proven to be different repositories: for its first project only';
    const saved = await store.updateLessons([id], ([lesson]) => {
      if (lesson === undefined || !isOurs(lesson) || lesson.scope.kind !== 'user') return [];
      return [{ lesson: narrow(lesson, count, scope, at, weights), change: { by: JOINED_BY, reason, at } }];
    });
    isChanged ||= saved.length > 0;
  }
  return isChanged;
}

function narrow(
  lesson: Lesson,
  projects: number,
  scope: Scope | undefined,
  at: string,
  weights: ScoringWeights,
): Lesson {
  const counted = { ...lesson, projects };
  return { ...counted, ...rescore(lesson, lesson, counted, weights), scope: scope ?? lesson.scope, updatedAt: at };
}

/**
 * The project of a lesson before Oncebitten widened it to every project. Undefined if it was for every project from the
 * beginning, or if a person widened it.
 */
function findWidened(history: readonly KeptChange[]): string | undefined {
  const last = history.findLast(({ before, after }) => before !== undefined && before.scope.kind !== after.scope.kind);
  const isOwn = last?.after.scope.kind === 'user' && !last.by.startsWith('user:');
  return isOwn && last.before?.scope.kind === 'project' ? last.before.scope.id : undefined;
}

async function mergeTwins(store: Store, toProjectId: ToProjectId, weights: ScoringWeights): Promise<boolean> {
  const lessons = (await store.listLessons()).filter(isLearnedInProject);
  const twins = [...Map.groupBy(lessons, (lesson) => toKey(lesson, toProjectId)).values()];
  let isChanged = false;
  for (const some of twins.filter(({ length }) => length > 1)) {
    const [into, ...others] = some.toSorted(byStanding);
    const from = await listUntouched(
      store,
      others.filter(({ reviewedBy }) => reviewedBy === undefined),
    );
    if (into === undefined || from.length === 0) continue;
    const saved = await store.updateLessons([into.id, ...from], (now) => mergeNow(now, weights, toProjectId));
    isChanged ||= saved.length > 0;
  }
  return isChanged;
}

/** Learned from calls, for one project, and not from a file of the repository. */
function isLearnedInProject({ scope, origin, file, status }: Lesson): boolean {
  const isLearned = origin.kind === 'episode' || origin.kind === 'self-report';
  return scope.kind === 'project' && isLearned && file === undefined && status !== 'archived';
}

function toKey(lesson: Lesson, toProjectId: ToProjectId): string {
  const projectId = toProjectId(lesson.scope.id ?? '');
  // Lessons with equal keys were kept apart only by their projects.
  return `${projectId} ${toMergeKey(lesson, projectId)}`;
}

/** Orders reviewed lessons first, then active ones, then by occurrences, then by age. */
function byStanding(a: Lesson, b: Lesson): number {
  const rank = ({ reviewedBy, status }: Lesson): number =>
    Number(reviewedBy !== undefined) * 2 + Number(status === 'active');
  return rank(b) - rank(a) || b.occurrences - a.occurrences || compareTexts(a.createdAt, b.createdAt);
}

/** Leaves out lessons that were merged once: they are back because a person undid it or the projects were parted. */
async function listUntouched(store: Store, lessons: readonly Lesson[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id } of lessons) {
    const last = (await store.listLessonHistory(id)).findLast(({ by }) => by === JOINED_BY || by === PARTED_BY);
    if (last?.by !== JOINED_BY) ids.push(id);
  }
  return ids;
}

function mergeNow(
  now: readonly (Lesson | undefined)[],
  weights: ScoringWeights,
  toProjectId: ToProjectId,
): readonly LessonUpdate[] {
  const [into, ...from] = now.filter((lesson) => lesson !== undefined).filter(isLearnedInProject);
  if (into === undefined || into !== now[0] || from.length === 0) return [];
  const at = new Date().toISOString();
  const command = makeId('cmd', Date.now());
  const added = addLessons(into, from, at, toProjectId);
  const sum = into.reviewedBy === undefined ? from.reduce(addFixOf, added) : added;
  const counted = { ...sum, scope: into.scope, projects: 1 };
  const scores = [into, ...from].map((lesson) => rescore(lesson, lesson, counted, weights));
  const merged = {
    ...counted,
    priority: Math.max(...scores.map(({ priority }) => priority)),
    confidence: Math.max(...scores.map(({ confidence }) => confidence)),
  };
  const reason = 'its project and that of another lesson are the same';
  const act = { by: JOINED_BY, at, reason, command };
  return [
    // A reviewed lesson keeps its rank.
    { lesson: into.reviewedBy === undefined ? merged : { ...merged, ...toRank(into) }, change: act },
    ...from.map((lesson) => ({
      lesson: supersedeLesson(lesson, into, { ...act, reason: `${reason}: ${into.slug}` }),
      change: act,
    })),
  ];
}

function toRank({ priority, confidence }: Lesson): Pick<Lesson, 'priority' | 'confidence'> {
  return { priority, confidence };
}

/** Adds the fix of the merged lesson, because the two may have been fixed in different ways. */
function addFixOf(into: Lesson, { edit }: Lesson): Lesson {
  return edit === undefined ? into : addFix(into, edit);
}

/**
 * Gives lessons back to the projects of their calls when two projects turn out not to be one. While a link joined them,
 * a lesson of either was stored under the id of the joined project, grew on calls of both, or took the place of its
 * twin. After the link is withdrawn, a lesson without calls in its project moves to the project of its calls, a lesson
 * with calls in several projects leaves a copy in each, and a twin that was merged is a lesson of its own again. A
 * project that a person chose for a lesson stays. Every change is in the history of its lesson. True when a lesson
 * changed. A second run changes nothing.
 */
async function returnLessons(store: Store, toProjectId: ToProjectId, weights: ScoringWeights): Promise<boolean> {
  const isParted = await partLessons(store, toProjectId, weights);
  return (await restoreTwins(store, toProjectId, weights)) || isParted;
}

async function partLessons(store: Store, toProjectId: ToProjectId, weights: ScoringWeights): Promise<boolean> {
  const lessons = (await store.listLessons()).filter(isLearnedInProject);
  const places = await store.listLessonProjects(lessons.map(({ id }) => id));
  const listOthers = ({ id, scope }: Lesson): readonly string[] =>
    [...(places.get(id) ?? [])].filter((one) => toProjectId(one) !== toProjectId(scope.id ?? ''));
  const astray = lessons.filter((lesson) => listOthers(lesson).length > 0);
  if (astray.length === 0) return false;
  const projectIds = [...new Set(astray.flatMap(({ id }) => [...(places.get(id) ?? [])]))];
  const findings = Map.groupBy(await store.listFindings({ projectIds }), ({ lessonId }) => lessonId);
  let isChanged = false;
  for (const lesson of astray) {
    const history = await store.listLessonHistory(lesson.id);
    if (history.some(isPlacedByPerson)) continue;
    const taught = Map.groupBy(findings.get(lesson.id) ?? [], ({ projectId }) => toProjectId(projectId));
    const isElsewhere = listOthers(lesson).length === places.get(lesson.id)?.size;
    const home = isElsewhere ? findHome(taught, listOthers(lesson)) : lesson.scope.id;
    if (home === undefined) continue;
    if (home !== lesson.scope.id) isChanged = (await moveLesson(store, lesson, home)) || isChanged;
    // A lesson that a person reviewed, or that was one for every project, has calls of other projects on purpose.
    if (lesson.reviewedBy !== undefined || history.some(isWidened)) continue;
    taught.delete(toProjectId(home));
    for (const some of taught.values()) isChanged = (await copyLesson(store, lesson.id, some, weights)) || isChanged;
  }
  return isChanged;
}

function isPlacedByPerson({ by, before, after }: KeptChange): boolean {
  if (before === undefined || !by.startsWith('user:')) return false;
  return before.scope.kind !== after.scope.kind || before.scope.id !== after.scope.id;
}

function isWidened({ before, after }: KeptChange): boolean {
  return before !== undefined && before.scope.kind !== after.scope.kind;
}

/** The project with most of the calls. Without findings the sessions tell, if they were all in one project. */
function findHome(
  taught: ReadonlyMap<string, readonly ListedFinding[]>,
  places: readonly string[],
): string | undefined {
  const [most] = [...taught.values()].toSorted((a, b) => b.length - a.length);
  return most === undefined ? (places.length === 1 ? places[0] : undefined) : most[0]?.projectId;
}

async function moveLesson(store: Store, { id, scope }: Lesson, projectId: string): Promise<boolean> {
  const at = new Date().toISOString();
  const change = { by: PARTED_BY, reason: 'its calls are in another project than it was joined with', at };
  const saved = await store.updateLessons([id], ([now]) => {
    if (now === undefined || !isLearnedInProject(now) || now.scope.id !== scope.id) return [];
    return [{ lesson: { ...now, scope: { kind: 'project', id: projectId }, updatedAt: at }, change }];
  });
  return saved.length > 0;
}

/** `findings`: those of one project. The copy has their evidence, and the lesson has the rest. */
async function copyLesson(
  store: Store,
  lessonId: string,
  findings: readonly ListedFinding[],
  weights: ScoringWeights,
): Promise<boolean> {
  const [first] = findings;
  if (first === undefined) return false;
  const at = new Date().toISOString();
  const command = makeId('cmd', Date.now());
  const id = makeId('les', Date.parse(at));
  const saved = await store.updateLessons([lessonId], ([now]) => {
    if (now === undefined || !isLearnedInProject(now)) return [];
    const keys = new Set(findings.map(toMoment));
    const [own, rest] = [true, false].map((isOwn) => now.evidence.filter((one) => keys.has(toMoment(one)) === isOwn));
    if (own === undefined || own.length === 0 || rest === undefined || rest.length === 0) return [];
    const { lastMatchedAt: _, measure: __, provisional: ___, ...words } = now;
    const copy: Lesson = {
      ...words,
      id,
      slug: makeSlug(now.slug.replace(/-[a-z0-9]{4}$/, '')),
      createdAt: at,
      ...toCounted(now, own, findings.length, at, weights),
      scope: { kind: 'project', id: first.projectId },
    };
    const left = { ...now, ...toCounted(now, rest, now.occurrences - findings.length, at, weights) };
    const act = { by: PARTED_BY, at, command };
    return [
      { lesson: left, change: { ...act, reason: `some of its calls are in another project: ${copy.slug}` } },
      { lesson: copy, change: { ...act, reason: `some calls of ${now.slug} are in this project` } },
    ];
  });
  if (saved.length === 0) return false;
  await store.saveFindings(
    findings.map(({ failed: _, message: __, fixed: ___, lesson: ____, textRemoved: _____, ...kept }) => ({
      ...kept,
      lessonId: id,
    })),
  );
  return true;
}

function toMoment({ agent, sessionId, at }: Pick<Evidence, 'agent' | 'sessionId' | 'at'>): string {
  return JSON.stringify([agent, sessionId, at]);
}

type Counted = Pick<
  Lesson,
  'evidence' | 'occurrences' | 'sessions' | 'projects' | 'priority' | 'confidence' | 'updatedAt'
>;

function toCounted(
  lesson: Lesson,
  evidence: readonly Evidence[],
  occurrences: number,
  updatedAt: string,
  weights: ScoringWeights,
): Counted {
  const sessions = new Set(evidence.map(toSessionKey)).size;
  const counts = { occurrences: Math.max(occurrences, evidence.length), sessions, projects: 1 };
  const { priority, confidence, reviewedBy } = lesson;
  // A reviewed lesson keeps its rank.
  const rank = reviewedBy === undefined ? rescore(lesson, lesson, counts, weights) : { priority, confidence };
  return { evidence, ...counts, ...rank, updatedAt };
}

/** A lesson that was superseded only because its project was joined to the project of its twin. */
async function restoreTwins(store: Store, toProjectId: ToProjectId, weights: ScoringWeights): Promise<boolean> {
  const all = new Map((await store.listLessons()).map((lesson) => [lesson.id, lesson]));
  let isChanged = false;
  for (const twin of all.values()) {
    const into = all.get(twin.validity.supersededBy ?? '');
    if (twin.archival?.cause !== 'superseded' || twin.status !== 'archived' || into === undefined) continue;
    if (twin.scope.kind !== 'project' || into.scope.kind !== 'project') continue;
    if (isWithinScope(twin.scope, into.scope, toProjectId)) continue;
    const last = (await store.listLessonHistory(twin.id)).at(-1);
    if (last?.by !== JOINED_BY || last.before === undefined) continue;
    isChanged = (await restoreTwin(store, last.before, into, weights)) || isChanged;
  }
  return isChanged;
}

async function restoreTwin(store: Store, before: Lesson, into: Lesson, weights: ScoringWeights): Promise<boolean> {
  const at = new Date().toISOString();
  const command = makeId('cmd', Date.now());
  const change = { by: PARTED_BY, reason: 'its project is not that of the other lesson after all', at, command };
  const saved = await store.updateLessons([before.id, into.id], ([twin, other]) => {
    if (twin?.status !== 'archived' || other === undefined) return [];
    const keys = new Set(before.evidence.map(toMoment));
    const rest = other.evidence.filter((one) => !keys.has(toMoment(one)));
    const left = { ...other, ...toCounted(other, rest, other.occurrences - before.occurrences, at, weights) };
    return [{ lesson: { ...before, updatedAt: at }, change }, ...(rest.length === 0 ? [] : [{ lesson: left, change }])];
  });
  return saved.length > 0;
}

/** Reads which projects are proven to be different repositories. */
export async function readAreDifferent(
  store: Pick<Store, 'listProjects' | 'listProjectRoots' | 'listProjectAliases'>,
): Promise<AreDifferent> {
  return makeAreDifferent(await store.listProjects(), await store.listProjectRoots(), await store.listProjectAliases());
}
