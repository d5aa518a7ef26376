import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeBatchCache } from '../../src/surfaces/daemon/answer-hook.ts';

describe('a question that is held', () => {
  const cache = makeBatchCache();
  let asked = 0;
  const ask = cache.cached(() => ++asked);

  it('is asked once in a piece of work, also within another, and again in the next', () => {
    assert.deepEqual(
      cache.inBatch(() => [ask(), ask(), cache.inBatch(ask), ask()]),
      [1, 1, 1, 1],
    );
    assert.equal(cache.inBatch(ask), 2);
  });

  it('is asked each time when no work is going on, also after work that failed', () => {
    assert.throws(() =>
      cache.inBatch(() => {
        throw new Error('work');
      }),
    );
    assert.deepEqual([ask(), ask()], [3, 4]);
  });
});
