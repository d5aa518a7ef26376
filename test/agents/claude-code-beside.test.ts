/** What a transcript contains besides calls and results: the user's hooks, and the ends of background tasks. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { claudeCodeHistory, openTranscript } from '../../src/agents/claude-code/history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { isHookRun } from '../../src/base/model/tool.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { readAll } from './open-lines.ts';

/** Recorded with hooks that fail in every way a hook can, and a background command that exits with 3. */
const FILE = fileURLToPath(
  new URL('../fixtures/claude-code/transcripts/9f7eb0fc-9f12-4958-b65b-7ee8f5777e8e.jsonl', import.meta.url),
);

function read(lines: readonly string[]): readonly AgentEvent[] {
  return readAll(openTranscript, FILE, lines);
}

const LINES = readFileSync(FILE, 'utf8').trimEnd().split('\n');
const EVENTS = read(LINES);
const hooks = EVENTS.filter((event) => event.kind === 'call-ended' && isHookRun(event));

function row(fields: object): string {
  return JSON.stringify({ sessionId: 's', timestamp: '2026-01-01T00:00:09.000Z', ...fields });
}

function notification(lines: string): string {
  return `<task-notification>\n${lines}\n</task-notification>`;
}

describe('hooks of the user in a transcript', () => {
  it('are reported by the name of the hook, with exit code, text and time', () => {
    const [first] = hooks;
    assert.ok(first?.kind === 'call-ended');
    assert.deepEqual(
      [first.tool, first.rawTool, first.result],
      ['other', 'hook:SessionStart:startup', { isError: true, exitCode: 1, text: 'boom-start', durationMs: 58 }],
    );
  });

  it('are failures if they failed or blocked, and cancelled if they timed out', () => {
    const byName = Object.groupBy(hooks, (event) => {
      assert.ok(event.kind === 'call-ended');
      return `${event.rawTool} ${judgeOutcome(event).outcome} ${event.result.exitCode ?? '-'}`;
    });
    const counts = Object.fromEntries(Object.entries(byName).map(([key, list]) => [key, list?.length]));
    assert.deepEqual(counts, {
      'hook:SessionStart:startup failure 1': 1,
      'hook:UserPromptSubmit failure 3': 2,
      'hook:PostToolUse:Bash failure 1': 3,
      'hook:PostToolUse:Bash failure 0': 3,
      'hook:PostToolUse:Bash failure -': 3,
      'hook:PostToolUse:Bash failure 127': 3,
      'hook:PostToolUse:Bash cancelled -': 3,
      'hook:Stop failure 1': 1,
      'hook:Stop failure -': 1,
    });
  });

  it('are one call if a row of their own and the summary of the turn report them', () => {
    const stops = hooks.filter((event) => event.kind === 'call-ended' && event.rawTool === 'hook:Stop');
    assert.equal(new Set(stops.map((event) => (event.kind === 'call-ended' ? event.callId : ''))).size, 1);
  });

  it('are not reported if they are ours, or if they worked', () => {
    const attachment = { type: 'hook_non_blocking_error', hookName: 'Stop', toolUseID: 't', stderr: 'x', exitCode: 1 };
    const ours = { ...attachment, command: '/home/dev/.oncebitten/bin/hook claude-code Stop' };
    assert.deepEqual(read([row({ type: 'attachment', attachment: ours })]), []);
    assert.deepEqual(read([row({ type: 'attachment', attachment: { ...attachment, type: 'hook_success' } })]), []);
    assert.equal(read([row({ type: 'attachment', attachment })]).length, 1);
  });
});

