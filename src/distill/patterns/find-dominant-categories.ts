/** One category that is most of what fails, in a project or everywhere. */

import type { FailureCell } from '../../base/statistics/failures.ts';
import { OTHER_CATEGORY } from '../../base/text/failure-category.ts';
import { isRecurring, makePattern, sumCounts } from './make-pattern.ts';
import type { Pattern } from './pattern.ts';
import type { PatternContext } from './pattern-context.ts';
import { toSpreadText } from './to-spread-text.ts';

const DOMINANT_SHARE = 0.7;
/** Of fewer failures any category is soon most. */
const MIN_FAILURES = 10;

export function findDominantCategories(cells: readonly FailureCell[], context: PatternContext): readonly Pattern[] {
  const projects = [...Map.groupBy(cells, ({ projectId }) => projectId)];
  const inProjects = projects.flatMap(([id, some]) => findIn(some, context.toProjectName(id), context));
  if (projects.length < 2) return inProjects;
  const everywhere = findIn(cells, 'all projects', context);
  // What holds everywhere is said once.
  return [...everywhere, ...inProjects.filter(({ category }) => category !== everywhere[0]?.category)];
}

function findIn(cells: readonly FailureCell[], where: string, context: PatternContext): readonly Pattern[] {
  const all = sumCounts(cells);
  if (all < MIN_FAILURES) return [];
  const categories = Map.groupBy(cells, context.toCategory);
  categories.delete(OTHER_CATEGORY);
  return [...categories].flatMap(([category, some]) => {
    const count = sumCounts(some);
    if (count < all * DOMINANT_SHARE || !isRecurring(some)) return [];
    const what = `${category} in ${where}`;
    const summary = `${count} of ${all} failures in ${where} are of the category ${category}, in ${toSpreadText(some)}`;
    return [{ ...makePattern({ kind: 'dominant-category', what, summary, outOf: all }, some, context), lessons: [] }];
  });
}
