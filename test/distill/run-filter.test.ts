import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeRunFilter } from '../../src/distill/gate/outside-text/make-run-filter.ts';

describe('the filter of runs of words', () => {
  it('lets everything through that stands in one of the texts', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), fc.nat(), (all, which, from, length) => {
        const text = all[which % all.length] ?? '';
        const at = from % (text.length + 1);
        assert.ok(makeRunFilter(all)(text.slice(at, at + length)));
      }),
    );
  });

  it('holds back what stands in none', () => {
    const mayHold = makeRunFilter(['make the build green again', 'nothing to commit, working tree clean']);
    assert.equal(mayHold('the build green'), true);
    assert.equal(mayHold('the tests green'), false);
  });

  it('knows nothing of what is too short', () => {
    assert.equal(makeRunFilter(['abc'])('xyz'), true);
  });
});
