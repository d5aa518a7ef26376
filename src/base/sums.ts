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
