/**
 * Estimates how much a lesson prevents, with its uncertainty. Each failure rate is a Beta posterior from a uniform
 * prior; their difference is integrated numerically, so the same counts always give the same figures.
 */
import { type Effect, type EffectBasis, MIN_USEFUL_EFFECT, type Rate } from '../base/statistics/estimates.ts';

interface EffectQuestion {
  readonly basis: EffectBasis;
  readonly with: Rate;
  readonly without: Rate;
}

/** Points per posterior; a step is then hundreds of times smaller than the standard error. */
const POINTS = 400;
/** Standard deviations around the mean; the rest weighs less than a ten-thousandth. */
const REACH = 10;
const TAIL = 0.025;
const HALVINGS = 20;

export function estimateEffect(question: EffectQuestion): Effect {
  const treated = toPosterior(question.with);
  const untreated = toPosterior(question.without);
  /**
   * The probability that less than this is prevented. The sum goes over the sharper posterior, because all of it may lie
   * within one step of the wider one.
   */
  const below = (prevented: number): number =>
    treated.step < untreated.step
      ? sumOver(treated, (rate) => findShareBelow(untreated, rate + prevented))
      : sumOver(untreated, (rate) => 1 - findShareBelow(treated, rate - prevented));
  return {
    basis: question.basis,
    with: question.with,
    without: question.without,
    prevented: toRounded(findQuantile(below, 0.5)),
    interval: [toRounded(findQuantile(below, TAIL)), toRounded(findQuantile(below, 1 - TAIL))],
    helps: toRounded(1 - below(0)),
    worth: toRounded(1 - below(MIN_USEFUL_EFFECT)),
  };
}

/** Weights of equal steps from `start` on, and the cumulative sums before each step. */
interface Posterior {
  readonly start: number;
  readonly step: number;
  readonly weights: readonly number[];
  readonly sums: readonly number[];
}

function toPosterior({ trials, failures }: Rate): Posterior {
  const [a, b] = [failures + 1, trials - failures + 1];
  const mean = a / (a + b);
  const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  const start = Math.max(0, mean - REACH * deviation);
  const step = (Math.min(1, mean + REACH * deviation) - start) / POINTS;
  const logs = Array.from({ length: POINTS }, (_, n) => {
    const rate = start + (n + 0.5) * step;
    return (a - 1) * Math.log(rate) + (b - 1) * Math.log1p(-rate);
  });
  const highest = Math.max(...logs);
  const raw = logs.map((log) => Math.exp(log - highest));
  const all = raw.reduce((sum, one) => sum + one, 0);
  const weights = raw.map((one) => one / all);
  const sums = [0];
  for (const weight of weights) sums.push((sums.at(-1) ?? 0) + weight);
  return { start, step, weights, sums };
}

function toPoint({ start, step }: Posterior, n: number): number {
  return start + (n + 0.5) * step;
}

function sumOver(posterior: Posterior, toShare: (rate: number) => number): number {
  return posterior.weights.reduce((sum, weight, n) => sum + weight * toShare(toPoint(posterior, n)), 0);
}

/** Within a step the weight is uniform. */
function findShareBelow({ start, step, weights, sums }: Posterior, rate: number): number {
  const place = (rate - start) / step;
  if (place <= 0) return 0;
  if (place >= POINTS) return 1;
  const n = Math.floor(place);
  return (sums[n] ?? 1) + (place - n) * (weights[n] ?? 0);
}

function findQuantile(below: (value: number) => number, share: number): number {
  let [low, high] = [-1, 1];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (below(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function toRounded(value: number): number {
  return Math.round(value * 10_000) / 10_000 + 0;
}
