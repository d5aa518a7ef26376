import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { Promotion, PromotionState } from '../../src/base/model/promotion.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { estimateEffect } from '../../src/measure/estimate-effect.ts';
import { judgeCandidate, makeProposal, type Track } from '../../src/promote/candidates.ts';
import { decodeBytes, parseManagedBlock, toSectionName } from '../../src/promote/managed-block.ts';
import { applyPromotion, findStepRefusal, type PromotionStep, renderPromotion } from '../../src/promote/promotions.ts';
import { isRefused } from '../../src/promote/transition.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';

const LIMITS = DEFAULT_SETTINGS.promotion;
const PROVEN: Track = { judged: 10, clean: 8, sessions: 5 };
const judge = (fields: Partial<Lesson>, track: Partial<Track> = {}) =>
  judgeCandidate(makeTestLesson({ confidence: 0.8, ...fields }), { ...PROVEN, ...track }, LIMITS);

describe('a candidate', () => {
  it('must do better than where it was withheld, once that is measured', () => {
    const track = (again: number, withheldAgain: number): Partial<Track> => ({
      effect: estimateEffect({
        basis: 'holdout',
        with: { trials: 20, failures: again },
        without: { trials: 10, failures: withheldAgain },
      }),
    });
    assert.equal(judge({}, track(2, 8)).standing, 'candidate');
    const useless = judge({}, track(2, 1));
    assert.equal(useless.standing, 'short');
    assert.match('reason' in useless ? useless.reason : '', /2 of 20 .*1 of 10/);
  });

  it('stayed clean in 80 %, was judged in 5 sessions, and has confidence 0.8', () => {
    assert.equal(judge({}).standing, 'candidate');
    assert.equal(judge({ priority: 10, scope: { kind: 'project', id: 'prj_a' } }).standing, 'candidate');
  });

  it('is rejected if it lacks any of these, with the reason', () => {
    const reasons = [
      judge({}, { clean: 7 }),
      judge({}, { sessions: 4 }),
      judge({ confidence: 0.79 }),
      judge({}, { judged: 0, clean: 0, sessions: 0 }),
    ].map((one) => (one.standing === 'short' ? one.reason : one.standing));
    const expected = [/70 % .*80 %/, /4 of the 5 sessions/, /confidence 0\.79, .*0\.8/, /0 of the 5 sessions/];
    for (const [i, reason] of reasons.entries()) assert.match(reason, expected[i] ?? /^$/);
  });

  it('is never a draft, in review, archived, of one session, limited in time, or from outside and unconfirmed', () => {
    const foreign = { kind: 'import', by: 'x', trust: 'foreign' } as const;
    const barred: readonly Partial<Lesson>[] = [
      { status: 'draft' },
      { needsReview: true },
      { status: 'archived' },
      { scope: { kind: 'session', id: 's1' } },
      { validity: { models: [], agentVersions: [], until: '2030-01-01T00:00:00.000Z' } },
      { origin: foreign },
    ];
    for (const fields of barred) assert.equal(judge(fields).standing, 'barred', JSON.stringify(fields));
    assert.equal(judge({ origin: foreign, reviewedBy: 'user:ann' }).standing, 'candidate');
  });
});

describe('a proposal', () => {
  it('has title, context, problem, solution, frequency and the newest examples', () => {
    const evidence = [1, 2, 3, 4, 4].map((n) => ({
      ...{ agent: 'codex', sessionId: `s${n}`, at: `2026-01-0${n}T00:00:00.000Z`, excerpt: `excerpt ${n}` },
    }));
    const lesson = makeTestLesson({ summary: 't', mistake: 'p', remediation: 's', occurrences: 5, evidence });
    assert.deepEqual(makeProposal(lesson, PROVEN, 'gh pr diff'), {
      ...{ title: 't', context: 'gh pr diff', problem: 'p', solution: 's' },
      frequency: { ...PROVEN, effectiveness: 0.8, seen: { times: 5, sessions: 1, projects: 1 } },
      examples: ['excerpt 4', 'excerpt 3', 'excerpt 2'],
    });
  });
});

