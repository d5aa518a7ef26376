import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clearLesson, isRefutable, refuteLesson } from '../../src/promote/refute-lesson.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-02-02T00:00:00.000Z';
const lesson = makeTestLesson({ scope: { kind: 'project', id: 'prj_1' }, status: 'active' });

describe('a lesson that calls contradict', () => {
  it('speaks on after one of them, and becomes a draft with the second in a row', () => {
    const once = refuteLesson(lesson, 'a', AT);
    assert.deepEqual([once?.status, once?.validity.refutedBy], ['active', ['a']]);
    const twice = once && refuteLesson(once, 'b', AT);
    assert.deepEqual([twice?.status, twice?.validity.refutedBy], ['draft', ['a', 'b']]);
  });

  it('counts a call once, whoever tells of it', () => {
    const once = refuteLesson(lesson, 'a', AT);
    assert.ok(once);
    assert.equal(refuteLesson(once, 'a', AT), undefined);
  });

  it('is cleared when the mistake is made again', () => {
    const once = refuteLesson(lesson, 'a', AT);
    assert.ok(once);
    assert.equal(clearLesson(once, AT)?.validity.refutedBy, undefined);
    assert.equal(clearLesson(lesson, AT), undefined);
  });

  it('is not given up so soon when it held in several projects', () => {
    const wide = { ...lesson, scope: { kind: 'user' } } as const;
    const twice = ['a', 'b'].reduce((one, id) => refuteLesson(one, id, AT) ?? one, wide as typeof lesson);
    assert.equal(twice.status, 'active');
    assert.equal(refuteLesson(twice, 'c', AT)?.status, 'draft');
  });

  it('is never one that a person wrote or confirmed, nor one of a single session', () => {
    const learned = { ...lesson, origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' } } as const;
    assert.ok(isRefutable(learned));
    assert.ok(!isRefutable({ ...learned, reviewedBy: 'ada' }));
    assert.ok(!isRefutable({ ...learned, origin: { kind: 'user', by: 'ada', trust: 'stated' } }));
    assert.ok(!isRefutable({ ...learned, status: 'draft' }));
    assert.ok(!isRefutable({ ...learned, scope: { kind: 'session', id: 's' } }));
  });
});
