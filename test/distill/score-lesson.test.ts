import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Signal } from '../../src/base/finding.ts';
import { DEFAULT_WEIGHTS, type LessonFacts, toConfidence, toPriority } from '../../src/distill/score-lesson.ts';

const once: LessonFacts = { signals: [], occurrences: 1, sessions: 1, projects: 1 };
const often: LessonFacts = { ...once, occurrences: 5, sessions: 3, projects: 2 };
const SIGNALS: readonly Signal[] = [
  'error-fix-success',
  'fix-confirmed',
  'hang',
  'silent-failure',
  'user-corrected',
  'causal-words',
];

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
