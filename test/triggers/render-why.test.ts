import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderWhy } from '../../src/base/triggers/render-triggers.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';

describe('the reason why a lesson fired', () => {
  const gh = { name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } };
  const cases: readonly (readonly [Triggers, string])[] = [
    [{ tools: ['shell'], programs: [gh] }, 'program gh pr diff, option --stat'],
    [{ programs: [{ name: 'npm' }, { name: 'pnpm' }, { name: 'npm' }] }, 'program npm or pnpm'],
    [{ tools: ['edit'], paths: ['*.sql'], content: { match: ['drop'] } }, 'path *.sql, new text'],
    [{ command: { match: ['x'] }, directory: 'argument' }, 'folder, command text'],
    [{ tools: ['write', 'edit'] }, 'tool write or edit'],
    [{ tools: ['task'], subagents: ['planner'], actionKeywords: ['release'] }, 'sub-agent planner, word release'],
    [{ tools: ['edit'], paths: ['VERSION'], actionKeywords: ['deploy'] }, 'path VERSION'],
    [{}, 'any call'],
  ];
  for (const [triggers, why] of cases) it(why, () => assert.equal(renderWhy(triggers), why));

  it('is short, and ends after a whole word', () => {
    const why = renderWhy({ paths: ['src/a.ts', 'src/b.ts', '😀'.repeat(200)] });
    assert.equal(why, 'path src/a.ts or src/b.ts or …');
    assert.equal(renderWhy({ paths: ['😀'.repeat(200)] }), 'path …');
  });
});
