import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findCaller } from '../../src/agents/hooks.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const AT = '2026-11-15T10:00:00.000Z';

type Payload = Record<string, unknown>;

function read(path: string): Payload {
  return JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'));
}

function list(folder: string): readonly string[] {
  return readdirSync(new URL(folder, FIXTURES)).map((name) => name.replace(/\.json$/, ''));
}

/** As the hook of Claude's settings receives it: the event is the registered one. */
function hear(guest: string, name: string): AgentEvent | undefined {
  const payload = read(`guests/${guest}/${name}.json`);
  return findCaller('claude-code', payload)?.readHook(name.split('.')[0] ?? '', payload, AT);
}

describe('the agent that runs the hooks of Claude’s settings', () => {
  it('is Claude Code for every payload that Claude Code ever sent', () => {
    for (const name of list('claude-code/hooks'))
      assert.equal(findCaller('claude-code', read(`claude-code/hooks/${name}.json`))?.id, 'claude-code', name);
  });

  it('is Claude Code even if it puts a time on its events one day', () => {
    for (const name of list('claude-code/hooks')) {
      const payload = { ...read(`claude-code/hooks/${name}.json`), timestamp: AT };
      assert.equal(findCaller('claude-code', payload)?.id, 'claude-code', name);
    }
  });

  for (const id of ['cursor', 'copilot', 'vscode']) {
    it(`is ${id} for each of its events, never Claude Code`, () => {
      for (const name of list(`guests/${id}`)) {
        assert.equal(findCaller('claude-code', read(`guests/${id}/${name}.json`))?.id, id, name);
        const event = hear(id, name);
        if (event !== undefined) assert.equal(event.agent, id, name);
      }
    });
  }

  for (const stranger of ['codex', 'gemini-cli']) {
    it(`is ignored for ${stranger}, which has hooks of its own`, () => {
      for (const name of list(`guests/${stranger}`))
        assert.equal(findCaller('claude-code', read(`guests/${stranger}/${name}.json`)), undefined, name);
    });
  }

  it('is ignored for an unknown agent', () => {
    assert.equal(findCaller('nobody', {}), undefined);
  });

  it('never throws, whatever the JSON', () => {
    const keys = ['session_id', 'tool_name', 'tool_input', 'tool_output', 'tool_result', 'error', 'source', 'prompt'];
    const marks = ['cursor_version', 'timestamp', 'tool_use_id', 'transcript_path', 'workspace_roots'];
    const payload = fc.dictionary(fc.constantFrom(...keys, ...marks), fc.oneof(fc.jsonValue(), fc.string()));
    const names = fc.constantFrom(
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'SessionStart',
      'UserPromptSubmit',
    );
    fc.assert(
      fc.property(names, fc.oneof(fc.jsonValue(), payload), (name, wire) => {
        findCaller('claude-code', wire)?.readHook(name, wire, AT);
      }),
    );
  });
});

describe('Cursor', () => {
  it('is read before a call and answered in its own format', () => {
    const event = hear('cursor', 'PreToolUse');
    assert.ok(event?.kind === 'call-started');
    assert.deepEqual([event.tool, event.rawTool, event.input.command], ['shell', 'Shell', 'npm tset']);
    assert.deepEqual([event.callId, event.cwd, event.transcriptPath], ['tool_1', '/home/dev/shop', undefined]);
    const caller = findCaller('claude-code', read('guests/cursor/PreToolUse.json'));
    assert.equal(caller?.writeHook({ kind: 'note', to: 'call-started', context: 'x' }), '{"additional_context":"x"}');
  });

  it('gets an empty object for no reply, because it logs empty output as a failed hook', () => {
    assert.equal(findCaller('claude-code', read('guests/cursor/Stop.json'))?.silence, '{}');
  });

  it('reports how a command ended, and nothing is counted if it does not', () => {
    const event = hear('cursor', 'PostToolUse.failed');
    assert.ok(event?.kind === 'call-ended');
    assert.deepEqual(event.result, { isError: false, exitCode: 1, text: 'Unknown command: "tset"', durationMs: 412 });
    assert.equal(hear('cursor', 'PostToolUse.unclear'), undefined);
  });

  it('reports sessions, turns and prompts under the registered event names', () => {
    const kinds = ['SessionStart', 'SessionEnd', 'Stop', 'UserPromptSubmit'].map((name) => hear('cursor', name)?.kind);
    assert.deepEqual(kinds, ['session-started', 'session-ended', 'turn-ended', 'prompted']);
    assert.equal(hear('cursor', 'SessionStart')?.cwd, '/home/dev/shop');
  });
});

