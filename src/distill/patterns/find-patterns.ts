/** What keeps going wrong. Pure: the store counts, this judges and ranks; the order of rows does not matter. */

import type { Recurrence } from '../../base/statistics/failures.ts';
import { findBrokenPlaces } from './find-broken-places.ts';
import { findDominantCategories } from './find-dominant-categories.ts';
import { findRepeatedFailures } from './find-repeated-failures.ts';
import type { Pattern } from './pattern.ts';
import { makePatternContext, type PatternKnowledge } from './pattern-context.ts';

/** What counts most first. */
export function findPatterns(recurrence: Recurrence, knowledge: PatternKnowledge): readonly Pattern[] {
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
