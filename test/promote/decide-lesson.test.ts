import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { makeNoTrials, type Trials } from '../../src/base/statistics/delivery-counts.ts';
import { toEffects } from '../../src/measure/effects.ts';
import { DECIDED_BY, decideLesson } from '../../src/promote/decide-lesson.ts';
import { approveLesson, restartMeasuring } from '../../src/promote/lesson-states.ts';
import { isUndoable, undoChange } from '../../src/promote/undo-change.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-05-05T00:00:00.000Z';
const LEARNED = { kind: 'episode', by: 'test', trust: 'observed' } as const;
const learned = (fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({ origin: LEARNED, signatureId: 'sig_1', ...fields });
const tally = (again: number, judged: number, failed = again) => ({ judged, again, failed });
const ignored = (count: number, judged: number): Partial<Trials> => ({
  note: tally(count, judged),
  verdicts: { clean: judged - count, ignored: count, failedAnyway: 0 },
});

const decide = (lesson: Lesson, trials: Partial<Trials>, more: { isWaiting?: boolean; mayWithhold?: boolean } = {}) => {
  const all = { ...makeNoTrials(lesson.id), ...trials };
  return decideLesson(lesson, { trials: all, ...toEffects(all), isWaiting: false, mayWithhold: true, ...more }, AT);
};

describe("the consequences of a lesson's trials", () => {
  it('are none while agents follow it, or too little is known', () => {
    assert.equal(decide(learned(), {}), undefined);
    assert.equal(
      decide(learned(), {
        note: tally(1, 40),
        withheld: tally(7, 12),
        verdicts: { clean: 39, ignored: 1, failedAnyway: 0 },
      }),
      undefined,
    );
    assert.equal(decide(learned(), ignored(2, 2)), undefined);
    assert.equal(decide(learned({ status: 'draft' }), ignored(9, 9)), undefined);
  });

  it('archive a harmful lesson, with the figures; a person decides about their own or confirmed lesson', () => {
    const harm = { note: tally(9, 12), withheld: tally(0, 9), verdicts: { clean: 3, ignored: 0, failedAnyway: 9 } };
    const { lesson, reason } = decide(learned(), harm) ?? assert.fail();
    assert.deepEqual(lesson.archival, {
      cause: 'harmful',
      reason: 'calls fail more often with it: 9 of 12 with it, 0 of 9 without',
      from: 'active',
    });
    assert.match(reason, /^harmful: /);
    for (const fields of [{ reviewedBy: 'ann' }, { origin: { kind: 'user', by: 'ann', trust: 'stated' } }] as const) {
      const kept = decide(learned(fields), harm)?.lesson;
      assert.deepEqual([kept?.status, kept?.needsReview, kept?.archival], ['active', true, undefined]);
      assert.match(kept?.measure?.doubt ?? '', /fail more often/);
    }
  });

  it('measure a lesson again if it seems harmful, and do not raise it', () => {
    const seeming = { ...ignored(3, 4), withheld: tally(0, 3) };
    const { lesson } = decide(learned({ confidence: 0.45 }), seeming) ?? assert.fail();
    assert.deepEqual([lesson.mode, lesson.measure?.from, lesson.needsReview], ['note', AT, false]);
    assert.match(lesson.measure?.retest ?? '', /seem to fail more often with it: 3 of 4 with it, 0 of 3 without/);
    assert.equal(decide(learned(), { ...ignored(3, 4), withheld: tally(2, 3) })?.lesson.mode, 'pause');
    assert.equal(decide(learned(), seeming, { mayWithhold: false })?.lesson.mode, 'pause');
  });

  it('recognize harm other than the mistake itself: calls that fail in another way', () => {
    const trials = {
      note: tally(0, 12, 10),
      withheld: tally(0, 9, 0),
      verdicts: { clean: 12, ignored: 0, failedAnyway: 0 },
    };
    assert.equal(decide(learned(), trials)?.lesson.archival?.cause, 'harmful');
  });

  it('ask for a review of a lesson that changes nothing', () => {
    const trials = {
      note: tally(10, 80),
      withheld: tally(1, 30),
      verdicts: { clean: 70, ignored: 10, failedAnyway: 0 },
    };
    const { lesson } = decide(learned(), trials) ?? assert.fail();
    assert.equal(lesson.needsReview, true);
    assert.equal(
      lesson.measure?.doubt,
      'it changes nothing: the mistake came again in 10 of 80 with it, in 1 of 30 without',
    );
  });

  it('do not call a lesson ignored while most of its deliveries are not judged', () => {
    assert.equal(decide(learned(), { ...ignored(3, 4), shown: 9 }), undefined);
    assert.notEqual(decide(learned(), { ...ignored(3, 4), shown: 8 }), undefined);
  });

  it("do not take a working call for evidence against a person's correction", () => {
    const corrected = learned({ origin: { kind: 'episode', by: 'distill/user-correction@1', trust: 'stated' } });
    assert.equal(decide(corrected, { own: { failed: 1, worked: 6 } }), undefined);
  });

  it('ask for a review of a lesson that fires on working calls, or whose remedy fails', () => {
    const wrong = decide(learned(), { own: { failed: 1, worked: 6 } });
    assert.equal(wrong?.lesson.measure?.doubt, 'it fires on calls that work: 6 of 7 did');
    assert.equal(decide(learned(), { own: { failed: 3, worked: 6 } }), undefined);
    const remedy = decide(learned(), { note: tally(4, 6), verdicts: { clean: 2, ignored: 0, failedAnyway: 4 } });
    assert.match(remedy?.lesson.measure?.doubt ?? '', /its advice fails, too: 4 of 6/);
  });

  it('raise a lesson that is right and ignored: to a pause, then a check is proposed', () => {
    const raised = decide(learned({ confidence: 0.55 }), ignored(3, 4))?.lesson ?? assert.fail();
    assert.deepEqual(
      [raised.mode, raised.modeBy, raised.confidence, raised.measure?.from],
      ['pause', undefined, 0.7, AT],
    );
    const checked = decide(raised, {
      acting: tally(3, 4),
      verdicts: { clean: 1, ignored: 3, failedAnyway: 0 },
    })?.lesson;
    assert.match(checked?.measure?.check ?? '', /refuse `gh pr diff --stat`: a permission rule/);
    assert.equal(checked?.status, 'active');
    assert.equal(checked && decide(checked, ignored(3, 4)), undefined);
  });

  it('do not raise a lesson whose trigger is wrong, whose mode a person set, or that came from outside', () => {
    assert.equal(decide(learned(), { ...ignored(3, 4), own: { failed: 1, worked: 3 } }), undefined);
    assert.equal(decide(learned({ modeBy: 'ann' }), ignored(3, 4))?.lesson.mode, 'note');
    const foreign = learned({ origin: { kind: 'import', by: 'x', trust: 'foreign' } });
    assert.equal(decide(foreign, ignored(3, 4))?.lesson.mode, 'note');
  });

  it('retire a lesson that does not help even as a pause', () => {
    const lesson = learned({ mode: 'pause', measure: { raised: 'x', from: AT } });
    const trials = { acting: tally(4, 5), verdicts: { clean: 1, ignored: 4, failedAnyway: 0 } };
    const retired = decide(lesson, trials)?.lesson;
    assert.equal(retired?.archival?.cause, 'unhelpful');
    assert.notEqual(retired?.measure?.check, undefined);
  });

  it('measure a lesson again that failed lately, so that it fires meanwhile; not one that is never withheld', () => {
    const trials = {
      note: tally(5, 40),
      verdicts: { clean: 35, ignored: 5, failedAnyway: 0 },
      recent: [true, true, false, true, true],
    };
    const turned = decide(learned({ confidence: 0.45, needsReview: true }), trials)?.lesson;
    assert.match(turned?.measure?.retest ?? '', /4 of 5 failed lately/);
    assert.deepEqual([turned?.measure?.from, turned?.needsReview, turned?.confidence], [AT, false, 0.6]);
    assert.equal(decide(learned(), trials, { mayWithhold: false }), undefined);
    assert.equal(decide(learned({ needsReview: true }), trials, { isWaiting: true }), undefined);
    assert.equal(decide(learned(), { ...trials, note: tally(20, 40, 20) }), undefined);
  });

  it('measure a lesson again on a model that it was never measured on, until enough is known', () => {
    const untried = [
      { on: 'model-3', sessions: ['d'] },
      { on: 'model-2', sessions: ['a', 'b', 'c'] },
    ];
    const retested = decide(learned({ measure: { on: ['model-1'], untried } }), {})?.lesson ?? assert.fail();
    assert.equal(retested.measure?.retest, 'it was never judged on model-2');
    assert.equal(decide(retested, { note: tally(1, 15), withheld: tally(2, 7) }), undefined);
    const done = decide(retested, { note: tally(1, 15), withheld: tally(6, 9) })?.lesson;
    const [rare] = untried;
    assert.deepEqual(done?.measure, { from: AT, on: ['model-1', 'model-2'], untried: [rare] });
  });

  it('accept all models that were often used while it was measured again', () => {
    const often = ['model-2', 'model-3'].map((on) => ({ on, sessions: ['a', 'b', 'c', on] }));
    const lesson = learned({ measure: { on: ['model-1'], untried: often, retest: 'x' } });
    const done = decide(lesson, { note: tally(1, 15), withheld: tally(6, 9) })?.lesson;
    assert.deepEqual(done?.measure, { on: ['model-1', 'model-2', 'model-3'] });
  });

  it('can be undone as a whole, and earlier measurements no longer count', () => {
    const before = learned({ lastMatchedAt: AT });
    const later = '2026-06-06T00:00:00.000Z';
    for (const trials of [ignored(3, 4), { own: { failed: 0, worked: 6 } }]) {
      const { lesson: after, reason } = decide(before, trials) ?? assert.fail();
      const change = { id: 'hst_1', lessonId: before.id, by: DECIDED_BY, reason, at: AT, before, after };
      assert.equal(isUndoable(change), true);
      const undone = undoChange(after, change, { by: 'user:ann', at: later });
      assert.ok('lesson' in undone);
      const { mode, needsReview, confidence, measure } = undone.lesson;
      assert.deepEqual([mode, needsReview, confidence], ['note', false, before.confidence]);
      assert.deepEqual(measure, { from: later });
    }
  });

  it('are not decided again after a person approved: trials count from then on', () => {
    const lesson = learned({ needsReview: true, lastMatchedAt: AT, measure: { doubt: 'x', on: ['model-1'] } });
    const approved = approveLesson(lesson, { by: 'ann', at: AT }, 0.5);
    assert.ok('lesson' in approved);
    assert.deepEqual(approved.lesson.measure, { on: ['model-1'], from: AT });
    assert.equal(restartMeasuring(learned(), AT).measure, undefined, 'it was never shown');
  });
});
