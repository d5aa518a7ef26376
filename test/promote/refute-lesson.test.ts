import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { clearLesson, isRefutable, refuteLesson } from '../../src/promote/outdated-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const lesson = makeTestLesson({ scope: { kind: 'project', id: 'prj_1' }, status: 'active' });

const at = (day: number): string => new Date(Date.UTC(2026, 1, day)).toISOString();
const refute = (one: Lesson, callId: string, day: number): Lesson => refuteLesson(one, { callId, at: at(day) }) ?? one;

describe('a lesson that calls contradict', () => {
  it('keeps firing after one of them, and becomes a draft with the second in a row', () => {
    const once = refute(lesson, 'a', 2);
    assert.deepEqual([once.status, once.validity.refutedBy], ['active', [`${at(2)} a`]]);
    const twice = refute(once, 'b', 3);
    assert.deepEqual([twice.status, twice.validity.refutedBy?.length], ['draft', 2]);
  });

  it('counts a call once, whatever its source and time', () => {
    const once = refute(lesson, 'a', 2);
    assert.equal(refuteLesson(once, { callId: 'a', at: at(2) }), undefined);
    assert.equal(refuteLesson(once, { callId: 'a', at: at(3) }), undefined);
  });

  it('is cleared of successes before the mistake was repeated, and of no others', () => {
    const twice = refute(refute(lesson, 'a', 2), 'b', 4);
    assert.equal(twice.status, 'draft');
    const again = clearLesson(twice, at(3));
    assert.deepEqual([again?.status, again?.validity.refutedBy], ['active', [`${at(4)} b`]]);
    assert.equal(clearLesson(twice, at(5))?.validity.refutedBy, undefined);
    assert.equal(clearLesson(twice, at(1)), undefined);
    assert.equal(clearLesson(lesson, at(3)), undefined);
  });

  it('is not contradicted by calls before its own mistake, or before a stored one', () => {
    const [evidence] = lesson.evidence;
    const taught = { ...lesson, evidence: [{ ...evidence, agent: 'x', sessionId: 's', at: at(10) }] };
    assert.equal(refuteLesson(taught, { callId: 'a', at: at(9) }), undefined);
    assert.notEqual(refuteLesson(taught, { callId: 'a', at: at(11) }), undefined);
    assert.equal(refuteLesson(taught, { callId: 'a', at: at(11), failedAt: at(12) }), undefined);
  });

  it('has the same result for any order and repetition of calls and failures', () => {
    const told = [
      ...[2, 4, 6].map((day) => ({ day, tell: (one: Lesson) => refute(one, `w${day}`, day) })),
      ...[3, 5].map((day) => ({ day, tell: (one: Lesson) => clearLesson(one, at(day)) ?? one })),
    ];
    // Each call that worked comes with the last stored failure.
    const failedAt = at(5);
    const tellAll = (all: typeof told): Lesson =>
      all.reduce<Lesson>((one, { day, tell }) => {
        const next = day % 2 === 0 ? refuteLesson(one, { callId: `w${day}`, at: at(day), failedAt }) : tell(one);
        return next ?? one;
      }, lesson);
    fc.assert(
      fc.property(fc.shuffledSubarray([...told, ...told], { minLength: 10 }), (all) => {
        const { status, validity } = tellAll(all);
        assert.deepEqual([status, validity.refutedBy], ['active', [`${at(6)} w6`]]);
      }),
    );
  });

  it('drops what an older version stored without a time', () => {
    const old = { ...lesson, validity: { ...lesson.validity, refutedBy: ['toolu_1'] } };
    assert.deepEqual(refute(old, 'a', 2).validity.refutedBy, [`${at(2)} a`]);
  });

  it('needs more contradictions if it held in several projects', () => {
    const wide: Lesson = { ...lesson, scope: { kind: 'user' } };
    const twice = refute(refute(wide, 'a', 2), 'b', 3);
    assert.equal(twice.status, 'active');
    assert.equal(refute(twice, 'c', 4).status, 'draft');
  });

  it('is never one that a person wrote or confirmed, nor one of a team', () => {
    const learned = { ...lesson, origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' } } as const;
    assert.ok(isRefutable(learned));
    assert.ok(!isRefutable({ ...learned, reviewedBy: 'ada' }));
    assert.ok(!isRefutable({ ...learned, origin: { kind: 'user', by: 'ada', trust: 'stated' } }));
    assert.ok(!isRefutable({ ...learned, origin: { ...learned.origin, trust: 'stated' } }), 'a correction');
    assert.ok(!isRefutable({ ...learned, status: 'draft' }));
    assert.ok(isRefutable(refute(refute(learned, 'a', 2), 'b', 3)), 'what calls silenced can be cleared by calls');
    assert.ok(!isRefutable({ ...learned, scope: { kind: 'team' } }));
  });

  it('is given up at once if it is true of one session, or says that a path does not exist', () => {
    const session = { ...lesson, scope: { kind: 'session', id: 's' } } as const;
    const absent = { ...lesson, tags: ['topic:absent-path'] };
    for (const one of [session, absent]) assert.equal(refute(one, 'a', 2).status, 'draft');
    assert.equal(refute(lesson, 'a', 2).status, 'active');
  });
});
