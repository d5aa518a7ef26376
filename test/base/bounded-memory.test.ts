import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dropOldest, remember } from '../../src/base/bounded-memory.ts';

describe('a bounded map', () => {
  it('has at most a quarter more entries than its bound, and always the newest', () => {
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

  it('does not change a map within its bound', () => {
    const map = new Map([['a', 1]]);
    dropOldest(map, 1);
    assert.equal(map.size, 1);
  });
});

describe('a function with a cache', () => {
  it('computes each answer once until the cache is full', () => {
    const asked: string[] = [];
    const isLong = remember((key) => asked.push(key) > 0 && key.length > 1, 3);
    assert.deepEqual(['a', 'bb', 'a', 'bb', 'c'].map(isLong), [false, true, false, true, false]);
    assert.equal(asked.join(' '), 'a bb c');
    assert.equal(isLong('a'), false);
    assert.equal(asked.join(' '), 'a bb c a');
  });

  it('computes an answer again once it is too old', async () => {
    let asked = 0;
    const answer = remember(() => ++asked, 10, 5);
    assert.equal(answer('a'), answer('a'));
    await new Promise((done) => setTimeout(done, 20));
    assert.equal(answer('a'), 2);
  });
});
