/** Rounds to figures: always the median over the rounds, so that one that was disturbed moves nothing. */
import type { HookRound } from './hook-round.ts';
import { type Quantiles, toMedian } from './quantiles.ts';

export function toMedianTimes(rounds: readonly HookRound[], command: string): Quantiles {
  const pick = (key: keyof Quantiles) => toMedian(rounds.map((one) => one.times[command]?.[key] ?? Number.NaN));
  return { p50Ms: pick('p50Ms'), p95Ms: pick('p95Ms') };
}

/** Both sides of a ratio come from the same round: they had the same weather. */
export function toRatio(rounds: readonly HookRound[], of: string, over: string, key: keyof Quantiles): number {
  return toMedian(rounds.map(({ times }) => (times[of]?.[key] ?? Number.NaN) / (times[over]?.[key] ?? Number.NaN)));
}
