import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  FEEDBACK_SOURCES,
  FEEDBACK_VERDICTS,
  type Feedback,
  type FeedbackCase,
} from '../../src/base/model/feedback.ts';
import type { ChangeHead, Lesson } from '../../src/base/model/lesson.ts';
import { FEEDBACK_STEPS, giveFeedback, type NewFeedback } from '../../src/promote/confidence.ts';
import { at, makeLesson } from '../contracts/store/make-samples.ts';

const settings = { minConfidence: 0.5 };

/** A lesson with its feedback, as the store keeps it. */
function openCase(fields: Partial<Lesson> = {}) {
  let lesson = makeLesson(fields);
  let said: readonly Feedback[] = [];
  const history: ChangeHead[] = [];
  let voices = 0;
  const toCase = (): FeedbackCase => ({ lesson, feedback: said, history });
  return {
    toCase,
    get lesson() {
      return lesson;
    },
    get said() {
      return said;
    },
    set(changes: Partial<Lesson>) {
      lesson = { ...lesson, ...changes };
    },
    undoLast() {
      const last = history.at(-1);
      history.push({
        id: `hst_${history.length}`,
        lessonId: lesson.id,
        by: 'user:ann',
        reason: `undo of ${last?.id}: x`,
        at: at(9),
      });
    },
    say(verdict: NewFeedback['verdict'], more: Partial<NewFeedback> = {}) {
      const n = voices++;
      const voice = {
        id: `fbk_${n}`,
        command: `cmd_${n}`,
        from: 'user',
        by: 'user:ann',
        verdict,
        at: at(n),
        ...more,
      } as const;
      const given = giveFeedback(toCase(), voice, settings);
      if (given === undefined) return undefined;
      said = [...said.filter(({ id }) => id !== given.feedback.id), given.feedback];
      if (given.update !== undefined) {
        lesson = given.update.lesson;
        history.push({ id: `hst_${history.length}`, lessonId: lesson.id, ...given.update.change });
      }
      return given;
    },
  };
}

describe('feedback', () => {
  it('moves confidence by a stated weight, half of it for an agent', () => {
    for (const from of FEEDBACK_SOURCES)
      for (const verdict of FEEDBACK_VERDICTS) {
        const one = openCase({ confidence: 0.7 });
        one.say(verdict, { from });
        assert.equal(one.lesson.confidence, Math.round((0.7 + FEEDBACK_STEPS[from][verdict]) * 1000) / 1000);
      }
    assert.equal(FEEDBACK_STEPS.agent.helpful, FEEDBACK_STEPS.user.helpful / 2);
    assert.equal(FEEDBACK_STEPS.agent['not-helpful'], FEEDBACK_STEPS.user['not-helpful'] / 2);
  });

  it('is recorded in the history, without the note', () => {
    const one = openCase({ confidence: 0.7 });
    const given = one.say('not-helpful', { deliveryId: 'dlv_1', note: 'about the kraken' });
    assert.equal(given?.update?.change.reason, 'feedback: not-helpful, about delivery dlv_1: confidence 0.7 -> 0.55');
    assert.equal(given?.feedback.note, 'about the kraken');
    assert.equal(given?.feedback.moved, -0.15);
  });

  it('counts once per person and delivery; for another delivery or person it counts again', () => {
    const one = openCase({ confidence: 0.3 });
    one.say('helpful', { deliveryId: 'dlv_1' });
    assert.equal(one.say('helpful', { deliveryId: 'dlv_1' }), undefined);
    assert.equal(one.lesson.confidence, 0.4);
    one.say('helpful', { deliveryId: 'dlv_2' });
    one.say('helpful', { deliveryId: 'dlv_1', by: 'user:bo' });
    one.say('helpful');
    assert.equal(one.lesson.confidence, 0.7);
    assert.equal(one.said.length, 4);
  });

  it('accepts another note without counting again', () => {
    const one = openCase();
    one.say('helpful');
    const again = one.say('helpful', { note: 'really' });
    assert.deepEqual([again?.feedback.note, again?.update, again?.feedback.id], ['really', undefined, 'fbk_0']);
  });

  it('that changes takes back the first move, also if a bound had cut it', () => {
    const one = openCase({ confidence: 0.9 });
    one.say('helpful');
    assert.equal(one.lesson.confidence, 0.95);
    one.say('not-helpful');
    assert.equal(one.lesson.confidence, 0.75);
    one.say('helpful');
    assert.equal(one.lesson.confidence, 0.95);
    assert.equal(one.said.length, 1);
  });

  it('below the threshold makes the lesson wait for a person; a changed opinion lets it fire again', () => {
    const one = openCase({ confidence: 0.6 });
    one.say('not-helpful');
    assert.deepEqual([one.lesson.confidence, one.lesson.needsReview], [0.45, true]);
    one.say('helpful');
    assert.deepEqual([one.lesson.confidence, one.lesson.needsReview], [0.7, false]);
  });

  it('never releases a lesson that waits for another reason', () => {
    const flagged = openCase({ confidence: 0.45, needsReview: true });
    flagged.say('helpful');
    assert.deepEqual([flagged.lesson.confidence, flagged.lesson.needsReview], [0.55, true]);
    const doubted = openCase({ confidence: 0.6 });
    doubted.say('not-helpful');
    doubted.set({ measure: { doubt: 'it changes nothing' } });
    doubted.say('helpful');
    assert.equal(doubted.lesson.needsReview, true);
  });

  it('that was undone counts again, and is not taken back twice', () => {
    const one = openCase({ confidence: 0.6 });
    one.say('helpful');
    one.undoLast();
    one.set({ confidence: 0.6 });
    one.say('not-helpful');
    assert.equal(one.lesson.confidence, 0.45);
    const again = openCase({ confidence: 0.6 });
    again.say('helpful');
    again.undoLast();
    again.set({ confidence: 0.6 });
    assert.notEqual(again.say('helpful'), undefined);
    assert.deepEqual([again.lesson.confidence, again.said.length], [0.7, 1]);
  });

  it('about an archived lesson is kept and moves nothing', () => {
    const one = openCase({ status: 'archived', confidence: 0.6 });
    const given = one.say('not-helpful');
    assert.deepEqual([given?.update, given?.feedback.moved, one.lesson.confidence], [undefined, 0, 0.6]);
  });

  it('stays within the bounds, and never moves the other way, whatever the authors and the order', () => {
    const voice = fc.record({
      verdict: fc.constantFrom(...FEEDBACK_VERDICTS),
      from: fc.constantFrom(...FEEDBACK_SOURCES),
      by: fc.constantFrom('user:ann', 'user:bo'),
      deliveryId: fc.constantFrom('dlv_1', 'dlv_2', 'dlv_3'),
    });
    const start = fc.integer({ min: 100, max: 950 }).map((n) => n / 1000);
    fc.assert(
      fc.property(start, fc.array(voice, { maxLength: 30 }), (confidence, voices) => {
        const one = openCase({ confidence });
        for (const { verdict, ...more } of voices) {
          const before = one.lesson.confidence;
          one.say(verdict, more);
          const { confidence: now } = one.lesson;
          assert.ok(now >= 0.1 && now <= 0.95);
          assert.ok(verdict === 'helpful' ? now >= before : now <= before);
        }
        const keys = one.said.map(({ by, deliveryId }) => `${by} ${deliveryId}`);
        assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });

  it('does not lower a value above the bound', () => {
    const one = openCase({ confidence: 1 });
    one.say('helpful');
    assert.equal(one.lesson.confidence, 1);
  });
});
