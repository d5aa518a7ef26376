/**
 * Estimates the effect of lessons by comparing shown with withheld deliveries: on the lesson's own mistake, on any
 * failure, and on the mean of other measures. Lessons are withheld at different rates, so each lesson weighs as often
 * as it was withheld, in both arms.
 */

import type { Tally, TrialCounts } from '../base/statistics/delivery-counts.ts';
import {
  addSums,
  type Effect,
  type MeanFigure,
  type Rate,
  type Sums,
  toMean,
  toRounded,
  toStudentQuantile,
} from '../base/statistics/estimates.ts';
import { estimateEffect } from './estimate-effect.ts';

/** With fewer in either arm, nothing is compared. */
const MIN_ARM = 5;

interface Effects {
  /** The effect on the lesson's own mistake. Absent while too few were withheld or shown. */
  readonly effect?: Effect;
  /** The effect on failures of any kind. */
  readonly failures?: Effect;
}

export function toEffects({ note, withheld }: Pick<TrialCounts, 'note' | 'withheld'>): Effects {
  if (note.judged < MIN_ARM || withheld.judged < MIN_ARM) return {};
  const estimate = (count: 'again' | 'failed'): Effect =>
    estimateEffect({ basis: 'holdout', with: toRate(note, count), without: toRate(withheld, count) });
  return { effect: estimate('again'), failures: estimate('failed') };
}

function toRate(tally: Tally, count: 'again' | 'failed'): Rate {
  return { trials: tally.judged, failures: tally[count] };
}

/** The two arms of one lesson. */
export interface Arms {
  readonly note: Tally;
  readonly withheld: Tally;
}

/** Undefined while too few were withheld or shown. */
export function poolEffect(lessons: readonly Arms[]): Effect | undefined {
  const both = lessons.filter(({ note, withheld }) => note.judged > 0 && withheld.judged > 0);
  const sum = (read: (arms: Arms) => number): number => both.reduce((all, arms) => all + read(arms), 0);
  const [shown, withheld] = [sum(({ note }) => note.judged), sum((arms) => arms.withheld.judged)];
  if (shown < MIN_ARM || withheld < MIN_ARM) return undefined;
  const share = sum(({ note, withheld }) => (note.again / note.judged) * withheld.judged) / withheld;
  return estimateEffect({
    basis: 'holdout',
    with: { trials: shown, failures: Math.round(share * shown) },
    without: { trials: withheld, failures: sum((arms) => arms.withheld.again) },
  });
}

/** The means of a measure with the lesson shown and withheld, and the difference. */
export interface Comparison {
  readonly shown: MeanFigure;
  readonly withheld: MeanFigure;
  /** The reduction by the lesson, with its 95 % interval; absent while either arm has fewer than five values. */
  readonly saved?: number;
  readonly interval?: readonly [low: number, high: number];
}

interface ArmSums {
  readonly shown: Sums;
  readonly withheld: Sums;
}

/** One entry per lesson. `isCount`: the values are counts, whose variance is at least that of a random process. */
export function compareArms(lessons: readonly ArmSums[], isCount: boolean): Comparison {
  const both = lessons.filter(({ shown, withheld }) => shown.n > 0 && withheld.n > 0);
  const [all, pair] = [addArms(lessons), addArms(both)];
  const means = { shown: toMean(all.shown), withheld: toMean(all.withheld) };
  if (pair.shown.n < MIN_ARM || pair.withheld.n < MIN_ARM) return means;
  const weigh = (read: (arms: ArmSums) => number): number =>
    both.reduce((sum, arms) => sum + read(arms) * arms.withheld.n, 0) / pair.withheld.n;
  const saved = weigh(({ shown, withheld }) => withheld.sum / withheld.n - shown.sum / shown.n);
  const [ofShown, ofWithheld] = [toSpread(both, 'shown', isCount), toSpread(both, 'withheld', isCount)];
  const variance = both.reduce((sum, { shown, withheld }) => {
    const share = withheld.n / pair.withheld.n;
    return sum + share * share * (ofShown / shown.n + ofWithheld / withheld.n);
  }, 0);
  const half = toStudentQuantile(pair.shown.n + pair.withheld.n - 2) * Math.sqrt(variance);
  return { ...means, saved: toRounded(saved), interval: [toRounded(saved - half), toRounded(saved + half)] };
}

function addArms(lessons: readonly ArmSums[]): ArmSums {
  return {
    shown: addSums(lessons.map(({ shown }) => shown)),
    withheld: addSums(lessons.map(({ withheld }) => withheld)),
  };
}

/** The variance within lessons; a single value has none. */
function toSpread(lessons: readonly ArmSums[], arm: keyof ArmSums, isCount: boolean): number {
  const within = lessons.map((one) => one[arm]);
  const squares = within.reduce((sum, { n, sum: total, squares }) => sum + squares - (total * total) / n, 0);
  const degrees = within.reduce((sum, { n }) => sum + n - 1, 0);
  const { n, sum } = addSums(within);
  // Few equal values prove little, because one more event was always possible.
  const least = isCount ? (sum + 1) / n : 0;
  return Math.max(degrees === 0 ? 0 : squares / degrees, least);
}
