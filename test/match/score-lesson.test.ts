import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Triggers } from '../../src/base/trigger.ts';
import { scoreLesson } from '../../src/match/score-lesson.ts';

const total = (triggers: Triggers, priority: number) => scoreLesson({ triggers, priority }).total;

describe('the score of a lesson', () => {
  const both: Triggers = { tools: ['shell'], programs: [{ name: 'gh' }] };

  it('is the sum of its parts times its priority', () => {
    assert.deepEqual(
      [10, 9, 8, 7, 6, 4, 3, 1].map((priority) => total(both, priority)),
      [1.8, 1.8, 1.35, 1.35, 0.9, 0.9, 0.45, 0.45],
    );
  });

  it('gives half for what the lesson does not restrict', () => {
    assert.equal(total({ tools: ['edit'] }, 5), 0.7);
    assert.equal(total({ programs: [{ name: 'gh' }] }, 5), 0.7);
    assert.equal(total({}, 5), 0.5);
  });

  it('counts a command text, a path or new text as a target like a program', () => {
    for (const target of [{ command: { match: ['x'] } }, { paths: ['x'] }, { content: { match: ['x'] } }])
      assert.equal(total({ tools: ['edit'], ...target }, 5), 0.9);
  });

  it('never counts a sub-agent as tool or target', () => {
    assert.equal(total({ subagents: ['x'] }, 5), 0.5);
  });

  it('says what it is made of', () => {
    assert.deepEqual(scoreLesson({ triggers: both, priority: 7 }), {
      total: 1.35,
      parts: { tool: 0.4, target: 0.4, keywords: 0.1, priority: 1.5 },
    });
  });

  it('never falls when the priority rises', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 10, noNaN: true }), fc.double({ min: 1, max: 10, noNaN: true }), (a, b) =>
        assert.ok(total(both, Math.max(a, b)) >= total(both, Math.min(a, b))),
      ),
    );
  });
});