describe('background tasks in a transcript', () => {
  it('end with the exit code in the notification, as the call that started them', () => {
    const started = EVENTS.find((event) => event.kind === 'call-ended' && event.result.background === true);
    const ended = EVENTS.find((event) => event.kind === 'background-ended');
    assert.ok(started?.kind === 'call-ended' && ended?.kind === 'background-ended');
    assert.equal(ended.callId, started.callId);
    assert.deepEqual(ended.input, started.input);
    assert.deepEqual(ended.result, { isError: true, exitCode: 3, text: '', pairedMs: 1068 });
    assert.equal(judgeOutcome(ended).outcome, 'failure');
  });

  it('are found by the task if an old build names no call', () => {
    const call = { type: 'tool_use', id: 'toolu_bg', name: 'Bash', input: { command: 'make' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_bg', content: 'running' };
    const text = notification(
      '<task-id>b1</task-id>\n<status>completed</status>\n<summary>Background command "x" completed (exit code 0)</summary>',
    );
    const events = read([
      row({ type: 'assistant', message: { content: [call] } }),
      row({ type: 'user', message: { content: [result] }, toolUseResult: { stdout: '', backgroundTaskId: 'b1' } }),
      row({ type: 'user', message: { content: text } }),
    ]);
    assert.deepEqual(
      events.map((event) => (event.kind === 'background-ended' ? [event.callId, event.result.exitCode] : event.kind)),
      ['call-ended', ['toolu_bg', 0]],
    );
  });

  it('are found by the sub-agent if its call is not named', () => {
    const call = { type: 'tool_use', id: 'toolu_ag', name: 'Agent', input: { prompt: 'look' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_ag', content: 'launched' };
    const text = notification('<task-id>a1</task-id>\n<status>failed</status>\n<summary>Agent "look" failed</summary>');
    const events = read([
      row({ type: 'assistant', message: { content: [call] } }),
      row({
        type: 'user',
        message: { content: [result] },
        toolUseResult: { status: 'async_launched', agentId: 'a1' },
      }),
      row({ type: 'user', message: { content: text } }),
    ]);
    const last = events.at(-1);
    assert.deepEqual(last?.kind === 'background-ended' && [last.callId, last.result.isError], ['toolu_ag', true]);
  });

  it('are reported even if the start was never seen, and cancelled if they were stopped', () => {
    const text = notification(
      '<task-id>b1</task-id>\n<tool-use-id>toolu_x</tool-use-id>\n<status>killed</status>\n<summary>Background command "x" was stopped</summary>',
    );
    const [event] = read([
      row({
        type: 'attachment',
        attachment: { type: 'queued_command', commandMode: 'task-notification', prompt: text },
      }),
    ]);
    assert.ok(event?.kind === 'background-ended');
    assert.deepEqual([event.callId, event.input.json, judgeOutcome(event).outcome], ['toolu_x', '', 'cancelled']);
  });

  it('are not invented from a task that still runs, or from a person who quotes one', () => {
    const running = notification(
      '<tool-use-id>t</tool-use-id>\n<status>running</status>\n<summary>Background command "x"</summary>',
    );
    assert.deepEqual(read([row({ type: 'user', message: { content: running } })]), []);
    const quoted = `look: ${notification('<tool-use-id>t</tool-use-id>\n<status>failed</status>\n<summary>Agent "x" failed</summary>')}`;
    assert.deepEqual(
      read([row({ type: 'user', message: { content: quoted } })]).map((event) => event.kind),
      ['prompted'],
    );
  });
});

describe('a call that was running when its session died', () => {
  const use = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'sleep 999' } };
  const line = `${row({ type: 'assistant', message: { content: [use] } })}\n`;

  it('is reported once the file has not changed for long, and still waits for its result', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'oncebitten-died-'));
    const path = join(dir, 's.jsonl');
    const tell = async (previous?: ScanState) => {
      const told: AgentEvent[] = [];
      const { state } = await readTranscriptFile(
        { path, history: claudeCodeHistory, previous },
        (events) => void told.push(...events),
      );
      return {
        state,
        outcomes: told.map((event) => (event.kind === 'call-ended' ? judgeOutcome(event).outcomeType : '')),
      };
    };
    try {
      writeFileSync(path, line);
      assert.deepEqual((await tell()).outcomes, []);
      const long = new Date(Date.now() - 3_600_000);
      utimesSync(path, long, long);
      const { state, outcomes } = await tell();
      assert.deepEqual(outcomes, ['no-end']);
      const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };
      appendFileSync(path, `${row({ type: 'user', message: { content: [result] } })}\n`);
      assert.deepEqual((await tell(state)).outcomes, ['no-error']);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe('a call whose result is late', () => {
  it('is reported as left open by the turn, and again when the result comes', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };
    const events = read([
      row({ type: 'assistant', message: { content: [call] } }),
      row({ type: 'user', message: { content: 'go on' } }),
      row({ type: 'user', message: { content: [result] } }),
    ]);
    assert.deepEqual(
      events.map((event) => (event.kind === 'call-ended' ? (event.result.unended ?? event.result.text) : event.kind)),
      [true, 'prompted', 'ok'],
    );
  });
});
