import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { scoreLesson } from '../../src/match/match-lessons.ts';

const total = (triggers: Triggers, priority: number) => scoreLesson({ triggers, priority }).total;

describe('the score of a lesson', () => {
  const both: Triggers = { tools: ['shell'], programs: [{ name: 'gh' }] };

  it('is the sum of its parts times its priority', () => {
    assert.deepEqual(
      [10, 9, 8, 7, 6, 4, 3, 1].map((priority) => total(both, priority)),
      [1.8, 1.8, 1.35, 1.35, 0.9, 0.9, 0.45, 0.45],
    );
  });

  it('gives half for a part that the lesson does not restrict', () => {
    assert.equal(total({ tools: ['edit'] }, 5), 0.7);
    assert.equal(total({ programs: [{ name: 'gh' }] }, 5), 0.7);
    assert.equal(total({}, 5), 0.5);
  });

  it('counts a command text, a path or new text as a target like a program', () => {
    for (const target of [{ command: { match: ['x'] } }, { paths: ['x'] }, { content: { match: ['x'] } }])
      assert.equal(total({ tools: ['edit'], ...target }, 5), 0.9);
  });

  it('never counts a sub-agent as a tool or target', () => {
    assert.equal(total({ subagents: ['x'] }, 5), 0.5);
  });

  it('lists its parts', () => {
    assert.deepEqual(scoreLesson({ triggers: both, priority: 7 }), {
      total: 1.35,
      level: 'HIGH',
      parts: { tool: 0.4, target: 0.4, action: 0.05, context: 0.05, priority: 1.5, measured: 1 },
    });
  });

  it('gives the full weight to keywords that the lesson requires', () => {
    assert.equal(total({ ...both, actionKeywords: ['release'] }, 5), 0.95);
    assert.equal(total({ ...both, actionKeywords: ['release'], contextKeywords: ['npm'] }, 5), 1);
  });

  it('is multiplied by the measured factor of the lesson', () => {
    const score = scoreLesson({ triggers: both, priority: 5, measured: 0.7 });
    assert.deepEqual([score.total, score.parts.measured], [0.63, 0.7]);
  });

  it('counts a lesson about a language of the project as one priority higher', () => {
    const lesson = { triggers: both, priority: 6, langs: ['python'] };
    assert.equal(scoreLesson(lesson, ['go']).total, 0.9);
    assert.equal(scoreLesson(lesson, ['go', 'python']).total, 1.35);
    assert.equal(scoreLesson({ ...lesson, priority: 10 }, ['python']).total, 1.8);
  });

  it('never falls when the priority rises', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 10, noNaN: true }), fc.double({ min: 1, max: 10, noNaN: true }), (a, b) =>
        assert.ok(total(both, Math.max(a, b)) >= total(both, Math.min(a, b))),
      ),
    );
  });
});
