import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TrackRecord } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { findMeasuredFactor, type QuietQuestion, toQuietUntil } from '../../src/measure/delivery-share.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const toMeasuredFactor = (counts: Pick<TrackRecord, 'judged' | 'clean'>, fields: Partial<Lesson> = {}) =>
  findMeasuredFactor(makeTestLesson(fields), { lessonId: 'les_1', ...counts });

describe('the measured factor of a lesson', () => {
  it('is unknown before five deliveries were judged', () => {
    assert.equal(toMeasuredFactor({ judged: 4, clean: 0 }), undefined);
  });

  it('is 0.5 plus the share of clean ones', () => {
    assert.equal(toMeasuredFactor({ judged: 5, clean: 0 }), 0.5);
    assert.equal(toMeasuredFactor({ judged: 6, clean: 4 }), 1.167);
    assert.equal(toMeasuredFactor({ judged: 8, clean: 8 }), 1.5);
  });

  it('does not apply to a lesson that was raised or is measured again, nor against one that a person vouches for', () => {
    const bad = { judged: 5, clean: 0 };
    assert.equal(toMeasuredFactor(bad, { measure: { raised: 'x' } }), undefined);
    assert.equal(toMeasuredFactor(bad, { measure: { retest: 'x' } }), undefined);
    assert.equal(toMeasuredFactor(bad, { priority: 9 }), 1);
  });

  it('is between 0.5 and 1.5, and never falls with a clean delivery', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (clean, bad) => {
        const factor = toMeasuredFactor({ judged: clean + bad, clean });
        const better = toMeasuredFactor({ judged: clean + bad + 1, clean: clean + 1 });
        if (factor === undefined || better === undefined) return;
        assert.ok(factor >= 0.5 && factor <= 1.5 && better >= factor);
      }),
    );
  });
});

describe('a lesson that agents follow', () => {
  const record = { lessonId: 'les_1', judged: 3, clean: 3, lastCleanAt: '2026-03-01T10:00:00.000Z' };
  const quiet = (changed: Partial<TrackRecord>, asked: Partial<QuietQuestion> = {}) =>
    toQuietUntil({ record: { ...record, ...changed }, mayWithhold: false, now: '2026-03-01T12:00:00.000Z', ...asked });

  it('is quiet for a day after it was last followed', () => {
    assert.equal(quiet({}), '2026-03-02T10:00:00.000Z');
  });

  it('fires until it is known to help, if it may be withheld, because a quiet lesson is not measured', () => {
    assert.equal(quiet({}, { mayWithhold: true }), undefined);
    assert.equal(quiet({}, { mayWithhold: true, effect: { interval: [-0.1, 0.5] } }), undefined);
    assert.equal(quiet({}, { mayWithhold: true, effect: { interval: [-0.5, -0.1] } }), undefined);
    assert.notEqual(quiet({}, { mayWithhold: true, effect: { interval: [0.1, 0.5] } }), undefined);
  });

  it('fires again once the mistake was made while it was quiet', () => {
    assert.equal(quiet({}, { lastMissedAt: '2026-03-01T11:00:00.000Z' }), undefined);
    assert.notEqual(quiet({}, { lastMissedAt: '2026-03-01T09:00:00.000Z' }), undefined);
  });

  it('ignores times in the future, which come from a wrong clock', () => {
    assert.equal(quiet({ lastCleanAt: '2027-04-05T10:00:00.000Z' }), undefined);
    assert.equal(quiet({ lastFailedAt: '2027-04-05T10:00:00.000Z' }), '2026-03-02T10:00:00.000Z');
    assert.equal(quiet({}, { lastMissedAt: '2027-04-05T10:00:00.000Z' }), '2026-03-02T10:00:00.000Z');
  });

  it('fires as long as it was followed too rarely', () => {
    assert.equal(quiet({ judged: 2, clean: 2 }), undefined);
    assert.equal(quiet({ judged: 4, lastFailedAt: '2026-01-01T00:00:00.000Z' }), undefined);
  });

  it('fires again once the mistake was repeated', () => {
    const often = { judged: 11, clean: 10 };
    assert.equal(quiet({ ...often, lastFailedAt: '2026-03-01T11:00:00.000Z' }), undefined);
    assert.notEqual(quiet({ ...often, lastFailedAt: '2026-03-01T09:00:00.000Z' }), undefined);
  });
});
