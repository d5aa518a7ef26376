/** What all kinds of patterns have: how often, where, when, how much it counts, and which lessons are about it. */

import { toSessionKey } from '../../base/model/session.ts';
import type { FailureCell } from '../../base/statistics/failures.ts';
import { VERDICT_CATEGORIES } from '../../base/text/failure-category.ts';
import type { Pattern, PatternKind, PatternLesson } from './pattern.ts';
import type { PatternContext } from './pattern-context.ts';

const MIN_SESSIONS = 2;
const MIN_TASKS = 3;
const HALF_LIFE_DAYS = 30;
const DAY_MS = 86_400_000;

/** What always breaks is worth most; that one category is most of it is said once and changes slowly. */
const KIND_WEIGHTS: Readonly<Record<PatternKind, number>> = {
  'always-breaks': 2,
  'repeated-failure': 1,
  'breaking-file': 1,
  'dominant-category': 0.1,
};
/** Red tests, builds and types are mostly work in progress; a linter says what an agent could know beforehand. */
const VERDICT_WEIGHT = 0.5;

type PatternHead = Pick<Pattern, 'kind' | 'what' | 'summary' | 'outOf'>;

export function makePattern(head: PatternHead, cells: readonly FailureCell[], context: PatternContext): Pattern {
  const times = cells.flatMap(({ first, last }) => [first, last]).sort();
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const category = findCommonest(cells, context.toCategory) ?? '';
  const isVerdict = VERDICT_CATEGORIES.has(category) && category !== 'lint_error';
  const weight = KIND_WEIGHTS[head.kind] * (isVerdict ? VERDICT_WEIGHT : 1);
  return {
    ...head,
    category,
    frequency: sumCounts(cells),
    ...countSpread(cells),
    first,
    last,
    recency: toFigure(toRecency(last, context.now)),
    score: toFigure(weight * scoreSessions(cells, context.now)),
    signatureIds: listDistinct(cells, ({ signatureId }) => signatureId),
    lessons: findLessons(cells, context),
  };
}

/** A red-green cycle in one conversation is work, however many rounds it takes. */
export function isRecurring(cells: readonly FailureCell[]): boolean {
  return isSpread(countSpread(cells));
}

/** In two sessions, or in three tasks of one. */
export function isSpread({ sessions, tasks }: Pick<Pattern, 'sessions' | 'tasks'>): boolean {
  return sessions >= MIN_SESSIONS || tasks >= MIN_TASKS;
}

export function countSpread(cells: readonly FailureCell[]): Pick<Pattern, 'sessions' | 'tasks' | 'projects'> {
  return {
    sessions: listDistinct(cells, toSessionKey).length,
    tasks: listDistinct(cells, (cell) => `${toSessionKey(cell)}\n${cell.contextId}`).length,
    projects: listDistinct(cells, ({ projectId }) => projectId),
  };
}

/** In how many sessions and projects, in words. */
export function toSpreadText(cells: readonly FailureCell[]): string {
  const { sessions, tasks, projects } = countSpread(cells);
  const where = projects.length > 1 ? ` of ${projects.length} projects` : '';
  return sessions === 1 ? `${tasks} tasks of 1 session` : `${sessions} sessions${where}`;
}

export function sumCounts(cells: readonly FailureCell[]): number {
  return cells.reduce((sum, { count }) => sum + count, 0);
}

/** The value that most failures have; of equal ones the first by name. */
export function findCommonest(
  cells: readonly FailureCell[],
  toValue: (cell: FailureCell) => string | undefined,
): string | undefined {
  const groups = Map.groupBy(cells, toValue);
  groups.delete(undefined);
  const counted = [...groups].map(([value = '', some]) => ({ value, count: sumCounts(some) }));
  return counted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))[0]?.value;
}

/** Ten failures in ten sessions are ten; ten in one session count as four. */
function scoreSessions(cells: readonly FailureCell[], now: string): number {
  const sessions = [...Map.groupBy(cells, toSessionKey).values()];
  const parts = sessions.map((some) => {
    const last = some.map((cell) => cell.last).sort();
    return (1 + Math.log2(sumCounts(some))) * toRecency(last.at(-1) ?? '', now);
  });
  // Sums of fractions depend on their order.
  return parts.sort((a, b) => a - b).reduce((sum, part) => sum + part, 0);
}

function toRecency(at: string, now: string): number {
  const days = (Date.parse(now) - Date.parse(at)) / DAY_MS;
  return Number.isNaN(days) ? 0 : 0.5 ** (Math.max(0, days) / HALF_LIFE_DAYS);
}

function findLessons(cells: readonly FailureCell[], context: PatternContext): readonly PatternLesson[] {
  const counts = new Map<PatternLesson['id'], { lesson: PatternLesson; count: number }>();
  for (const cell of cells) {
    for (const { id, slug, status } of context.lessonsByKey.get(context.findForm(cell)?.key ?? '') ?? []) {
      const known = counts.get(id)?.count ?? 0;
      counts.set(id, { lesson: { id, slug, status }, count: known + cell.count });
    }
  }
  const most = [...counts.values()].filter(({ count }) => count * 2 >= sumCounts(cells));
  return most.map(({ lesson }) => lesson).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

export function listDistinct(
  cells: readonly FailureCell[],
  toValue: (cell: FailureCell) => string | undefined,
): readonly string[] {
  return [...new Set(cells.map(toValue).filter((value) => value !== undefined))].sort();
}

function toFigure(value: number): number {
  return Number(value.toPrecision(4));
}
