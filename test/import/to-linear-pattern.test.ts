import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { toLinearPattern } from '../../src/loop/import/foreign-triggers.ts';

const to = (source: string, match: readonly string[], unless: readonly string[] = []) =>
  assert.deepEqual(toLinearPattern(source), { match, unless }, source);
const refuses = (source: string, reason: RegExp) => {
  const given = toLinearPattern(source);
  assert.match('reason' in given ? given.reason : '', reason, source);
};

describe("somebody else's pattern", () => {
  it('stays as it is where it is linear', () => {
    to('\\bgit\\s+push\\b', ['\\bgit\\s+push\\b']);
    to('^(?:npm|pnpm) ci$', ['^(?:npm|pnpm) ci$']);
  });

  it('says in unless what a negative look-ahead says', () => {
    to('^(?!.*--foo)git push', ['^git push'], ['--foo']);
    to('^(?!.*--a)(?!.*--b)npm publish', ['^npm publish'], ['--a', '--b']);
    to('^(?!sudo )rm', ['^rm'], ['^sudo ']);
    to('^(?!.*--foo)', [], ['--foo']);
    to('git push(?!.*--dry-run)', ['git push'], ['git push.*--dry-run']);
    to('rm\\s+-rf\\s+/(?!tmp|var)', ['rm\\s+-rf\\s+/'], ['rm\\s+-rf\\s+/(?:tmp|var)']);
  });

  it('takes alternatives apart, and knows a class from a group', () => {
    to('a|^(?!.*x)b', ['a', '^b'], ['x']);
    to('[(?!]x(?!y)', ['[(?!]x'], ['[(?!]xy']);
  });

  it('writes out what ignores case', () => {
    to('(?i)go', ['[gG][oO]']);
    to('/go [ab]/i', ['[gG][oO] [abAB]']);
  });

  it('is refused, with the reason, where nothing says the same', () => {
    for (const source of ['(a)\\1', '(?<=x)y', '(?<!x)y', '(?=.*a)b', '(?:(?!x)y)+']) refuses(source, /linear-time/);
    refuses('(', /no regular expression/);
    refuses('', /empty/);
    refuses('a\u202eb', /cannot be seen/);
    refuses('a'.repeat(1001), /longer than/);
    refuses(`${'('.repeat(30)}a${')'.repeat(30)}`, /nested/);
  });

  it('knows a pattern that holds for everything', () => {
    for (const source of ['.*', '^.*$', '.+', '^']) to(source, []);
  });

  it('never lets anything through that is not linear, whatever it is given', () => {
    const piece = fc.constantFrom(
      'a',
      '(?!',
      '(?=',
      '(?<!',
      '(',
      ')',
      '|',
      '.*',
      '[',
      ']',
      '\\',
      '^',
      '$',
      '--x',
      '{9}',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join('')),
        ),
        (source) => {
          const given = toLinearPattern(source);
          if ('reason' in given) return;
          for (const one of [...given.match, ...given.unless]) assert.ok(isLinearRegex(one), `${source} -> ${one}`);
        },
      ),
    );
  });

  it('is silent wherever the pattern was, on commands', () => {
    const source = fc.constantFrom('^(?!.*--foo)git push', 'git push(?!.*--dry)', 'git(?! push)', '^(?!git)x|y(?!z)');
    const word = fc.constantFrom('git', 'push', '--foo', '--dry', 'x', 'y', 'yz', 'sudo');
    fc.assert(
      fc.property(source, fc.array(word, { maxLength: 5 }), (pattern, words) => {
        const given = toLinearPattern(pattern);
        assert.ok(!('reason' in given));
        const text = words.join(' ');
        const test = (one: string) => new RegExp(one).test(text);
        const speaks = given.match.some(test) && !given.unless.some(test);
        assert.ok(!speaks || new RegExp(pattern).test(text), `${pattern} on ${text}`);
      }),
    );
  });
});
