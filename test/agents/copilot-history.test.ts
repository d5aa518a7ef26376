import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copilot } from '../../src/agents/copilot/guest.ts';
import { copilotHistory, openEvents } from '../../src/agents/copilot/history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { judgeFacts } from '../../src/capture/outcomes/judge-facts.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat } from '../../src/capture/transcripts/session-files.ts';
import { openLines } from './open-lines.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/copilot/session-state/', import.meta.url));
const SESSION = '0b9d3c55-6f21-4b0e-9a77-2d1f4e8c6a01';
const OLDER = '7a1e55f0-91b3-4c8a-8e0d-5f6b7c8d9e02';
const BROKEN = '44c1d0e2-0000-4000-8000-000000000003';
const MAIN = `${FOLDER}${SESSION}/events.jsonl`;

const isEnded = (event: AgentEvent): event is EventOf<'call-ended'> => event.kind === 'call-ended';

/** An open call is reported only after the file has not changed for long, so this depends on when it was written. */
const isTold = (call: EventOf<'call-ended'>): boolean => call.result.unended !== true;

async function readFile(path: string, previous?: ScanState) {
  const events: AgentEvent[] = [];
  const read = await readTranscriptFile({ path, history: copilotHistory, previous }, (more) => {
    events.push(...more);
  });
  const calls = events.filter(isEnded);
  const find = (id: string) => calls.find((call) => call.callId === id);
  const texts = (kind: 'prompted' | 'said') => events.flatMap((event) => (event.kind === kind ? [event.text] : []));
  return { ...read, events, calls, find, texts };
}

