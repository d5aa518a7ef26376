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
      ? sumOver(treated, untreated, prevented)
      : 1 - sumOver(untreated, treated, -prevented);
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
  readonly weights: Float64Array;
  readonly sums: Float64Array;
}

function toPosterior({ trials, failures }: Rate): Posterior {
  const [a, b] = [failures + 1, trials - failures + 1];
  const mean = a / (a + b);
  const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  const start = Math.max(0, mean - REACH * deviation);
  const step = (Math.min(1, mean + REACH * deviation) - start) / POINTS;
  const weights = new Float64Array(POINTS);
  for (let n = 0; n < POINTS; n++) {
    const rate = start + (n + 0.5) * step;
    weights[n] = (a - 1) * Math.log(rate) + (b - 1) * Math.log1p(-rate);
  }
  const highest = Math.max(...weights);
  let all = 0;
  for (let n = 0; n < POINTS; n++) all += weights[n] = Math.exp((weights[n] ?? 0) - highest);
  const sums = new Float64Array(POINTS + 1);
  for (let n = 0; n < POINTS; n++) {
    weights[n] = (weights[n] ?? 0) / all;
    sums[n + 1] = (sums[n] ?? 0) + (weights[n] ?? 0);
  }
  return { start, step, weights, sums };
}

/** The share of `other` below each rate of `posterior` plus `more`, by the weight of that rate. */
function sumOver(posterior: Posterior, other: Posterior, more: number): number {
  let sum = 0;
  for (let n = 0; n < POINTS; n++) {
    const rate = posterior.start + (n + 0.5) * posterior.step;
    sum += (posterior.weights[n] ?? 0) * findShareBelow(other, rate + more);
  }
  return sum;
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
