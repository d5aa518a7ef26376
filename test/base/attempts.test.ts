import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Attempt,
  type AttemptRule,
  mergeAttempts,
  sumAttempts,
  toAttemptRule,
} from '../../src/base/model/delivery.ts';

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const attempt = (n: number, verdict: Attempt['verdict'], outcome: Attempt['outcome']): Attempt => ({
  ...{ callId: `c${n}`, at: at(n), verdict, outcome },
});
const mistake = (n: number) => attempt(n, 'ignored', 'failed');
const remedyFailed = (n: number) => attempt(n, 'failed_anyway', 'failed');
const otherFailure = (n: number) => attempt(n, 'clean', 'failed');
const worked = (n: number) => attempt(n, 'clean', 'worked');
const sum = (attempts: readonly Attempt[], rule: AttemptRule = 'every') =>
  sumAttempts(mergeAttempts([], attempts), rule);

describe('the attempts after a note', () => {
  it("are clean only if none of them fails with the lesson's cause, however soon the first one works", () => {
    assert.equal(sum([worked(1)])?.outcome, 'clean');
    const relapsed = sum([worked(1), worked(2), mistake(3)]);
    assert.deepEqual([relapsed?.outcome, relapsed?.again, relapsed?.failed], ['ignored', true, false]);
    assert.equal(relapsed?.outcomeAt, at(3));
  });

  it('are ignored if two fail the same way before one works, and count two failing attempts', () => {
    const { outcome, failingAttempts, attemptsToSuccess, successAt } = sum([mistake(1), mistake(2), worked(3)]) ?? {};
    assert.deepEqual([outcome, failingAttempts, attemptsToSuccess, successAt], ['ignored', 2, 3, at(3)]);
  });

  it('failed anyway if one of them tried the remedy and failed with the cause', () => {
    assert.equal(sum([mistake(1), remedyFailed(2), worked(3)])?.outcome, 'failed_anyway');
  });

  it('count failures of another cause, which do not repeat the mistake', () => {
    const { outcome, again, failed, failingAttempts, successAt } = sum([otherFailure(1), otherFailure(2)]) ?? {};
    assert.deepEqual([outcome, again, failed, failingAttempts, successAt], ['clean', false, true, 2, undefined]);
  });

  it('are evidence for the lesson only if no call that it warns against worked', () => {
    assert.equal(sum([worked(1)])?.isEarned, true);
    assert.equal(sum([{ ...worked(1), isRefuting: true }])?.isEarned, false);
    assert.equal(sum([mistake(1)])?.isEarned, false);
  });
});

describe('the attempts after a pause', () => {
  it('are judged by the retry alone', () => {
    assert.equal(sum([worked(1), mistake(2)], 'first')?.outcome, 'clean');
    assert.equal(sum([mistake(1), worked(2)], 'first')?.outcome, 'ignored');
    for (const mode of ['pause', 'rewrite', 'block'] as const) assert.equal(toAttemptRule(mode, false), 'first');
    assert.deepEqual([toAttemptRule('note', false), toAttemptRule('note', true)], ['every', 'first']);
  });
});

describe('attempts of any kind', () => {
  const one = fc
    .record({
      n: fc.integer({ min: 0, max: 20 }),
      make: fc.constantFrom(mistake, remedyFailed, otherFailure, worked),
    })
    .map(({ n, make }) => make(n));
  const some = fc.uniqueArray(one, { selector: ({ callId }) => callId, maxLength: 15 });

  it('give the same summary in any order, in any batches, and if reported twice', () => {
    fc.assert(
      fc.property(
        some.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
            fc.array(fc.nat({ max: 15 })),
          ),
        ),
        fc.constantFrom('first' as const, 'every' as const),
        ([all, shuffled, again], rule) => {
          let known: readonly Attempt[] = [];
          for (const piece of shuffled) known = mergeAttempts(known, [piece]);
          for (const n of again) known = mergeAttempts(known, all.slice(n, n + 2));
          assert.deepEqual(sumAttempts(known, rule), sum(all, rule));
        },
      ),
    );
  });
});
