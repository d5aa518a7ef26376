import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Effect, isKnownEffect } from '../../src/base/statistics/estimates.ts';
import { estimateEffect } from '../../src/measure/estimate-effect.ts';
import { makeRandom } from '../make-random.ts';
import { toRuns } from '../to-runs.ts';

/** Failures of trials, with the lesson and without. */
const estimate = (shown: readonly [number, number], withheld: readonly [number, number]): Effect =>
  estimateEffect({
    basis: 'holdout',
    with: { failures: shown[0], trials: shown[1] },
    without: { failures: withheld[0], trials: withheld[1] },
  });

describe('the effect of a lesson', () => {
  it('is unknown without trials: the difference of two rates that may be anything', () => {
    const { prevented, interval, helps } = estimate([0, 0], [0, 0]);
    // P(|difference| > x) is (1 - x)².
    const edge = 1 - Math.sqrt(0.05);
    assert.deepEqual([prevented, helps], [0, 0.5]);
    assert.ok(Math.abs(interval[0] + edge) < 0.001 && Math.abs(interval[1] - edge) < 0.001, String(interval));
  });

  it('agrees with values computed by hand', () => {
    // P(uniform < Beta(2, 1)) is the mean of the latter; P(Beta(1, 2) < uniform) too.
    assert.equal(estimate([0, 0], [1, 1]).helps, 0.6667);
    assert.equal(estimate([0, 1], [0, 0]).helps, 0.6667);
    assert.equal(estimate([0, 1], [1, 1]).helps, 0.8333);
  });

  it('agrees with the normal approximation where that is good', () => {
    const { prevented, interval } = estimate([200, 1000], [300, 1000]);
    const half = 1.96 * Math.sqrt((0.2 * 0.8 + 0.3 * 0.7) / 1000);
    assert.ok(Math.abs(prevented - 0.1) < 0.002);
    assert.ok(Math.abs(interval[0] - (0.1 - half)) < 0.002 && Math.abs(interval[1] - (0.1 + half)) < 0.002);
  });

  it('is known once its interval excludes zero, in either direction', () => {
    assert.equal(isKnownEffect(estimate([2, 40], [8, 12])), true);
    assert.equal(isKnownEffect(estimate([20, 40], [0, 12])), true);
    assert.equal(isKnownEffect(estimate([10, 40], [4, 12])), false);
  });

  it('is within its interval for any counts, and changes its sign with the arms', () => {
    const rate = fc.nat(3000).chain((trials) => fc.tuple(fc.nat(trials), fc.constant(trials)));
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        const { prevented, interval, helps, worth } = estimate(a, b);
        const turned = estimate(b, a);
        assert.ok(interval[0] <= prevented && prevented <= interval[1] && worth <= helps);
        // Both ways sum over the sharper posterior, so only rounding differs.
        assert.ok(Math.abs(turned.prevented + prevented) < 0.0011 && Math.abs(turned.helps + helps - 1) < 0.0011);
      }),
      { numRuns: toRuns(60) },
    );
  });
});

/** Two thousand lessons each, whose true rates are known. */
describe('in a simulation with known effects', () => {
  const RUNS = 2000;
  const random = makeRandom(20_260_101);
  const draw = (trials: number, rate: number): readonly [number, number] => {
    let failures = 0;
    for (let n = 0; n < trials; n++) if (random() < rate) failures++;
    return [failures, trials];
  };
  const simulate = (toRates: () => readonly [shown: number, withheld: number], trials: readonly [number, number]) => {
    const shares = { covered: 0, helps: 0, harms: 0, useless: 0 };
    for (let n = 0; n < RUNS; n++) {
      const [shown, withheld] = toRates();
      const { interval, helps, worth } = estimate(draw(trials[0], shown), draw(trials[1], withheld));
      const truth = withheld - shown;
      if (interval[0] <= truth && truth <= interval[1]) shares.covered += 1 / RUNS;
      if (interval[0] > 0) shares.helps += 1 / RUNS;
      if (helps <= 0.02) shares.harms += 1 / RUNS;
      if (worth < 0.1) shares.useless += 1 / RUNS;
    }
    return shares;
  };

  it('95 of 100 intervals cover the truth, whatever it is', () => {
    const anything = (): readonly [number, number] => [random(), random()];
    const always = (shown: number, withheld: number) => (): readonly [number, number] => [shown, withheld];
    for (const [rates, trials] of [
      [anything, [30, 10]],
      [anything, [200, 20]],
      [always(0.1, 0.5), [40, 10]],
      [always(0.3, 0.3), [60, 15]],
      [always(0.4, 0.1), [40, 12]],
    ] as const) {
      const { covered } = simulate(rates, trials);
      assert.ok(Math.abs(covered - 0.95) < 0.03, `${covered} at ${trials}`);
    }
  });

  it('a lesson that helps is recognized, and taken for harmful or useless in less than one of 100', () => {
    const { helps, harms, useless } = simulate(() => [0.1, 0.6], [100, 20]);
    assert.ok(helps > 0.95 && harms === 0 && useless < 0.01, JSON.stringify({ helps, harms, useless }));
  });

  it('a lesson that changes nothing is recognized, and rarely taken for one that helps', () => {
    const { helps, harms, useless } = simulate(() => [0.2, 0.2], [400, 100]);
    assert.ok(useless > 0.75 && helps < 0.04 && harms < 0.04, JSON.stringify({ helps, harms, useless }));
  });

  it('a harmful lesson is recognized', () => {
    const { helps, harms, useless } = simulate(() => [0.5, 0.1], [150, 20]);
    assert.ok(harms > 0.95 && helps === 0 && useless > 0.99, JSON.stringify({ helps, harms, useless }));
  });
});
