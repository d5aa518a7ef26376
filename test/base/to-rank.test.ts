import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toRank } from '../../src/keep/store/deliveries/delivery-stats.ts';

describe('toRank', () => {
  it('is the nearest rank: an existing value, never one between two', () => {
    assert.deepEqual(
      [1, 2, 20, 100, 101].map((n) => [toRank(50, n), toRank(95, n), toRank(99, n), toRank(100, n)]),
      [
        [1, 1, 1, 1],
        [1, 2, 2, 2],
        [10, 19, 20, 20],
        [50, 95, 99, 100],
        [51, 96, 100, 101],
      ],
    );
  });

  it('has at least this percentage at or below it, and less strictly below it', () => {
    const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (some, percent) => {
        const order = some.toSorted((a, b) => a - b);
        const quantile = order[toRank(percent, order.length) - 1] ?? Number.NaN;
        const share = (isWanted: (value: number) => boolean) => some.filter(isWanted).length * 100;
        assert.ok(share((value) => value <= quantile) >= percent * some.length);
        assert.ok(share((value) => value < quantile) < percent * some.length);
      }),
    );
  });
});
