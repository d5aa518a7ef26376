import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { type Circumstances, noteCircumstances } from '../../src/promote/outdated-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const note = (lesson: Lesson, fields: Partial<Circumstances>): Lesson =>
  noteCircumstances(lesson, { agent: 'claude-code', sessionId: 's1', ...fields }) ?? lesson;

describe('the circumstances in which a lesson is measured', () => {
  const first = note(makeTestLesson({}), { model: 'model-1', agentVersion: '2.1.183' });

  it('are the first ones it was measured in, and a patch release changes nothing', () => {
    assert.deepEqual(first.measure, { on: ['model-1', 'claude-code 2.1'] });
    assert.equal(note(first, { model: 'model-1', agentVersion: '2.1.190' }), first);
    assert.equal(note(first, {}), first);
  });

  it('are new with another model or release; each session there counts once', () => {
    const on = (sessionId: string) => ({ sessionId, model: 'model-2', agentVersion: '2.1.183' });
    const second = note(note(note(first, on('a')), on('a')), on('b'));
    assert.deepEqual(second.measure?.untried, [{ on: 'model-2', sessions: ['a', 'b'] }]);
    const release = note(first, { model: 'model-1', agentVersion: '2.2.0' });
    assert.deepEqual(release.measure?.untried, [{ on: 'claude-code 2.2', sessions: ['s1'] }]);
  });

  it('count the sessions of each new one separately, whatever comes between', () => {
    let lesson = first;
    for (let n = 0; n < 20; n++)
      lesson = note(lesson, {
        ...{ sessionId: `s${n}`, model: n % 2 === 0 ? 'model-2' : 'model-3' },
        agentVersion: n % 3 === 0 ? '2.1.4' : '2.2.0',
      });
    const counts = lesson.measure?.untried?.map(({ on, sessions }) => `${on}: ${sessions.length}`);
    assert.deepEqual(counts, ['model-2: 5', 'model-3: 5', 'claude-code 2.2: 5']);
  });

  it('remember a few new ones, and of these the ones seen again', () => {
    let lesson = note(first, { sessionId: 'a', model: 'model-2' });
    lesson = note(lesson, { sessionId: 'b', model: 'model-2' });
    for (let n = 3; n < 40; n++) lesson = note(lesson, { sessionId: `s${n}`, model: `model-${n}` });
    assert.ok((lesson.measure?.untried ?? []).length <= 6);
    assert.deepEqual(lesson.measure?.untried?.[0], { on: 'model-2', sessions: ['a', 'b'] });
  });

  it('are not new if another agent, or any model, is reported for the first time', () => {
    const other = note(first, { agent: 'codex', agentVersion: '0.9.1' });
    assert.deepEqual(other.measure, { on: ['model-1', 'claude-code 2.1', 'codex 0.9'] });
    const silent = note(makeTestLesson({}), { agentVersion: '2.1.0' });
    assert.deepEqual(note(silent, { model: 'model-1' }).measure?.on, ['claude-code 2.1', 'model-1']);
  });

  it('do not grow while the lesson is measured again; known ones are still counted', () => {
    const retested = { ...first, measure: { ...first.measure, retest: 'x' } };
    assert.equal(note(retested, { model: 'model-3' }), retested);
    const met = { ...first, measure: { ...retested.measure, untried: [{ on: 'model-3', sessions: ['a'] }] } };
    assert.deepEqual(note(met, { model: 'model-3' }).measure?.untried, [{ on: 'model-3', sessions: ['a', 's1'] }]);
  });
});
