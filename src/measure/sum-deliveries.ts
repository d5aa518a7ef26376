/** Cells of deliveries, summed: what was shown, what came of it, what it cost. */
import { AFTER_MEASURES, type DeliveryCell } from '../base/delivery-counts.ts';
import type { Rate } from '../base/effect.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../base/lesson.ts';
import { addSums } from '../base/sums.ts';
import type { Tally } from '../base/trials.ts';
import { findWilsonInterval } from '../base/wilson-interval.ts';
import { compareArms } from './compare-arms.ts';
import { type Arms, poolEffect } from './pool-effect.ts';
import type { OutcomeCounts, StatsFigures } from './stats-report.ts';

/** What is usual for English text and code; each model counts its own. */
const BYTES_PER_TOKEN = 4;

export function sumDeliveries(cells: readonly DeliveryCell[]): StatsFigures {
  const shown = cells.filter(({ arm }) => arm === 'shown');
  const atCalls = shown.filter(({ kind }) => kind !== 'session-start');
  const bytes = sum(shown, ({ bytes }) => bytes);
  const withheld = cells.filter(({ arm }) => arm === 'holdout');
  const modes = DELIVERY_MODES.map((mode) => [mode, count(atCalls.filter((cell) => cell.mode === mode))] as const);
  const effect = poolEffect([...Map.groupBy(cells, ({ lessonId }) => lessonId).values()].map(toArms));
  const oldVerdicts = sum(cells, (cell) => cell.oldVerdicts ?? 0);
  return {
    shown: count(shown),
    withheld: count(withheld),
    modes: Object.fromEntries(modes) as Record<DeliveryMode, number>,
    atStart: count(shown) - count(atCalls),
    outcomes: countOutcomes(atCalls),
    withheldOutcomes: countOutcomes(withheld),
    falseAlarms: toFalseAlarms(cells),
    bytes,
    tokens: toTokens(bytes),
    ...(effect === undefined ? {} : { effect }),
    ...(oldVerdicts === 0 ? {} : { oldVerdicts }),
    after: toAfter(cells),
    cameBack: { shown: toCameBack(shown), withheld: toCameBack(withheld) },
  };
}

export function toTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The two arms that chance made: notes at calls, and what was withheld from calls. */
function toArms(cells: readonly DeliveryCell[]): Arms {
  const atCalls = cells.filter(({ kind, mode }) => kind === 'call' && mode === 'note');
  return {
    note: toTally(atCalls.filter(({ arm }) => arm === 'shown')),
    withheld: toTally(atCalls.filter(({ arm }) => arm === 'holdout')),
  };
}

function toTally(cells: readonly DeliveryCell[]): Tally {
  const judged = cells.filter(({ outcome }) => outcome !== undefined && outcome !== 'incomplete');
  return {
    judged: count(judged),
    again: sum(judged, ({ again }) => again),
    failed: sum(judged, ({ failed }) => failed),
  };
}

/** Seconds and tokens are no counts of events: nothing is known about their spread but what was seen. */
function toAfter(cells: readonly DeliveryCell[]): StatsFigures['after'] {
  const lessons = [...Map.groupBy(cells, ({ lessonId }) => lessonId).values()];
  const compared = AFTER_MEASURES.map((measure) => {
    const sumArm = (own: readonly DeliveryCell[], arm: DeliveryCell['arm']) =>
      addSums(own.filter((cell) => cell.arm === arm).map(({ after }) => after[measure]));
    const arms = lessons.map((own) => ({ shown: sumArm(own, 'shown'), withheld: sumArm(own, 'holdout') }));
    return [measure, compareArms(arms, measure === 'failingAttempts' || measure === 'callsToSuccess')] as const;
  });
  return Object.fromEntries(compared) as StatsFigures['after'];
}

function toCameBack(cells: readonly DeliveryCell[]): Rate {
  return { trials: sum(cells, ({ followed }) => followed), failures: sum(cells, ({ cameBack }) => cameBack) };
}

function countOutcomes(cells: readonly DeliveryCell[]): OutcomeCounts {
  const of = (outcome: DeliveryCell['outcome']): number => count(cells.filter((cell) => cell.outcome === outcome));
  return {
    clean: of('clean'),
    failed_anyway: of('failed_anyway'),
    ignored: of('ignored'),
    incomplete: of('incomplete'),
    open: of(undefined),
  };
}

function toFalseAlarms(cells: readonly DeliveryCell[]): StatsFigures['falseAlarms'] {
  const worked = sum(cells, ({ ownWorked }) => ownWorked);
  const calls = worked + sum(cells, ({ ownFailed }) => ownFailed);
  const interval = findWilsonInterval(worked, calls);
  if (interval === undefined) return { calls, worked };
  return { calls, worked, share: Math.round((worked / calls) * 1000) / 1000, interval };
}

function count(cells: readonly DeliveryCell[]): number {
  return sum(cells, (cell) => cell.count);
}

function sum(cells: readonly DeliveryCell[], read: (cell: DeliveryCell) => number): number {
  return cells.reduce((all, cell) => all + read(cell), 0);
}