describe('a promotion', () => {
  const steps: readonly PromotionStep[] = ['approve', 'reject', 'apply', 'rollback'];
  const listAllowed = (state: PromotionState, text: string, isOff = false): readonly PromotionStep[] => {
    const promotion: Promotion = {
      ...{ id: 'prm_1', lessonId: 'les_1', projectId: 'prj_a', root: '/r', file: 'AGENTS.md', state, text: 'old' },
      ...{ by: 'ann', at: '', createdAt: '' },
    };
    return steps.filter((step) => findStepRefusal(promotion, { step, text, slug: 'x', isOff }) === undefined);
  };

  it('moves from pending to approved to applied to rolled back, or is rejected before it is written', () => {
    assert.deepEqual(listAllowed('pending', 'old'), ['approve', 'reject']);
    assert.deepEqual(listAllowed('approved', 'old'), ['reject', 'apply']);
    assert.deepEqual(listAllowed('applied', 'old'), ['rollback']);
    assert.deepEqual(listAllowed('rolled_back', 'old'), []);
    assert.deepEqual(listAllowed('rejected', 'old'), []);
  });

  it('whose lesson says something else is approved again before it is written, and written again after', () => {
    assert.deepEqual(listAllowed('approved', 'new'), ['approve', 'reject']);
    assert.deepEqual(listAllowed('applied', 'new'), ['apply', 'rollback']);
  });

  it('is written again if the file no longer contains it', () => {
    assert.deepEqual(listAllowed('applied', 'old', true), ['apply', 'rollback']);
    assert.deepEqual(listAllowed('rolled_back', 'old', true), []);
  });
});

describe('the text of a promoted lesson', () => {
  const render = (fields: Partial<Lesson>): string =>
    renderPromotion(makeTestLesson({ summary: 's', mistake: 'm', remediation: 'r', ...fields }), (text) => text);

  it('is one list item without repetitions', () => {
    assert.equal(render({ summary: 'a\nb' }), '- a b\n  Wrong: m\n  Instead: r');
    assert.equal(render({ summary: 'm: use r' }), '- m: use r');
    assert.equal(render({ mistake: '', remediation: 'a\n\nb' }), '- s\n  Instead: a\n    b');
  });

  it('imports no file: a word with @ is in a code span', () => {
    assert.equal(
      render({ summary: 'npm i @types/x (@~/.ssh/id) a@b.c `@y`' }).split('\n')[0],
      '- npm i `@types/x` (`@~/.ssh/id)` a@b.c `@y`',
    );
    assert.equal(render({ summary: 'odd ` @x' }).split('\n')[0], "- odd ' `@x`");
  });

  it('cannot end the block, open a comment or a fence, or hide, whatever it contains', () => {
    const hostile = fc
      .array(
        fc.oneof(
          fc.constantFrom('<!--', '-->', '<!-- oncebitten:end -->', '<!-- oncebitten:begin -->', '\n', '\r', '\u2028'),
          fc.constantFrom('```', '~~~', '`', '<<<<<<< HEAD', '# x', '@/etc/passwd', '\u202e', '\0', '-', '>', '<', '!'),
          fc.string(),
        ),
        { maxLength: 10 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, hostile, (summary, mistake, remediation) => {
        const text = render({ summary, mistake, remediation });
        const done = applyPromotion(Buffer.from('a\n'), {
          ...{ slug: 'x-1a2b', text, force: false, head: '', promotion: {} },
          limits: LIMITS,
        });
        assert.ok(!isRefused(done));
        const found = parseManagedBlock(decodeBytes(done.bytes));
        assert.ok(!isRefused(found));
        assert.deepEqual(
          found.block?.sections.map((section) => section.text),
          [text],
        );
        assert.doesNotMatch(text, /<!--|-->|```|~~~|\u202e|\0|\r/);
        assert.doesNotMatch(text.replace(/`[^`\n]*`/g, ' '), /(?<!\w)@\S/);
        for (const line of text.split('\n').slice(1)) assert.match(line, /^ {2}/);
      }),
      { numRuns: toRuns(1_000) },
    );
  });

  it('has a marker with its id if its name could break the marker', () => {
    assert.equal(toSectionName({ slug: 'a b -->', id: 'les_1' }), 'les_1');
    assert.equal(toSectionName({ slug: 'gh-x7k2', id: 'les_1' }), 'gh-x7k2');
  });
});
