/** What keeps going wrong. Pure: the store counts, this judges and ranks; the order of rows does not matter. */

import type { FailureCell, Recurrence } from '../../base/statistics/failures.ts';
import { OTHER_CATEGORY } from '../../base/text/failure-category.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { isTelling } from '../episodes/classify-failure.ts';
import { groupByKind } from './failure-kinds.ts';
import { findBrokenPlaces } from './find-broken-places.ts';
import { findCommonest, isRecurring, makePattern, sumCounts, toSpreadText } from './make-pattern.ts';
import type { Pattern } from './pattern.ts';
import { makePatternContext, type PatternContext, type PatternKnowledge } from './pattern-context.ts';

/** What counts most first. */
export function findPatterns(all: Recurrence, knowledge: PatternKnowledge): readonly Pattern[] {
  const recurrence = { ...all, cells: all.cells.filter(({ isHook }) => !isHook) };
  const context = makePatternContext(recurrence, knowledge);
  const places = findBrokenPlaces(recurrence, context);
  const always = new Set(places.filter(({ kind }) => kind === 'always-breaks').map(toFailures));
  return [
    ...places,
    // A command that always fails in the same way is one thing.
    ...findRepeatedFailures(recurrence.cells, context).filter((pattern) => !always.has(toFailures(pattern))),
    ...findDominantCategories(recurrence.cells, context),
  ].sort(byScore);
}

function toFailures({ signatureIds, frequency }: Pattern): string {
  return `${signatureIds.join(' ')} ${frequency}`;
}

function byScore(a: Pattern, b: Pattern): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.last !== b.last) return a.last < b.last ? 1 : -1;
  return a.summary < b.summary ? -1 : 1;
}

/** The same failure in several sessions, or in several tasks of one. */
function findRepeatedFailures(cells: readonly FailureCell[], context: PatternContext): readonly Pattern[] {
  return groupByKind(cells, context.forms)
    .filter((some) => isRecurring(some) && isTelling(toTemplate(some, context)))
    .map((some) => {
      const program = findCommonest(some, (cell) => context.findForm(cell)?.program) ?? '';
      const form = toPlainForm(toTemplate(some, context));
      const what = form.startsWith(`${program}: `) ? form : `${program}: ${form}`;
      const summary = `${what} (${sumCounts(some)} times in ${toSpreadText(some)})`;
      return makePattern({ kind: 'repeated-failure', what, summary }, some, context);
    });
}

/** One for all of them: they are merged. */
function toTemplate([cell]: readonly FailureCell[], context: PatternContext): string {
  return (cell && context.findForm(cell)?.template) ?? '';
}

/** Where it was said: a file and line, or a shell that was given a line to run. */
const PLACE_FIRST = /^(?:(?:\(eval\)|(?:ba|z|da|k)?sh:)?\s*…[:,]?\s*)+/;
const ELLIPSES = /…(?:[\s:,./-]*…)+/g;

/** The masked form of a message for people: each mask is an ellipsis, and what only points at a place is left out. */
function toPlainForm(template: string): string {
  const bare = template.replaceAll(MASK, '…').replaceAll(ELLIPSES, '…').trim();
  return bare.replace(PLACE_FIRST, '').trim() || bare;
}

const DOMINANT_SHARE = 0.7;
/** Of fewer failures any category is soon most. */
const MIN_FAILURES = 10;

/** One category that is most of what fails, in a project or everywhere. */
function findDominantCategories(cells: readonly FailureCell[], context: PatternContext): readonly Pattern[] {
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
