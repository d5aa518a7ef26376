import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_SUMS, type Sums } from '../../src/base/statistics/estimates.ts';
import { compareArms } from '../../src/measure/effects.ts';
import { makeRandom } from '../make-random.ts';

const toSums = (values: readonly number[]): Sums => ({
  n: values.length,
  sum: values.reduce((sum, one) => sum + one, 0),
  squares: values.reduce((sum, one) => sum + one * one, 0),
});

describe('a measure of shown and withheld deliveries', () => {
  it('has no difference while either arm has fewer than five values', () => {
    const shown = toSums([1, 2, 3, 4, 5, 6]);
    const { saved, interval, ...means } = compareArms([{ shown, withheld: toSums([9, 9, 9, 9]) }], true);
    assert.deepEqual([saved, interval], [undefined, undefined]);
    assert.deepEqual([means.shown.n, means.shown.mean, means.withheld.n, means.withheld.mean], [6, 3.5, 4, 9]);
    assert.deepEqual(compareArms([], true), { shown: { n: 0 }, withheld: { n: 0 } });
  });

  it('does not differ merely because lessons are withheld at different rates', () => {
    const often = { shown: toSums(Array(10).fill(4)), withheld: toSums(Array(90).fill(4)) };
    const rarely = { shown: toSums(Array(90).fill(0)), withheld: toSums(Array(10).fill(0)) };
    assert.equal(compareArms([often, rarely], true).saved, 0);
  });

  it('is not certain merely because a few counts are equal', () => {
    const alike = compareArms([{ shown: toSums([0, 0, 0, 0, 0]), withheld: toSums([0, 0, 0, 0, 0]) }], true);
    assert.ok((alike.interval?.[0] ?? 0) < -0.3 && (alike.interval?.[1] ?? 0) > 0.3, JSON.stringify(alike));
  });

  it('leaves out lessons with only one arm', () => {
    const pair = { shown: toSums([1, 2, 1, 2, 1]), withheld: toSums([3, 4, 3, 4, 3]) };
    const single = { shown: toSums([100, 100, 100]), withheld: NO_SUMS };
    assert.equal(compareArms([pair, single], true).saved, compareArms([pair], true).saved);
  });

  it('contains the true difference in about 95 of 100 intervals', () => {
    const random = makeRandom(7);
    // How often an event of this probability occurs before it does not.
    const count = (chance: number): number => (random() < chance ? 1 + count(chance) : 0);
    const draw = (chance: number, n: number) => toSums(Array.from({ length: n }, () => count(chance)));
    const truth = 0.5 / 0.5 - 0.25 / 0.75;
    const hits = Array.from({ length: 400 }, () =>
      compareArms([{ shown: draw(0.25, 60), withheld: draw(0.5, 15) }], true),
    ).filter(({ interval: [low, high] = [0, 0] }) => low <= truth && truth <= high).length;
    assert.ok(hits > 360 && hits < 396, `${hits} of 400`);
  });
});
