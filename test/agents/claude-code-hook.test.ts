import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';

const FIXTURES = new URL('../fixtures/claude-code/hooks/', import.meta.url);
const AT = '2026-11-15T10:00:00.000Z';

type Payload = Record<string, unknown>;

function fixture(name: string): Payload {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'));
}

function read(payload: Payload): AgentEvent | undefined {
  return claudeCode.readHook('', payload, AT);
}

function readAs<K extends AgentEvent['kind']>(kind: K, payload: Payload): EventOf<K> {
  const event = read(payload);
  assert.equal(event?.kind, kind);
  return event as EventOf<K>;
}

describe('Claude Code hooks, as recorded', () => {
  it('contain agent, place and time', () => {
    const wire = fixture('PreToolUse.Bash');
    const { agent, sessionId, contextId, at, source, cwd, transcriptPath } = readAs('call-started', wire);
    assert.deepEqual(
      { agent, sessionId, contextId, at, source, cwd },
      {
        agent: 'claude-code',
        sessionId: wire.session_id,
        contextId: '',
        at: AT,
        source: 'hook',
        cwd: '/home/dev/project',
      },
    );
    assert.equal(transcriptPath, wire.transcript_path);
  });

  it('reads the command of a shell call before it runs', () => {
    const event = readAs('call-started', fixture('PreToolUse.Bash'));
    assert.equal(event.tool, 'shell');
    assert.equal(event.rawTool, 'Bash');
    assert.equal(event.input.command, 'echo bash-ok');
    assert.equal(event.subagentType, undefined);
    assert.match(event.callId, /^toolu_/);
  });

  it('reads path and new text of an edit and of a write', () => {
    const edit = readAs('call-started', fixture('PreToolUse.Edit')).input;
    assert.deepEqual([edit.path, edit.content, edit.command], ['/home/dev/project/hello.txt', 'moon', undefined]);
    const write = readAs('call-started', fixture('PreToolUse.Write')).input;
    assert.deepEqual([write.path, write.content], ['/home/dev/project/new.txt', 'fresh\n']);
  });

  it('identify the calls of a sub-agent by its id and type', () => {
    const event = readAs('call-started', fixture('PreToolUse.Bash.subagent'));
    assert.match(event.contextId, /^a[0-9a-f]+$/);
    assert.equal(event.subagentType, 'general-purpose');
  });

  it('does not take a main conversation that was started as an agent for a sub-agent, and names the agent', () => {
    const event = readAs('call-started', { ...fixture('PreToolUse.Bash'), agent_type: 'reviewer' });
    assert.deepEqual([event.contextId, event.subagentType, event.startedAs], ['', undefined, 'reviewer']);
    assert.equal(readAs('call-started', fixture('PreToolUse.Bash.subagent')).startedAs, undefined);
  });

  it('reads a successful command with exit code 0, its output and its duration', () => {
    const { result } = readAs('call-ended', fixture('PostToolUse.Bash'));
    assert.deepEqual(result, { isError: false, exitCode: 0, text: 'bash-ok', durationMs: 37 });
  });

  it('gives no exit code to a command in the background or to a search without matches', () => {
    for (const name of ['PostToolUse.Bash.background', 'PostToolUse.Bash.no-match']) {
      const { result } = readAs('call-ended', fixture(name));
      assert.deepEqual([result.isError, result.exitCode, result.cancelled], [false, undefined, undefined], name);
    }
  });

  it('does not take the content of an edited file for output', () => {
    for (const name of ['PostToolUse.Edit', 'PostToolUse.Write']) {
      assert.equal(readAs('call-ended', fixture(name)).result.text, '', name);
    }
    assert.equal(readAs('call-ended', fixture('PostToolUse.Read')).result.text, 'hello\nworld\n');
    assert.equal(readAs('call-ended', fixture('PostToolUse.Glob')).result.text, 'sub/x.txt\nhello.txt\nnew.txt');
    assert.equal(readAs('call-ended', fixture('PostToolUse.Agent')).result.text, 'sub result');
  });

  it('reads the exit code and the output of a failing command', () => {
    const { result } = readAs('call-ended', fixture('PostToolUseFailure.Bash'));
    assert.equal(result.exitCode, 2);
    assert.equal(result.isError, true);
    assert.match(result.text, /^out-before\nls: unrecognized option '--colour-me'/);
    const read = readAs('call-ended', fixture('PostToolUseFailure.Read')).result;
    assert.deepEqual([read.isError, read.exitCode], [true, undefined]);
  });

  it('takes an interrupt for a cancelled call', () => {
    const { result } = readAs('call-ended', { ...fixture('PostToolUseFailure.Bash'), is_interrupt: true });
    assert.equal(result.cancelled, true);
  });

  it('reads every call of a batch, and from the text which of them failed', () => {
    const { calls } = readAs('batch-ended', fixture('PostToolBatch.parallel'));
    assert.deepEqual(
      calls.map(({ tool, result }) => [tool, result.isError, result.exitCode]),
      [
        ['shell', false, undefined],
        ['shell', true, 2],
        ['read', false, undefined],
      ],
    );
  });

  it('finds in a batch the errors without an event of their own', () => {
    for (const name of ['Edit', 'Read', 'NoSuchTool']) {
      const [call] = readAs('batch-ended', fixture(`PostToolBatch.${name}.error`)).calls;
      assert.equal(call?.result.isError, true, name);
      assert.doesNotMatch(call?.result.text ?? '', /tool_use_error/);
    }
  });

  it('finds in a batch the refusals by a person, a rule or a hook', () => {
    for (const name of ['approval', 'rule', 'write', 'hook']) {
      const [call] = readAs('batch-ended', fixture(`PostToolBatch.denied.${name}`)).calls;
      assert.deepEqual(call?.result.denied, { by: name === 'hook' ? 'hook' : 'rule' }, name);
    }
  });

  it('reads calls of MCP servers, and of tools that are neither shell nor file', () => {
    assert.equal(readAs('call-started', fixture('PreToolUse.mcp')).tool, 'mcp:demo/echo');
    assert.equal(readAs('call-ended', fixture('PostToolUse.mcp')).result.text, 'echo: hi');
    const failed = readAs('call-ended', fixture('PostToolUseFailure.mcp')).result;
    assert.deepEqual(failed, { isError: true, text: 'MCP-FAILED', durationMs: 7 });
    for (const name of ['Skill', 'TaskCreate', 'ToolSearch']) {
      const { tool, rawTool } = readAs('call-ended', fixture(`PostToolUse.${name}`));
      assert.deepEqual([tool, rawTool], ['other', name]);
    }
  });

  it('distinguishes a start in the background from an end, without an exit code and without the start time', () => {
    for (const name of ['Bash', 'Agent']) {
      const { result } = readAs('call-ended', fixture(`PostToolUse.${name}.background`));
      assert.deepEqual([result.background, result.exitCode, result.durationMs], [true, undefined, undefined], name);
    }
  });

  it('reads the end of a background task from its notification', () => {
    const done = readAs('background-ended', fixture('UserPromptSubmit.notification'));
    assert.deepEqual([done.tool, done.result], ['shell', { isError: false, exitCode: 0, text: '' }]);
    const failed = readAs('background-ended', fixture('UserPromptSubmit.notification.failed'));
    assert.deepEqual([failed.callId, failed.result], [done.callId, { isError: true, exitCode: 3, text: '' }]);
    const agent = readAs('background-ended', fixture('UserPromptSubmit.notification.agent'));
    assert.deepEqual([agent.tool, agent.result], ['task', { isError: false, text: '', durationMs: 550 }]);
    assert.equal(agent.callId, fixture('PostToolUse.Agent.background').tool_use_id);
  });

  it('reads how a session starts and why it ends', () => {
    assert.equal(readAs('session-started', fixture('SessionStart.startup')).start, 'startup');
    assert.equal(readAs('session-started', fixture('SessionStart.resume')).start, 'resume');
    assert.equal(readAs('session-started', fixture('SessionStart.compact')).start, 'compact');
    assert.equal(readAs('session-started', { ...fixture('SessionStart.startup'), source: 'dream' }).start, 'unknown');
    assert.equal(readAs('session-ended', fixture('SessionEnd')).reason, 'other');
  });

  it('reads turns, prompts, sub-agents and compaction', () => {
    assert.equal(readAs('prompted', fixture('UserPromptSubmit')).text, 'please work');
    assert.equal(read(fixture('Stop'))?.kind, 'turn-ended');
    assert.equal(readAs('subagent-started', fixture('SubagentStart')).subagentType, 'general-purpose');
    const ended = readAs('subagent-ended', fixture('SubagentStop.subagent'));
    assert.equal(ended.subagentType, 'general-purpose');
    assert.match(ended.transcriptPath ?? '', /\/subagents\/agent-\w+\.jsonl$/);
    assert.equal(read(fixture('PreCompact.manual'))?.kind, 'compacting');
    assert.equal(read(fixture('PostCompact.manual'))?.kind, 'compacted');
  });
});

