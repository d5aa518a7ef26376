import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderAllTriggers, renderTriggers } from '../../src/base/triggers/render-triggers.ts';

describe('a trigger in words', () => {
  const text = { match: ['x'] };
  it('never says "every call" if a pattern decides', () => {
    assert.equal(renderTriggers({ tools: ['shell'], command: text }), 'certain commands');
    assert.equal(renderTriggers({ tools: ['shell'], line: text }), 'certain command lines');
    assert.equal(renderTriggers({ tools: ['mcp:a:b'], input: text }), 'certain input');
    assert.equal(renderTriggers({ tools: ['edit'], content: text }), 'certain new text');
    assert.equal(renderTriggers({ paths: ['*.md'], input: text }), 'certain input, file `*.md`');
    assert.equal(renderTriggers({ tools: ['shell'] }), 'every shell call');
  });

  it('adds keywords and workflows after the subject', () => {
    const triggers = { tools: ['shell'], actionKeywords: ['release', 'force push'], workflows: ['ship'] } as const;
    assert.equal(
      renderTriggers(triggers),
      'every shell call, while ship is followed, when "release" or "force push" is said',
    );
    assert.equal(renderTriggers({ paths: ['*.md'], contextKeywords: ['docs'] }), 'file `*.md`, when "docs" is said');
  });

  it('contains every exception', () => {
    const unless = {
      tools: ['web'],
      programs: [{ name: 'nvm', sub: ['use'] }],
      paths: ['gen/**'],
      subagents: ['tester'],
      workflows: ['try'],
      keywords: ['later'],
    } as const;
    assert.equal(
      renderAllTriggers({ programs: [{ name: 'npm' }], unless }),
      '`npm`, not a web, not with `nvm use`, not file `gen/**`, not sub-agent tester, not while following try, not when one says "later"',
    );
  });

  it('names only the program if there is one', () => {
    assert.equal(renderTriggers({ tools: ['shell'], programs: [{ name: 'gh' }], line: text }), '`gh`');
  });
});
