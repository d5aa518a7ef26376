import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { containsKeyword } from '../../src/base/triggers/check-conversation.ts';
import { assertLinear } from '../measure-cpu.ts';

const holds = (text: string, ...keywords: string[]) => containsKeyword([text], keywords);

describe('a keyword', () => {
  it('is found as a whole word, in any case, next to any sign', () => {
    for (const text of ['release', 'Cut a RELEASE.', '(release)', 'pre-release notes', '"release"', 'now:\nrelease!'])
      assert.ok(holds(text, 'release'), text);
    for (const text of ['released', 'prerelease', 'release_notes', 'release2', 'rele ase', '', 'réléase'])
      assert.ok(!holds(text, 'release'), text);
  });

  it('may be a phrase, with any space between its words', () => {
    for (const text of ['please force push it', 'Force\n  push', 'force\tpush'])
      assert.ok(holds(text, 'force push'), text);
    for (const text of ['force it, then push', 'push force', 'enforce push', 'force pushed'])
      assert.ok(!holds(text, 'force push'), text);
    assert.ok(holds('force push', '  Force   Push '));
  });

  it('is searched further after a longer word that contains it', () => {
    assert.ok(holds('prerelease, then release', 'release'));
    assert.ok(holds('aaa a', 'a'));
  });

  it('may begin or end with a punctuation mark', () => {
    assert.ok(holds('write it in C++ please', 'c++'));
    assert.ok(holds('use --force here', '--force'));
    assert.ok(!holds('use --forced here', '--force'));
    assert.ok(holds('node.js is old', 'node.js'));
    assert.ok(!holds('nodexjs is old', 'node.js'), 'no sign has a meaning of its own');
  });

  it('is found in scripts without spaces, and in letters with two encodings', () => {
    assert.ok(holds('请发布新版本', '发布'));
    assert.ok(holds('APIをリリースする', 'リリース'));
    assert.ok(holds('Größe ÄNDERN', 'ändern'));
    assert.ok(holds('cafe\u0301 ouvert', 'café'));
    assert.ok(!holds('naïveté', 'naïve'));
    assert.ok(!holds('𝒳release', 'release'), 'a letter of two units is a letter');
  });

  it('is enough alone, in any of the texts; an empty one never matches', () => {
    assert.ok(containsKeyword(['nothing', 'to deploy'], ['release', 'deploy']));
    assert.ok(!containsKeyword([], ['release']));
    assert.ok(!holds('anything', '', '  '));
  });

  it('is found between any other words', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(word),
        word,
        fc.array(word),
        fc.constantFrom(' ', '\n', ', ', '. '),
        (before, one, after, by) => holds([...before, one.toUpperCase(), ...after].join(by), one),
      ),
    );
  });

  it('agrees with a split into words', () => {
    const text = fc.stringMatching(/^[ab_ .]{0,30}$/);
    fc.assert(
      fc.property(text, fc.constantFrom('a', 'ab', 'a_b'), (given, one) =>
        assert.equal(holds(given, one), given.split(/[ .]+/).includes(one)),
      ),
    );
  });

  it('is found in time that grows only with the text', () => {
    assertLinear((length) => assert.ok(!holds('a'.repeat(length), 'aa'.repeat(20))), 50_000);
    assertLinear((length) => assert.ok(!holds(`${' '.repeat(length)}x`, 'y')), 50_000);
  });
});
