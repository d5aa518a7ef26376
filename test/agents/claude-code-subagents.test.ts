/** Calls of sub-agents: in their own context of the session that started them, each linked to the call before it there. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import type { StoredCall } from '../../src/base/model/call.ts';
import { readSettings } from '../../src/keep/settings/read-settings.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';
import { openLines } from './open-lines.ts';

const dir = mkdtempSync(join(tmpdir(), 'oncebitten-subagents-'));
let store: Store;
let loop: Loop;

before(async () => {
  store = await openSqliteStore(join(dir, 'store.db'));
  const asked = readSettings(join(dir, 'config.json'), {});
  const settings = { ...asked, trackedTools: [...asked.trackedTools, 'task'] };
  loop = makeLoop({ store, settings, manifestFile: join(dir, 'm'), switchesFile: join(dir, 's') });
});

after(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const time = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

async function end(sessionId: string, id: string, second: number, fields: object = {}): Promise<void> {
  const wire = {
    session_id: sessionId,
    cwd: '/home/dev/project',
    prompt_id: 'p',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: `echo ${id}` },
    tool_response: { stdout: id, stderr: '', interrupted: false },
    tool_use_id: id,
    ...fields,
  };
  const event = claudeCode.readHook('', wire, time(second));
  assert.ok(event !== undefined);
  await loop.takeEvents([event], []);
}

/** `call <- the one before it`, in order. */
function toLinks(calls: readonly StoredCall[]): readonly string[] {
  const names = new Map(calls.map(({ id, callId }) => [id, callId]));
  return calls.map(({ callId, precedingId }) => `${callId} <- ${names.get(precedingId ?? '') ?? ''}`);
}

const agent = (id: string) => ({ agent_id: id, agent_type: 'general-purpose' });
const launched = (agentId: string) => ({
  tool_name: 'Agent',
  tool_input: { prompt: 'go', run_in_background: true },
  tool_response: { status: 'async_launched', agentId },
});

describe('calls of sub-agents', () => {
  it('keep the session and have the sub-agent as their context, nested and in the background', async () => {
    await end('s1', 'launch', 0, launched('a1'));
    await end('s1', 'main-1', 3);
    await end('s1', 'sub-1', 1, agent('a1'));
    await end('s1', 'nest', 2, { ...agent('a1'), ...launched('a2') });
    await end('s1', 'sub-2', 5, agent('a1'));
    await end('s1', 'nested-1', 4, agent('a2'));
    const all = await store.listCalls({ sessionId: 's1' });
    assert.deepEqual(
      all.map(({ callId, contextId, sessionId }) => `${sessionId} ${contextId || 'main'} ${callId}`),
      ['s1 main launch', 's1 a1 sub-1', 's1 a1 nest', 's1 main main-1', 's1 a2 nested-1', 's1 a1 sub-2'],
    );
    assert.deepEqual(toLinks(all), [
      'launch <- ',
      'sub-1 <- ',
      'nest <- sub-1',
      'main-1 <- launch',
      'nested-1 <- ',
      'sub-2 <- nest',
    ]);
  });

  it('are found by the run of the sub-agent, and their session by theirs', async () => {
    const run = await store.listCalls({ sessionId: 's1', contextId: 'a1' });
    assert.deepEqual(toLinks(run), ['sub-1 <- ', 'nest <- sub-1', 'sub-2 <- nest']);
    assert.equal((await store.findSession('claude-code', 's1'))?.projectId, run[0]?.projectId);
    const [launch] = await store.listCalls({ sessionId: 's1', contextId: '' });
    assert.deepEqual([launch?.tool, launch?.outcomeType], ['task', 'background']);
  });

  it('are the same from the file of the sub-agent', async () => {
    const path = `/home/dev/.claude/projects/-p/s1/subagents/agent-a1.jsonl`;
    const reader = openLines(openTranscript, path);
    const row = (fields: object) => JSON.stringify({ sessionId: 's1', isSidechain: true, agentId: 'a1', ...fields });
    const use = { type: 'tool_use', id: 'sub-1', name: 'Bash', input: { command: 'echo sub-1' } };
    const result = { type: 'tool_result', tool_use_id: 'sub-1', content: 'sub-1' };
    const events = [
      row({ type: 'assistant', timestamp: time(0.5), cwd: '/home/dev/project', message: { content: [use] } }),
      row({ type: 'user', timestamp: time(1), message: { content: [result] } }),
    ].flatMap((line) => [...reader.read(line)]);
    const calls = (await store.listCalls({})).length;
    await loop.takeEvents(events, []);
    assert.equal((await store.listCalls({})).length, calls);
  });
});

describe('the order of calls', () => {
  it('is stable for parallel calls, and links each to one before it', async () => {
    for (const id of ['p1', 'p2', 'p3']) await end('s2', id, 10);
    await end('s2', 'next', 11);
    assert.deepEqual(toLinks(await store.listCalls({ sessionId: 's2' })), [
      'p1 <- ',
      'p2 <- p1',
      'p3 <- p2',
      'next <- p3',
    ]);
  });

  it('follows the recorded times if a clock goes backwards, without a negative duration', async () => {
    await end('s3', 'b', 100);
    await end('s3', 'a', 50);
    const calls = await store.listCalls({ sessionId: 's3' });
    assert.deepEqual(toLinks(calls), ['a <- ', 'b <- a']);
    for (const { durationMs } of calls) assert.ok((durationMs ?? 0) >= 0);
  });

  it('ignores hooks of the user', async () => {
    await end('s4', 'one', 0);
    const attachment = { type: 'hook_non_blocking_error', hookName: 'Stop', toolUseID: 't', stderr: 'x', exitCode: 1 };
    const line = JSON.stringify({
      type: 'attachment',
      sessionId: 's4',
      timestamp: time(1),
      cwd: '/home/dev/project',
      attachment,
    });
    const failures = (await store.countAll()).failures;
    const reader = openLines(openTranscript, '/x/s4.jsonl');
    const { calls } = await loop.takeEvents(reader.read(line), []);
    await end('s4', 'two', 2);
    const kept = await store.listCalls({ sessionId: 's4' });
    assert.deepEqual(
      kept.map(({ rawTool }) => rawTool),
      ['Bash', 'hook:Stop', 'Bash'],
    );
    assert.match(toLinks(kept).join(), /one <- ,hook-t-\w+ <- one,two <- one/);
    const counts = await store.countAll();
    assert.deepEqual([calls.length, counts.failures, counts.hookFailures], [0, failures, 1]);
  });
});
