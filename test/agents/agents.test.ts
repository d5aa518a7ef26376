import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutText, toCanonicalTool } from '../../src/agents/calls.ts';
import { CALL_FACTS } from '../../src/agents/claude-code/calls.ts';
import { ADAPTERS, findAdapter } from '../../src/agents/hooks.ts';
import { isToolName } from '../../src/base/model/tool.ts';

describe('the list of agents', () => {
  it('finds an agent by its id', () => {
    assert.equal(findAdapter('claude-code')?.facts.name, 'Claude Code');
    assert.equal(findAdapter('nobody'), undefined);
  });

  it('has each id once', () => {
    assert.equal(new Set(ADAPTERS.map((agent) => agent.facts.id)).size, ADAPTERS.length);
  });
});

describe('Claude Code tool names', () => {
  const rows = [
    ['Bash', 'shell'],
    ['PowerShell', 'shell'],
    ['MultiEdit', 'edit'],
    ['NotebookEdit', 'edit'],
    ['Write', 'write'],
    ['Read', 'read'],
    ['Glob', 'glob'],
    ['Grep', 'grep'],
    ['Agent', 'task'],
    ['Task', 'task'],
    ['WebFetch', 'web'],
    ['mcp__linear-server__get_issue', 'mcp:linear-server/get_issue'],
    ['mcp__a__b__c', 'mcp:a/b__c'],
    ['mcp__broken', 'other'],
    ['TodoWrite', 'other'],
    ['constructor', 'other'],
  ] as const;
  for (const [raw, tool] of rows) {
    it(`${raw} is ${tool}`, () => {
      assert.equal(toCanonicalTool(CALL_FACTS, raw), tool);
      assert.ok(isToolName(tool));
    });
  }
});

describe('a long text', () => {
  it('keeps both ends, is never longer than the window and never cuts a word in two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', 'error:', '\n', 'x'), { minLength: 300, maxLength: 900 }),
        (words) => {
          const text = words.join(' ');
          const cut = cutText(text, 400);
          assert.ok(cut.length <= 400);
          assert.equal(cut.slice(0, 50), text.slice(0, 50));
          assert.equal(cut.slice(-50), text.slice(-50));
          for (const word of cut.split(/\s+/)) assert.ok(['word', 'error:', 'x', '', '[…]'].includes(word), word);
        },
      ),
    );
  });
});