describe('Claude Code hooks from any sender', () => {
  it('trusts the event name of the payload over the argument', () => {
    assert.equal(claudeCode.readHook('PreToolUse', fixture('Stop'), AT)?.kind, 'turn-ended');
    const { hook_event_name: _, ...nameless } = fixture('Stop');
    assert.equal(claudeCode.readHook('Stop', nameless, AT)?.kind, 'turn-ended');
  });

  it('ignores other agents that run the same hook', () => {
    const wire = fixture('PreToolUse.Bash');
    const { prompt_id: _, ...timeless } = wire;
    const foreign = [
      { ...wire, cursor_version: '2.0', conversation_id: 'c', generation_id: 'g' },
      { ...timeless, turn_id: 't', model: 'm', transcript_path: '/home/dev/.codex/sessions/rollout-1.jsonl' },
      { ...timeless, timestamp: AT, transcript_path: '/home/dev/.config/Code/transcripts/s.jsonl' },
      { ...timeless, timestamp: 1, tool_result: {} },
    ];
    for (const payload of foreign) assert.equal(read(payload), undefined);
  });

  it('ignores unknown events and payloads without session or tool', () => {
    const wire = fixture('PreToolUse.Bash');
    assert.equal(read({ ...wire, hook_event_name: 'Notification' }), undefined);
    assert.equal(read({ ...wire, session_id: '' }), undefined);
    assert.equal(read({ ...wire, tool_name: undefined }), undefined);
    for (const payload of [null, 1, 'x', [], {}]) assert.equal(claudeCode.readHook('Stop', payload, AT), undefined);
  });
});

describe('Claude Code replies', () => {
  it('have exactly the expected keys', () => {
    const line = claudeCode.writeHook({ kind: 'note', to: 'call-started', context: 'a "quoted"\nlesson' });
    assert.equal(
      line,
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a \\"quoted\\"\\nlesson"}}',
    );
    assert.doesNotMatch(line, /permission|decision|\n/i);
  });
});
