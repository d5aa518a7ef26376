/**
 * Rates, means and their 95% intervals, and the effect of a lesson: the failure rate without the lesson minus the rate
 * with it.
 */

/** How much a lesson prevents: the failure rate without it, less the one with it. */

/** So many of so many failed. */
export interface Rate {
  readonly trials: number;
  readonly failures: number;
}

/** `holdout`: chance decided what was shown and what was withheld. Nothing else tells what a lesson prevents. */
export type EffectBasis = 'holdout';

export interface Effect {
  readonly basis: EffectBasis;
  readonly with: Rate;
  readonly without: Rate;
  /** The middle of what is likely: 0.2 is 20 failures less in 100 calls. */
  readonly prevented: number;
  /** It is in here with a probability of 95 %. */
  readonly interval: readonly [low: number, high: number];
  /** How likely it is that the lesson prevents anything at all. */
  readonly helps: number;
  /** How likely it is that it prevents enough to be worth saying. */
  readonly worth: number;
}

/** Of 100 calls, so many failures less are worth a note. */
export const MIN_USEFUL_EFFECT = 0.1;

/** Is it certain by now in which direction it goes? */
export function isKnownEffect({ interval: [low, high] }: Pick<Effect, 'interval'>): boolean {
  return low > 0 || high < 0;
}

/** Enough of some values for their mean and its interval. */
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
  /** Absent where there is no value. */
  readonly mean?: number;
  /** Of 95 %; absent with fewer than two values. */
  readonly interval?: readonly [low: number, high: number];
}

/** Of values that are never under 0. */
export function toMean({ n, sum, squares }: Sums): MeanFigure {
  if (n === 0) return { n };
  const mean = sum / n;
  if (n === 1) return { n, mean: toRounded(mean) };
  const half = toStudent(n - 1) * Math.sqrt(Math.max(0, squares - n * mean * mean) / (n - 1) / n);
  return { n, mean: toRounded(mean), interval: [toRounded(Math.max(0, mean - half)), toRounded(mean + half)] };
}

const Z = 1.959964;

/** Student's 97.5 % point, as a series in the degrees of freedom. */
export function toStudent(degrees: number): number {
  const z3 = Z ** 3;
  return Z + (z3 + Z) / (4 * degrees) + (5 * Z ** 5 + 16 * z3 + 3 * Z) / (96 * degrees ** 2);
}

export function toRounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Undefined when nothing was counted. */
export function findWilsonInterval(part: number, whole: number): readonly [low: number, high: number] | undefined {
  if (whole <= 0) return undefined;
  const share = part / whole;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * whole)) / (1 + z2 / whole);
  const half = (Z / (1 + z2 / whole)) * Math.sqrt((share * (1 - share)) / whole + z2 / (4 * whole * whole));
  return [toThousandths(Math.max(0, middle - half)), toThousandths(Math.min(1, middle + half))];
}

function toThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
