import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHolder } from '../../src/surfaces/daemon/answer-hook.ts';

describe('a question that is held', () => {
  const holder = makeHolder();
  let asked = 0;
  const ask = holder.hold(() => ++asked);

  it('is asked once in a piece of work, also within another, and again in the next', () => {
    assert.deepEqual(
      holder.during(() => [ask(), ask(), holder.during(ask), ask()]),
      [1, 1, 1, 1],
    );
    assert.equal(holder.during(ask), 2);
  });

  it('is asked each time when no work is going on, also after work that failed', () => {
    assert.throws(() =>
      holder.during(() => {
        throw new Error('work');
      }),
    );
    assert.deepEqual([ask(), ask()], [3, 4]);
  });
});