describe('Copilot CLI logs', async () => {
  const { calls, events, find, texts, skipped, state } = await readFile(MAIN);

  it('report each call once, with its end', () => {
    assert.deepEqual(
      calls.map((call) =>
        [call.callId, call.tool, judgeFacts(call).outcomeType, call.result.exitCode ?? '-'].join(' '),
      ),
      [
        'sh-ok shell exit-code 0',
        'sh-fail shell exit-code 2',
        'sh-footer shell exit-code 3',
        'read-bad read error-flag -',
        'par-3 grep no-error -',
        'par-1 read no-error -',
        'par-2 shell exit-code 1',
        'edit-bad edit error-flag -',
        'new-ok write no-error -',
        'mcp-ok mcp:garden/forecast no-error -',
        'patch-bad edit error-flag -',
        'user-no shell user-refusal -',
        'user-mute shell user-refusal -',
        'rule-no shell rule-denial -',
        'nobody shell rule-denial -',
        'hook-no shell hook-denial -',
        'asked-hook shell hook-denial -',
        'allowed shell exit-code 0',
        'back shell background -',
        'sub-fail shell exit-code 1',
        'task-ok task no-error -',
        'reading other no-error -',
        'moved glob no-error -',
        'stopped shell interrupt -',
        'lost shell no-end -',
        'sh-last shell exit-code 0',
      ],
    );
    assert.deepEqual([...skipped], []);
  });

  it('keep the input: command, file and new text', () => {
    assert.equal(find('sh-fail')?.input.command, 'make water');
    assert.deepEqual(
      [find('edit-bad')?.input.path, find('edit-bad')?.input.content],
      ['/home/dev/garden/beds.md', 'tulips'],
    );
    assert.equal(find('new-ok')?.input.content, 'plan\n');
    assert.equal(find('patch-bad')?.input.path, 'beds.md');
  });

  it('remove the text that the client and hooks added around a result', () => {
    assert.equal(find('sh-ok')?.result.text, 'roses');
    assert.equal(find('par-1')?.result.text, 'roses\n');
  });

  it("keep the user's comment on a refusal, joined by the request if the answer names no call", () => {
    assert.deepEqual(find('user-no')?.result.denied, { by: 'user', words: 'only on Fridays' });
    assert.deepEqual(find('user-mute')?.result.denied, { by: 'user' });
  });

  it('contain folder, branch, model and version, also after a move', () => {
    const facts = (id: string) => {
      const { cwd, branch, model, agentVersion, sessionId, line } = find(id) ?? {};
      return [cwd, branch, model, agentVersion, sessionId, line];
    };
    assert.deepEqual(facts('sh-ok'), ['/home/dev/garden', 'main', 'gpt-5.1', '1.0.102', SESSION, 10]);
    assert.deepEqual(facts('moved'), ['/home/dev/garden/herbs', 'herbs', 'gpt-5.1', '1.0.102', SESSION, 75]);
    assert.equal(events.find((event) => event.kind === 'prompted')?.model, 'gpt-5.1');
  });

  it('keep a sub-agent in its own context, whose task is not a prompt and whose messages are not for the user', () => {
    assert.deepEqual([find('sub-fail')?.contextId, find('sub-fail')?.model], ['agent-7', 'gpt-5-mini']);
    assert.deepEqual(
      events.flatMap((event) => ('subagentType' in event ? [[event.kind, event.contextId, event.subagentType]] : [])),
      [
        ['subagent-started', 'agent-7', 'explore'],
        ['subagent-ended', 'agent-7', 'explore'],
      ],
    );
  });

  it('report the end of a command that was left running: first the end, then its output', () => {
    const ends = events.filter((event) => event.kind === 'background-ended');
    assert.deepEqual(
      ends.map(({ callId, input, result }) => [callId, input.command, result.exitCode, result.text]),
      [
        ['back', 'make pond', 4, ''],
        ['back', 'make pond', 4, 'leak'],
      ],
    );
    assert.equal(find('reading')?.result.exitCode, undefined);
  });

  it('leave out commands that the user ran in the agent’s shell', () => {
    assert.equal(find('mine'), undefined);
  });

  it('report what a person typed, and nothing that the client writes in their name', () => {
    assert.deepEqual(texts('prompted'), ['water the plants', 'and the herbs', 'once more', 'where are you?']);
    assert.deepEqual(texts('said'), ['I look at the garden.', 'Several at once.', 'All is green.']);
  });

  it('report an interruption, and a compaction that worked', () => {
    const kinds = ['interrupted', 'compacting', 'compacted'];
    assert.deepEqual(
      events.map((event) => event.kind).filter((kind) => kinds.includes(kind)),
      ['compacting', 'compacted', 'interrupted'],
    );
  });

  it('are continued from any place with the same events', async () => {
    const lines = readFileSync(MAIN, 'utf8').split(/(?<=\n)/);
    const dir = makeFolder();
    for (const cut of lines.keys()) {
      const path = join(dir, `${SESSION}-${cut}`, 'events.jsonl');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines.slice(0, cut).join(''));
      const first = await readFile(path);
      appendFileSync(path, lines.slice(cut).join(''));
      const second = await readFile(path, first.state);
      assert.deepEqual(toStory([...first.events, ...second.events]), toStory(events), `cut before line ${cut + 1}`);
      assert.equal(second.state.memo, state.memo);
    }
  });
});

/** A repeated report is one row; for a command left running since an earlier scan only the end is known. */
function toStory(events: readonly AgentEvent[]): readonly string[] {
  const story = events.map((event) => {
    const { transcriptPath: _path, line: _line, ...rest } = event;
    if (rest.kind !== 'background-ended') return JSON.stringify(rest);
    const { kind, callId, at, contextId, tool, result } = rest;
    return JSON.stringify({ kind, callId, at, contextId, tool, result });
  });
  return [...new Set(story)].sort();
}

describe('Copilot CLI logs of older builds', async () => {
  const { calls, find, texts } = await readFile(`${FOLDER}${OLDER}.jsonl`);

  it('read the exit code from the last line', () => {
    assert.deepEqual(
      [find('old-1')?.result.exitCode, find('old-1')?.result.text],
      [2, 'ls: boxes: No such file or directory'],
    );
  });

  it('identify a sub-agent by the call that started it', () => {
    assert.deepEqual(
      calls.filter(isTold).map(({ callId, contextId, sessionId }) => [callId, contextId, sessionId]),
      [
        ['old-1', '', OLDER],
        ['old-2', 'old-task', OLDER],
        ['old-task', '', OLDER],
      ],
    );
    assert.deepEqual(texts('said'), []);
  });

  it('wait for the call that the file ends in', () => {
    const { reader, read } = openLines(openEvents, `${FOLDER}${OLDER}.jsonl`);
    for (const line of readFileSync(`${FOLDER}${OLDER}.jsonl`, 'utf8').split('\n')) read(line);
    assert.equal(reader.pendingLine, 14);
    assert.deepEqual(
      reader
        .leave?.()
        .filter(isEnded)
        .map(({ callId, result }) => [callId, result.unended]),
      [['old-open', true]],
    );
  });
});

