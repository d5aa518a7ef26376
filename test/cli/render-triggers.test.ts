import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderTriggers } from '../../src/surfaces/cli/render-triggers.ts';

describe('a trigger in words', () => {
  const text = { match: ['x'] };
  it('never says "every call" where a text decides', () => {
    assert.equal(renderTriggers({ tools: ['shell'], command: text }), 'certain commands');
    assert.equal(renderTriggers({ tools: ['shell'], line: text }), 'certain command lines');
    assert.equal(renderTriggers({ tools: ['mcp:a:b'], input: text }), 'certain input');
    assert.equal(renderTriggers({ tools: ['edit'], content: text }), 'certain new text');
    assert.equal(renderTriggers({ paths: ['*.md'], input: text }), 'certain input, file `*.md`');
    assert.equal(renderTriggers({ tools: ['shell'] }), 'every shell call');
  });

  it('names the program alone where there is one', () => {
    assert.equal(renderTriggers({ tools: ['shell'], programs: [{ name: 'gh' }], line: text }), '`gh`');
  });
});