describe('Copilot CLI', () => {
  it('is read before a call, which has no id', () => {
    const event = hear('copilot', 'PreToolUse');
    assert.ok(event?.kind === 'call-started');
    assert.equal(event.callId, '');
  });

  it('tells a failing command, which is a success to Copilot, by its exit code; its own log counts the call', () => {
    const event = hear('copilot', 'PostToolUse.failed');
    assert.ok(event?.kind === 'call-returned');
    assert.deepEqual(event.result, { isError: false, exitCode: 1, text: 'Unknown command: "tset"' });
    assert.equal(hear('copilot', 'PostToolUse.open'), undefined);
  });

  it('reads edits and errors', () => {
    const edit = hear('copilot', 'PostToolUse.edit');
    assert.ok(edit?.kind === 'call-returned');
    assert.deepEqual([edit.tool, edit.input.path, edit.input.content], ['edit', '/home/dev/shop/a.ts', '2']);
    const failed = hear('copilot', 'PostToolUseFailure');
    assert.deepEqual(failed?.kind === 'call-returned' && failed.result, { isError: true, text: 'Path does not exist' });
  });

  it('is answered at a session start at the top level, and a sub-agent’s task is not a prompt', () => {
    const caller = findCaller('claude-code', read('guests/copilot/SessionStart.json'));
    assert.equal(caller?.writeHook({ kind: 'note', to: 'session-started', context: 'x' }), '{"additionalContext":"x"}');
    assert.equal(hear('copilot', 'UserPromptSubmit')?.kind, 'prompted');
    assert.equal(hear('copilot', 'UserPromptSubmit.subagent'), undefined);
  });
});

describe('VS Code', () => {
  it('is read before a call and answered like Claude Code', () => {
    const event = hear('vscode', 'PreToolUse');
    assert.ok(event?.kind === 'call-started');
    assert.deepEqual([event.tool, event.callId, event.input.command], ['shell', 'call_9', 'npm tset']);
    const caller = findCaller('claude-code', read('guests/vscode/PreToolUse.json'));
    assert.equal(
      caller?.writeHook({ kind: 'note', to: 'call-started', context: 'x' }),
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x"}}',
    );
  });

  it('counts only what the event states for certain: a written file, not the end of a command', () => {
    const write = hear('vscode', 'PostToolUse.write');
    assert.ok(write?.kind === 'call-ended');
    assert.deepEqual([write.tool, write.input.path, write.result.isError], ['write', '/home/dev/shop/b.ts', false]);
    assert.equal(hear('vscode', 'PostToolUse.shell'), undefined);
  });
});

describe('a call for which an agent runs the hooks of two settings', () => {
  const hearOwn = (agent: string, name: string) => {
    const payload = read(`${agent}/hooks/${name}.json`);
    return findCaller(agent, payload)?.readHook(name.split('.')[0] ?? '', payload, AT);
  };
  const toPlace = (event: AgentEvent | undefined) => [event?.agent, event?.sessionId, event?.contextId];

  it('is one call of one conversation in Cursor, also in a sub-agent', () => {
    for (const name of ['preToolUse.Shell', 'preToolUse.subagent']) {
      const own = hearOwn('cursor', name);
      const guest = findCaller('claude-code', read(`cursor/hooks/${name}.json`))?.readHook(
        'PreToolUse',
        read(`cursor/hooks/${name}.json`),
        AT,
      );
      assert.deepEqual(own, guest, name);
    }
  });

  it('is one conversation in Copilot CLI, also in a sub-agent', () => {
    const main = read('copilot/hooks/preToolUse.bash.json');
    const child = read('copilot/hooks/preToolUse.subagent.json');
    for (const { sessionId, agentId, parentAgentId } of [main, child]) {
      const ids = parentAgentId === undefined ? {} : { agent_id: agentId, parent_agent_id: parentAgentId };
      const payload = { ...read('guests/copilot/PreToolUse.json'), session_id: sessionId, ...ids };
      const guest = findCaller('claude-code', payload)?.readHook('PreToolUse', payload, AT);
      const own = hearOwn('copilot', parentAgentId === undefined ? 'preToolUse.bash' : 'preToolUse.subagent');
      assert.deepEqual(toPlace(own), toPlace(guest));
    }
  });
});