describe('Copilot CLI logs, broken', () => {
  it('count what they cannot use by reason, and read the rest', async () => {
    const { calls, skipped } = await readFile(`${FOLDER}${BROKEN}/events.jsonl`);
    assert.deepEqual(Object.fromEntries(skipped), {
      'line cut off': 1,
      'not a JSON object': 2,
      'unknown record: session.hologram': 1,
      'unknown record: no type': 1,
      'record without time or data': 2,
      'call without id or tool': 2,
      'result of a call that is not in this file': 1,
    });
    assert.deepEqual(
      calls.filter(isTold).map((call) => call.callId),
      ['ok'],
    );
  });

  const record = (type: string, data: object) =>
    JSON.stringify({ type, data, timestamp: '2026-01-01T00:00:00.000Z', id: 'x', parentId: null });
  const begin = (id: string) =>
    record('tool.execution_start', { toolCallId: id, toolName: 'bash', arguments: { command: id } });
  const end = (id: string, more: object) => record('tool.execution_complete', { toolCallId: id, ...more });

  it('prefer an end that comes after all', () => {
    const { read } = openLines(openEvents, MAIN);
    read(begin('a'));
    const [given] = read(record('abort', { reason: 'user_initiated' }));
    const [told] = read(end('a', { success: false, error: { message: 'The execution was stopped' } }));
    assert.equal(given?.kind === 'call-ended' && given.result.cancelled, true);
    assert.equal(told?.kind === 'call-ended' && told.result.cancelled, true);
    assert.equal(told?.kind === 'call-ended' && told.result.text, 'The execution was stopped');
  });

  it('do not count the refusal of one call for the next', () => {
    const { read } = openLines(openEvents, MAIN);
    read(begin('a'));
    read(
      record('permission.completed', {
        requestId: 'r',
        toolCallId: 'a',
        result: { kind: 'denied-by-rules', rules: [] },
      }),
    );
    read(begin('b'));
    const [b] = read(end('b', { success: false, error: { message: 'boom' } }));
    const [a] = read(end('a', { success: false, error: { message: 'no' } }));
    assert.equal(b?.kind === 'call-ended' && b.result.denied, undefined);
    assert.deepEqual(a?.kind === 'call-ended' && a.result.denied, { by: 'rule' });
  });
});

describe('the files of Copilot CLI', () => {
  it('belong to the agent whose hooks we know', () => {
    assert.equal(copilotHistory.facts, copilot.facts);
  });

  it('are recognized by place and name', () => {
    const kind = (path: string) => findFormat(copilotHistory, path)?.kind;
    assert.equal(kind('C:\\u\\.copilot\\session-state\\abc\\events.jsonl'), 'lines');
    assert.equal(kind('/u/.copilot/session-state/abc.jsonl'), 'lines');
    for (const path of ['/u/.copilot/session-state/abc/workspace.yaml', '/u/x.jsonl'])
      assert.equal(kind(path), undefined);
  });

  it('are recognized by their beginning', () => {
    const isOurs = (head: string) => findFormat(copilotHistory, MAIN)?.isOurs(head);
    assert.ok(isOurs(readFileSync(MAIN, 'utf8').slice(0, 4096)));
    assert.equal(isOurs('{"type":"user","sessionId":"s"}'), false);
  });
});

const made: string[] = [];
after(() => {
  for (const dir of made) rmSync(dir, { recursive: true });
});

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'copilot-history-'));
  made.push(dir);
  return dir;
}
