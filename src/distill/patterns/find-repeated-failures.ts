/** The same failure in several sessions, or in several tasks of one. */

import type { FailureCell } from '../../base/statistics/failures.ts';
import { findCommonest, isRecurring, makePattern, sumCounts } from './make-pattern.ts';
import type { Pattern } from './pattern.ts';
import type { PatternContext } from './pattern-context.ts';
import { isTelling, toPlainForm } from './to-plain-form.ts';
import { toSpreadText } from './to-spread-text.ts';

export function findRepeatedFailures(cells: readonly FailureCell[], context: PatternContext): readonly Pattern[] {
  const groups = Map.groupBy(cells, (cell) => context.findForm(cell)?.key);
  groups.delete(undefined);
  return [...groups.values()]
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
