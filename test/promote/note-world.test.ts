import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/lesson.ts';
import { noteWorld, type World } from '../../src/promote/note-world.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const note = (lesson: Lesson, fields: Partial<World>): Lesson =>
  noteWorld(lesson, { agent: 'claude-code', sessionId: 's1', ...fields }) ?? lesson;

describe('the world that a lesson is judged in', () => {
  const first = note(makeTestLesson({}), { model: 'model-1', agentVersion: '2.1.183' });

  it('is what it was first judged on, and a patch of that changes nothing', () => {
    assert.deepEqual(first.measure, { on: ['model-1', 'claude-code 2.1'] });
    assert.equal(note(first, { model: 'model-1', agentVersion: '2.1.190' }), first);
    assert.equal(note(first, {}), first);
  });

  it('is another with another model or release; each session of that counts once', () => {
    const on = (sessionId: string) => ({ sessionId, model: 'model-2', agentVersion: '2.1.183' });
    const second = note(note(note(first, on('a')), on('a')), on('b'));
    assert.deepEqual(second.measure?.unproven, { on: 'model-2', sessions: ['a', 'b'] });
    const release = note(first, { model: 'model-1', agentVersion: '2.2.0' });
    assert.equal(release.measure?.unproven?.on, 'claude-code 2.2');
  });

  it('is no other one where another agent, or a model at all, is told for the first time', () => {
    const other = note(first, { agent: 'codex', agentVersion: '0.9.1' });
    assert.deepEqual(other.measure, { on: ['model-1', 'claude-code 2.1', 'codex 0.9'] });
    const silent = note(makeTestLesson({}), { agentVersion: '2.1.0' });
    assert.deepEqual(note(silent, { model: 'model-1' }).measure?.on, ['claude-code 2.1', 'model-1']);
  });

  it('says nothing new while it is measured anew', () => {
    const retested = { ...first, measure: { ...first.measure, retest: 'x' } };
    assert.equal(note(retested, { model: 'model-3' }), retested);
  });
});
