import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SIGNALS } from '../../src/base/model/finding.ts';
import { DEFAULT_WEIGHTS } from '../../src/base/model/settings.ts';
import { type LessonFacts, toConfidence, toPriority } from '../../src/distill/lessons/score-lesson.ts';

const once: LessonFacts = { signals: [], occurrences: 1, sessions: 1, projects: 1 };
const often: LessonFacts = { ...once, occurrences: 5, sessions: 3, projects: 2 };
describe('scoring a lesson', () => {
  it('starts low for what was seen once', () => {
    assert.equal(toPriority(once, false), 2);
    assert.equal(toConfidence(once), 0.4);
  });

  it('adds for sessions, projects and what was observed', () => {
    assert.equal(toPriority(often, false), 6);
    assert.equal(toPriority({ ...often, signals: SIGNALS }, false), 10);
    assert.equal(toConfidence(often), 0.6);
    assert.equal(toConfidence({ ...once, signals: ['error-fix-success'] }), 0.6);
    assert.equal(toConfidence({ ...often, signals: SIGNALS }), 0.95);
  });

  it('lifts what passed the back-test over the threshold', () => {
    assert.equal(toPriority(once, true), 4);
  });

  it('counts data loss and a silent failure once, and a self-report instead of error, fix and success', () => {
    assert.equal(toPriority({ ...once, signals: ['data-loss', 'silent-failure'] }, false), 3);
    const lower = { ...DEFAULT_WEIGHTS.confidence, selfReportedMin: 0 };
    const both = { ...once, signals: ['error-fix-success', 'self-reported'] as const };
    assert.equal(toConfidence(both, { ...DEFAULT_WEIGHTS, confidence: lower }), 0.65);
  });

  it('trusts what an agent reported itself', () => {
    assert.equal(toConfidence({ ...once, signals: ['self-reported'] }), 0.85);
    assert.equal(toPriority({ ...once, signals: ['self-reported'] }, false), 3);
  });

  it('adds a little for retry loops, hangs and diagnoses', () => {
    assert.equal(toConfidence({ ...once, signals: ['retry-loop'] }), 0.5);
    assert.equal(toConfidence({ ...once, signals: ['self-diagnosis', 'hang'] }), 0.55);
  });

  it('makes corrections about what cannot be taken back CRITICAL, about quality HIGH', () => {
    const corrected = { ...once, signals: ['user-corrected'] as const };
    assert.equal(toPriority({ ...corrected, impact: 'impact' }, false), 9);
    assert.equal(toPriority({ ...corrected, impact: 'quality' }, false), 7);
    assert.equal(toPriority({ ...once, impact: 'impact' }, false), 2);
  });

  it('makes CRITICAL what was repeated twice although it was known', () => {
    assert.equal(toPriority({ ...often, repeats: 1 }, true), 6);
    assert.equal(toPriority({ ...often, repeats: 2 }, true), 9);
  });

  it('takes other weights', () => {
    const weights = { ...DEFAULT_WEIGHTS, priority: { ...DEFAULT_WEIGHTS.priority, base: 7 } };
    assert.equal(toPriority(often, false, weights), 10);
  });

  it('stays within its bounds', () => {
    const count = fc.nat(1000);
    const facts = fc.record({
      signals: fc.array(fc.constantFrom(...SIGNALS)),
      occurrences: count,
      sessions: count,
      projects: count,
    });
    fc.assert(
      fc.property(facts, fc.boolean(), (some, isActive) => {
        const [priority, confidence] = [toPriority(some, isActive), toConfidence(some)];
        return priority >= 1 && priority <= 10 && confidence >= 0.1 && confidence <= 0.95;
      }),
    );
  });
});
