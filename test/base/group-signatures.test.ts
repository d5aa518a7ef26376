import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toLineSignature } from '../../src/base/text/signature.ts';
import { groupSignatures } from '../../src/distill/patterns/group-signatures.ts';

const sign = (lines: readonly string[], program = 'p') => lines.map((line) => toLineSignature(program, line));
const countGroups = (lines: readonly string[]) => {
  const signatures = sign(lines);
  const groups = groupSignatures(signatures);
  return new Set(signatures.map(({ id }) => groups.get(id)?.id ?? id)).size;
};
const failedFor = (name: string) => `the deployment to the cluster failed for ${name} again`;

describe('near-duplicate signatures', () => {
  it('form one group if a word comes in many forms', () => {
    const signatures = sign(['alice', 'bob', 'carol'].map(failedFor));
    const groups = groupSignatures(signatures);
    assert.deepEqual(
      signatures.map(({ id }) => groups.get(id)?.template),
      Array(3).fill('the deployment to the cluster failed for <*> again'),
    );
  });

  it('form one group if the word looks like a name, or is a value elsewhere', () => {
    assert.equal(countGroups(['cartService', 'order_service'].map(failedFor)), 1);
    assert.equal(countGroups(['alice', '/srv/alice'].map(failedFor)), 1);
  });

  it('stay separate if one word in two forms may be two causes', () => {
    assert.equal(
      countGroups(['the session of this client was opened just now', 'the session of this client was closed just now']),
      2,
    );
  });

  it('stay separate by options, codes, constants and names of errors', () => {
    for (const words of [
      ['--stat', '--sort', '--all'],
      ['TS2345', 'TS2322', 'TS1005'],
      ['RUNNING', 'STOPPED', 'LOST'],
      ['KeyError', 'TypeError', 'ValueError'],
    ]) {
      assert.equal(countGroups(words.map(failedFor)), 3, words.join());
    }
  });

  it('stay separate if less than 85 % is alike, and by program', () => {
    assert.equal(countGroups(['cannot open a', 'cannot open b', 'cannot open c']), 3);
    const names = ['alice', 'bob', 'carol'].map(failedFor);
    const all = names.map((name, i) => toLineSignature(`program-${i}`, name));
    assert.equal(groupSignatures(all).size, 0);
  });

  it('do not depend on the order they came in', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'dD', 'x_y', '/p', '7', 'FULL');
    const text = fc.array(word, { minLength: 6, maxLength: 15 }).map((words) => `say ${words.join(' ')}`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (lines) => {
        const toPlain = (some: readonly string[]) => [...groupSignatures(sign(some))].toSorted();
        assert.deepEqual(toPlain(lines.toReversed()), toPlain(lines));
      }),
    );
  });
});
