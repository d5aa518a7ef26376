import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findWilsonInterval } from '../../src/base/statistics/estimates.ts';

describe("Wilson's interval", () => {
  it('agrees with published tables', () => {
    assert.deepEqual(findWilsonInterval(5, 10), [0.237, 0.763]);
    assert.deepEqual(findWilsonInterval(0, 10), [0, 0.278]);
    assert.deepEqual(findWilsonInterval(10, 10), [0.722, 1]);
    assert.deepEqual(findWilsonInterval(90, 100), [0.826, 0.945]);
  });

  it('is undefined for zero trials', () => {
    assert.equal(findWilsonInterval(0, 0), undefined);
  });

  it('is within 0 and 1, contains the share, and gets narrower with more trials', () => {
    const counts = fc
      .integer({ min: 1, max: 500 })
      .chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole)));
    fc.assert(
      fc.property(counts, ([part, whole]) => {
        const [low, high] = findWilsonInterval(part, whole) ?? [2, -1];
        const [moreLow, moreHigh] = findWilsonInterval(part * 10, whole * 10) ?? [2, -1];
        const share = part / whole;
        return (
          low >= 0 && high <= 1 && low <= share + 0.001 && high >= share - 0.001 && moreHigh - moreLow <= high - low
        );
      }),
    );
  });
});
