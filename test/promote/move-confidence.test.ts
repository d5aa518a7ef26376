import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { DeliveryOutcome } from '../../src/base/model/delivery.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { CONFIDENCE_STEPS, moveConfidence } from '../../src/promote/confidence.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-02-02T00:00:00.000Z';
const OUTCOMES = Object.keys(CONFIDENCE_STEPS) as DeliveryOutcome[];
const move = (confidence: number, outcome: DeliveryOutcome, needsReview = false) =>
  moveConfidence(makeTestLesson({ confidence, needsReview }), outcome, DEFAULT_SETTINGS, AT);

describe('the confidence of a lesson', () => {
  it('rises with a clean outcome and falls with a failure, more than when it was ignored', () => {
    assert.equal(move(0.7, 'clean')?.confidence, 0.75);
    assert.equal(move(0.7, 'failed_anyway')?.confidence, 0.6);
    assert.equal(move(0.7, 'ignored')?.confidence, 0.65);
  });

  it('stays within 0.1 and 0.95', () => {
    assert.equal(move(0.93, 'clean')?.confidence, 0.95);
    assert.equal(move(0.15, 'failed_anyway')?.confidence, 0.1);
  });

  it('does not change at a bound, nor if nothing could be judged', () => {
    assert.equal(move(0.95, 'clean'), undefined);
    assert.equal(move(0.1, 'failed_anyway'), undefined);
    for (const confidence of [0.7, 0.97, 0.12345]) assert.equal(move(confidence, 'incomplete'), undefined);
  });

  it('below the threshold makes the lesson wait for a person', () => {
    assert.equal(move(0.6, 'failed_anyway')?.needsReview, false);
    assert.equal(move(0.55, 'failed_anyway')?.needsReview, true);
  });

  it('above the threshold again does not release it: only a person does', () => {
    assert.equal(move(0.5, 'clean', true)?.needsReview, true);
  });

  it('changes nothing else but the time', () => {
    const lesson = makeTestLesson({ confidence: 0.7 });
    const moved = moveConfidence(lesson, 'clean', DEFAULT_SETTINGS, AT);
    assert.deepEqual(moved, { ...lesson, confidence: 0.75, updatedAt: AT });
    assert.equal(lesson.confidence, 0.7);
  });

  it('stays within its bounds over any history, without floating-point noise', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 60 }), (history) => {
        let lesson = makeTestLesson({ confidence: 0.7 });
        for (const outcome of history) lesson = moveConfidence(lesson, outcome, DEFAULT_SETTINGS, AT) ?? lesson;
        assert.ok(lesson.confidence >= 0.1 && lesson.confidence <= 0.95);
        assert.equal(lesson.confidence, Math.round(lesson.confidence * 100) / 100);
      }),
    );
  });
});
