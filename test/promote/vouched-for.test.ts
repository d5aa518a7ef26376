/** A CRITICAL lesson that a person wrote or approved keeps firing, whatever is measured. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { makeNoTrials } from '../../src/base/statistics/delivery-counts.ts';
import { mergeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { listFiring } from '../../src/keep/manifest/compile-manifest.ts';
import { giveFeedback, moveConfidence } from '../../src/promote/confidence.ts';
import { decideLesson } from '../../src/promote/decide-lesson.ts';
import { expireLesson } from '../../src/promote/lesson-states.ts';
import { isRefutable } from '../../src/promote/outdated-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-03-01T00:00:00.000Z';
const imported = { kind: 'import', by: 'import/rules', trust: 'foreign' } as const;
const WRITTEN = makeTestLesson({ priority: 9, confidence: 0.5 });
const APPROVED = makeTestLesson({ priority: 10, confidence: 0.5, origin: imported, reviewedBy: 'user:ann' });
const HIGH = makeTestLesson({ priority: 8, confidence: 0.5 });
const UNSEEN = makeTestLesson({ priority: 9, confidence: 0.5, origin: imported });

const ignore = (lesson: Lesson): Lesson => {
  let moved = lesson;
  for (let n = 0; n < 10; n++) moved = moveConfidence(moved, 'ignored', DEFAULT_SETTINGS, AT) ?? moved;
  return moved;
};
const mayFire = (lesson: Lesson): boolean =>
  listFiring({ lessons: [lesson], aliases: [], settings: DEFAULT_SETTINGS, now: AT }).length > 0;

describe('a CRITICAL lesson that a person wrote or approved', () => {
  it('loses confidence if it is ignored, and still fires', () => {
    for (const lesson of [WRITTEN, APPROVED]) {
      assert.equal(ignore(lesson).confidence, 0.1);
      assert.equal(ignore(lesson).needsReview, false);
      assert.equal(mayFire(ignore(lesson)), true);
    }
    for (const lesson of [HIGH, UNSEEN]) assert.equal(ignore(lesson).needsReview, true);
    assert.equal(mayFire({ ...HIGH, confidence: 0.1 }), false);
  });

  it('is neither doubted nor archived by its trials', () => {
    const bad = { judged: 40, again: 40, failed: 40 };
    const trials = {
      ...makeNoTrials('les_1'),
      ...{ shown: 80, note: bad, acting: bad, withheld: { judged: 40, again: 0, failed: 0 } },
      ...{ verdicts: { clean: 0, ignored: 40, failedAnyway: 40 }, own: { failed: 0, worked: 80 } },
    };
    const failures = { interval: [-1, -0.5], helps: 0, worth: 0 } as never;
    const evidence = { trials, effect: failures, failures, isWaiting: false, mayWithhold: true };
    const isSilent = (lesson: Lesson): boolean => {
      const after = decideLesson(lesson, evidence, AT)?.lesson ?? lesson;
      return after.needsReview || after.status !== 'active';
    };
    for (const lesson of [WRITTEN, APPROVED]) assert.equal(isSilent(lesson), false);
    assert.equal(isSilent(HIGH), true);
  });

  it("is lowered by a person's complaint, but not silenced by an agent's", () => {
    const voice = { id: 'fbk_1', by: 'x', verdict: 'not-helpful', at: AT, command: 'cmd_1' } as const;
    const hear = (lesson: Lesson, from: 'user' | 'agent') =>
      giveFeedback({ lesson, feedback: [], history: [] }, { ...voice, from }, DEFAULT_SETTINGS)?.update?.lesson
        .needsReview;
    assert.equal(hear(WRITTEN, 'agent'), false);
    assert.equal(hear(HIGH, 'agent'), true);
    assert.equal(hear(WRITTEN, 'user'), true);
  });

  it('is not silenced because its mistake was seen again and its trigger tested again', () => {
    const learned = { kind: 'episode', by: 'distill/x@1', trust: 'observed' } as const;
    const finding = {
      ...{ detector: 'distill/x@1', kind: 'corrected-command', agent: 'claude-code', sessionId: 's2', steps: 1 },
      ...{ projectId: 'prj_a', failingCallId: 'f', fixingCallId: 'g', intentKey: 'gh', summary: 's', mistake: 'm' },
      ...{ remediation: 'r', triggers: WRITTEN.triggers, tags: [], signals: [] },
      signature: { id: 'sig', version: 1, template: 't', program: 'gh' },
      evidence: { agent: 'claude-code', sessionId: 's2', at: AT, excerpt: 'x' },
    } as const satisfies Finding;
    const gate = { verdict: 'draft', hits: 0, falseAlarms: 9 } as const;
    const see = (lesson: Lesson) => mergeLesson({ ...lesson, confidence: 0.2 }, finding, AT, gate);
    for (const lesson of [WRITTEN, APPROVED]) {
      const { status, needsReview, occurrences } = see(lesson);
      assert.deepEqual([status, needsReview, occurrences], ['active', false, lesson.occurrences + 1]);
    }
    assert.equal(see({ ...HIGH, origin: learned }).status, 'draft');
  });

  it('is not refuted by calls that work, and does not age', () => {
    const learned = { kind: 'episode', by: 'distill/repair@1', trust: 'observed' } as const;
    const lesson = { ...APPROVED, origin: learned };
    assert.equal(isRefutable(lesson), false);
    const far = Date.parse('2036-01-01T00:00:00.000Z');
    for (const one of [WRITTEN, APPROVED, lesson]) assert.equal(expireLesson(one, DEFAULT_SETTINGS, far), undefined);
  });
});
