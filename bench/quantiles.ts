/** Medians and tails of what was measured. */

export interface Quantiles {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export function toQuantiles(timesMs: readonly number[]): Quantiles {
  return { p50Ms: toQuantile(timesMs, 0.5), p95Ms: toQuantile(timesMs, 0.95) };
}

export function toMedian(values: readonly number[]): number {
  return toQuantile(values, 0.5);
}

/** Nearest rank, in thousandths. */
export function toQuantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
  return Math.round(value * 1000) / 1000;
}
