import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dropOldest } from '../../src/base/drop-oldest.ts';

describe('a map that is kept small', () => {
  it('never holds more than a quarter above its bound, and always the newest', () => {
    const map = new Map<number, true>();
    for (let n = 0; n < 1_000; n++) {
      map.set(n, true);
      dropOldest(map, 40);
      assert.ok(map.size <= 50, `${map.size} after ${n}`);
      const newest = [...map.keys()].slice(-Math.min(n + 1, 40));
      assert.deepEqual(
        newest,
        Array.from({ length: newest.length }, (_, i) => n - newest.length + 1 + i),
      );
    }
  });

  it('lets a map alone that is within its bound', () => {
    const map = new Map([['a', 1]]);
    dropOldest(map, 1);
    assert.equal(map.size, 1);
  });
});
