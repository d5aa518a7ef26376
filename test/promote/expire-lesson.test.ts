import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { expireLesson } from '../../src/promote/lesson-states.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AGES = { drafts: { expireDays: 30 }, unused: { archiveDays: 180 } };
const MADE = '2026-01-01T00:00:00.000Z';
const afterDays = (days: number): number => Date.parse(MADE) + days * 24 * 60 * 60_000;
const learned = (fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({ origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' }, ...fields });

describe('the age of a lesson', () => {
  it('archives a draft that nobody reviewed, after 30 days, with the reason', () => {
    const draft = learned({ status: 'draft' });
    assert.equal(expireLesson(draft, AGES, afterDays(29.9)), undefined);
    const expired = expireLesson(draft, AGES, afterDays(30));
    assert.equal(expired?.status, 'archived');
    assert.deepEqual(expired?.archival, {
      cause: 'expired',
      reason: 'a draft that nobody reviewed in 30 days',
      from: 'draft',
    });
  });

  it('archives an active lesson that neither fired nor changed, after 180 days', () => {
    assert.equal(expireLesson(learned(), AGES, afterDays(179)), undefined);
    assert.equal(expireLesson(learned(), AGES, afterDays(180))?.archival?.cause, 'unused');
  });

  it('starts again with every match and every change', () => {
    const later = new Date(afterDays(100)).toISOString();
    for (const fields of [{ lastMatchedAt: later }, { updatedAt: later }]) {
      assert.equal(expireLesson(learned(fields), AGES, afterDays(279)), undefined);
      assert.ok(expireLesson(learned(fields), AGES, afterDays(280)));
    }
  });

  it('never affects a lesson that a person wrote, edited or confirmed, nor an archived one', () => {
    const kept = [
      makeTestLesson({}),
      learned({ reviewedBy: 'user:ann' }),
      learned({ status: 'draft', reviewedBy: 'user:ann' }),
      learned({ status: 'archived' }),
    ];
    for (const lesson of kept) assert.equal(expireLesson(lesson, AGES, afterDays(10_000)), undefined);
  });

  it('does not matter if the setting is 0', () => {
    const never = { drafts: { expireDays: 0 }, unused: { archiveDays: 0 } };
    for (const status of ['draft', 'active'] as const)
      assert.equal(expireLesson(learned({ status }), never, afterDays(10_000)), undefined);
  });
});
