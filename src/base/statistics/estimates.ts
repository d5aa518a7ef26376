/**
 * Rates, means, their 95 % intervals, and the effect of a lesson: the failure rate without it minus the rate with it.
 */

/** This many failures in this many trials. */
export interface Rate {
  readonly trials: number;
  readonly failures: number;
}

/** `holdout`: a random choice decided what was shown and what was withheld. Only that measures prevention. */
export type EffectBasis = 'holdout';

export interface Effect {
  readonly basis: EffectBasis;
  readonly with: Rate;
  readonly without: Rate;
  /** The middle of the likely range: 0.2 is 20 failures fewer in 100 calls. */
  readonly prevented: number;
  /** The range that contains the effect with a probability of 95 %. */
  readonly interval: readonly [low: number, high: number];
  /** The probability that the lesson prevents anything at all. */
  readonly helps: number;
  /** The probability that it prevents at least `MIN_USEFUL_EFFECT`. */
  readonly worth: number;
}

/** A note must prevent at least 10 failures in 100 calls to be worth showing. */
export const MIN_USEFUL_EFFECT = 0.1;

/** Is the direction of the effect certain? */
export function isKnownEffect({ interval: [low, high] }: Pick<Effect, 'interval'>): boolean {
  return low > 0 || high < 0;
}

/** Sums from which a mean and its interval follow. */
export interface Sums {
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
}

export const NO_SUMS: Sums = { n: 0, sum: 0, squares: 0 };

export function addSums(sums: readonly Sums[]): Sums {
  return sums.reduce(
    (all, one) => ({ n: all.n + one.n, sum: all.sum + one.sum, squares: all.squares + one.squares }),
    NO_SUMS,
  );
}

export interface MeanFigure {
  readonly n: number;
  /** Absent without values. */
  readonly mean?: number;
  /** The 95 % interval; absent with fewer than two values. */
  readonly interval?: readonly [low: number, high: number];
}

/** For values that are never negative. */
export function toMean({ n, sum, squares }: Sums): MeanFigure {
  if (n === 0) return { n };
  const mean = sum / n;
  if (n === 1) return { n, mean: toRounded(mean) };
  const half = toStudentQuantile(n - 1) * Math.sqrt(Math.max(0, squares - n * mean * mean) / (n - 1) / n);
  return { n, mean: toRounded(mean), interval: [toRounded(Math.max(0, mean - half)), toRounded(mean + half)] };
}

const Z = 1.959964;

/** The 97.5 % quantile of Student's t distribution, as a series in the degrees of freedom. */
export function toStudentQuantile(degrees: number): number {
  const z3 = Z ** 3;
  return Z + (z3 + Z) / (4 * degrees) + (5 * Z ** 5 + 16 * z3 + 3 * Z) / (96 * degrees ** 2);
}

export function toRounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Undefined if nothing was counted. */
export function findWilsonInterval(part: number, whole: number): readonly [low: number, high: number] | undefined {
  if (whole <= 0) return undefined;
  const share = part / whole;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * whole)) / (1 + z2 / whole);
  const half = (Z / (1 + z2 / whole)) * Math.sqrt((share * (1 - share)) / whole + z2 / (4 * whole * whole));
  return [toThousandths(Math.max(0, middle - half)), toThousandths(Math.min(1, middle + half))];
}

export function toThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
