import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { findSecrets, LINT_HINTS, type LintRule, toRuleName } from '../../src/capture/secrets/scan-secrets.ts';

const COMMENTS = 'filter-comments';

describe('the words that a rule of secretlint needs', () => {
  let rules: readonly LintRule[] = [];
  before(async () => {
    const preset = await import('@secretlint/secretlint-rule-preset-recommend');
    rules = (preset.rules as unknown as LintRule[]).filter((rule) => toRuleName(rule) !== COMMENTS);
  });

  it('belong to existing rules', () => {
    const names = new Set(rules.map(toRuleName));
    for (const name of Object.keys(LINT_HINTS)) assert.ok(names.has(name), `${name} is no rule any more`);
  });

  it('occur in everything that one of its patterns can match', async () => {
    let seen = 0;
    for (const rule of rules) {
      const words = LINT_HINTS[toRuleName(rule)];
      if (words === undefined) continue;
      for (const pattern of await listPatterns(rule)) {
        seen++;
        for (const match of fc.sample(fc.stringMatching(toPlain(pattern)), { numRuns: 30, seed: 1 })) {
          const held = match.toLowerCase();
          assert.ok(
            words.some((word) => held.includes(word)),
            `${toRuleName(rule)} can find ${match}, which holds none of ${words.join(', ')}`,
          );
        }
      }
    }
    assert.ok(seen > 30, 'the patterns were seen at all');
  });
});

/** The patterns of a rule: it is run on a text, and its searches are recorded. */
async function listPatterns(rule: LintRule): Promise<readonly RegExp[]> {
  const { matchAll } = String.prototype;
  const patterns: RegExp[] = [];
  String.prototype.matchAll = function (this: string, pattern: RegExp) {
    patterns.push(pattern);
    return matchAll.call(this, pattern) as ReturnType<typeof matchAll>;
  } as typeof matchAll;
  try {
    // Some patterns are only tried on a text that has something of interest.
    for (const text of ['x', Object.values(LINT_HINTS).flat().join(' '), 'AKIA AWS account secret'])
      await findSecrets([rule], text);
  } finally {
    String.prototype.matchAll = matchAll;
  }
  return [...new Map(patterns.map((pattern) => [String(pattern), pattern])).values()];
}

/** Without what a generator of matches cannot do: what stands before and after is no part of the match. */
function toPlain({ source, flags }: RegExp): RegExp {
  const plain = source.replaceAll(/\(\?<?[!=](?:[^()[\]]|\[[^\]]*\])*\)/g, '').replaceAll('\\b', '');
  return new RegExp(`^(?:${plain})$`, flags.replaceAll(/[gim]/g, ''));
}
