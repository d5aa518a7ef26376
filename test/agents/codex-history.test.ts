import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openRollout } from '../../src/agents/codex/history.ts';
import { loadScriptReader } from '../../src/agents/codex/nested-calls.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { judgeFacts } from '../../src/capture/outcomes/judge-facts.ts';
import { readCodexReference } from '../reference/codex-reference.ts';
import { openLines } from './open-lines.ts';

// Loaded when a scan meets the first script; these tests read without waiting.
await loadScriptReader();

const FOLDER = fileURLToPath(new URL('../fixtures/codex/', import.meta.url));
const MAIN = '019a0000-0000-7000-8000-000000000001';
const CHILD = '019a0000-9000-7000-8000-000000000002';
const FILES = ['legacy', 'paginated', 'code-mode', 'forked-agent', 'spawned-agent', 'broken'];

type Row = EventOf<'call-ended'> | EventOf<'background-ended'>;

function readLines(name: string): readonly string[] {
  return readFileSync(`${FOLDER}${name}.jsonl`, 'utf8').trimEnd().split('\n');
}

function readFile(name: string) {
  const { reader, read } = openLines(openRollout, `${FOLDER}${name}.jsonl`);
  const events = readLines(name).flatMap((line) => [...read(line)]);
  const rows = new Map(events.filter(isRow).map((row) => [row.callId, row]));
  const result = (id: string) => rows.get(id)?.result;
  return { reader, events, rows, result, kinds: events.map((event) => event.kind) };
}

function isRow(event: AgentEvent): event is Row {
  return event.kind === 'call-ended' || event.kind === 'background-ended';
}

function toTexts(events: readonly AgentEvent[], kind: 'prompted' | 'said'): readonly string[] {
  return events.flatMap((event) => (event.kind === kind && 'text' in event ? [event.text] : []));
}

describe('Codex rollouts of both history modes', () => {
  it("report each call once, with the line of the model's request", () => {
    for (const name of FILES) {
      const { events } = readFile(name);
      const ended = events.filter((event) => event.kind === 'call-ended');
      assert.equal(new Set(ended.map((call) => call.callId)).size, ended.length, name);
      for (const call of ended.filter((one) => /^call_/.test(one.callId)))
        assert.match(readLines(name)[(call.line ?? 0) - 1] ?? '', new RegExp(`_call".*"call_id":"${call.callId}"`));
    }
  });

  it('agree with the reference reader', () => {
    for (const name of FILES) {
      const { rows, reader } = readFile(name);
      const left = (reader.leave?.() ?? []).filter(isRow);
      const ours = [...rows.values(), ...left].map((row) => [row.callId, toReferenceOutcome(row)]);
      const theirs = readCodexReference(name, readLines(name)).map((call) => [call.id, call.outcome]);
      assert.deepEqual(new Map(ours as [string, string][]), new Map(theirs as [string, string][]), name);
    }
  });

  it('report only prompts that a person typed, and every message of the agent once', () => {
    const { events } = readFile('legacy');
    assert.deepEqual(toTexts(events, 'prompted'), ['fix the tax in the cart', 'now ship it']);
    assert.deepEqual(toTexts(events, 'said'), ['I look at the cart first.', 'The tax is right now.']);
    assert.deepEqual(toTexts(readFile('paginated').events, 'prompted'), ['fix the tax in the cart']);
    assert.deepEqual(toTexts(readFile('paginated').events, 'said'), ['I run the tests.']);
  });

  it('report a compaction, the end of a turn and an interruption once', () => {
    const { kinds } = readFile('legacy');
    for (const kind of ['compacted', 'turn-ended', 'interrupted'] as const)
      assert.equal(kinds.filter((one) => one === kind).length, 1, kind);
    assert.equal(readFile('paginated').kinds.filter((one) => one === 'compacted').length, 1);
  });

  it('take folder, branch, model and version from the rows that contain them', () => {
    const call = readFile('legacy').rows.get('call_ok');
    assert.deepEqual(
      [call?.sessionId, call?.contextId, call?.cwd, call?.branch, call?.model, call?.agentVersion, call?.at],
      [MAIN, '', '/home/dev/shop/web', 'main', 'gpt-5.4', '0.118.0', '2026-03-01T10:00:12.000Z'],
    );
    assert.equal(readFile('legacy').rows.get('call_local')?.cwd, '/home/dev');
  });

  it('count no known record as unknown', () => {
    for (const name of FILES.filter((one) => one !== 'broken'))
      assert.deepEqual([...readFile(name).reader.skipped], []);
  });
});

describe('the end of a Codex call', () => {
  const legacy = readFile('legacy');
  const paginated = readFile('paginated');

  it('has exit code, output without the lines above it and duration, from the text', () => {
    assert.deepEqual(legacy.result('call_ok'), {
      isError: false,
      exitCode: 0,
      text: 'src/cart.ts:1:const tax = 7;\n',
      durationMs: 500,
      pairedMs: 1000,
    });
  });

  it('has them from the item or event if there is one', () => {
    const expected = {
      isError: true,
      exitCode: 1,
      text: '1 test failed: tax is 7\n',
      durationMs: 2500,
      pairedMs: 2000,
    };
    assert.deepEqual(legacy.result('call_fail'), expected);
    assert.deepEqual([paginated.result('call_a')?.exitCode, paginated.result('call_b')?.exitCode], [1, 0]);
    assert.deepEqual(
      [paginated.result('call_a')?.text, paginated.result('call_b')?.text],
      ['1 test failed\n', 'clean\n'],
    );
  });

  it('is a refusal by the user, by a rule or by a hook, and not a failure', () => {
    assert.deepEqual(legacy.result('call_refused')?.denied, { by: 'user' });
    assert.deepEqual(paginated.result('call_refused')?.denied, { by: 'user' });
    assert.deepEqual(legacy.result('call_rule')?.denied, { by: 'rule' });
    assert.deepEqual(legacy.result('call_hook')?.denied, { by: 'hook' });
    for (const { result } of [legacy.rows.get('call_refused'), paginated.rows.get('call_refused')].filter(isThere))
      assert.equal(result.exitCode, undefined);
  });

  it('is a failure with its exit code if the sandbox stopped the command', () => {
    const { exitCode, text, denied } = legacy.result('call_sandbox') ?? {};
    assert.deepEqual([exitCode, text, denied], [128, 'fatal: cannot lock "index"\n', undefined]);
  });

  it('is a cancellation if the user stopped the turn, also for a call without an output', () => {
    for (const id of ['call_stopped', 'call_lost']) assert.equal(legacy.result(id)?.cancelled, true, id);
    assert.equal(paginated.result('call_stopped')?.cancelled, true);
  });

  it('comes later for a command that was left running, at the line of the call that looked at it', () => {
    for (const { events, rows } of [legacy, paginated]) {
      const told = events.filter(isRow).filter((row) => row.callId === 'call_bg');
      assert.deepEqual(
        told.map(({ kind, result, line }) => [
          kind,
          result.background,
          result.exitCode,
          result.text.includes('failed'),
          line,
        ]),
        [
          ['call-ended', true, undefined, false, told[0]?.line],
          ['background-ended', undefined, 2, true, (rows.get('call_look_end') ?? told[0])?.line],
        ],
      );
    }
  });

  it('is a cancellation for a command that the agent ended with Ctrl-C, also if it took a while', () => {
    const looks = (chars: string) =>
      readLines('legacy').map((line) => line.replace('chars\\": \\"\\"', `chars\\": \\"${chars}\\"`));
    for (const [chars, cancelled] of [
      ['\\\\u0003', true],
      ['y', undefined],
    ] as const) {
      const { read } = openLines(openRollout, `${FOLDER}legacy.jsonl`);
      const ended = looks(chars)
        .flatMap((line) => [...read(line)])
        .find((event) => event.kind === 'background-ended');
      assert.ok(ended?.kind === 'background-ended');
      assert.deepEqual([ended.result.cancelled, ended.result.isError], [cancelled, cancelled !== true]);
    }
  });

  it('is not that of the call which looked at the command', () => {
    const { isError, exitCode, text } = legacy.result('call_look_end') ?? {};
    assert.deepEqual([isError, exitCode, text], [false, undefined, 'build failed\n']);
  });

  it('is a timeout if the shell of older builds says so', () => {
    const call = legacy.rows.get('call_shell');
    assert.deepEqual(call === undefined ? undefined : judgeFacts(call).outcomeType, 'timeout');
  });
});

describe('the tools of Codex', () => {
  const { rows } = readFile('legacy');
  const tool = (id: string) => [rows.get(id)?.tool, rows.get(id)?.rawTool];

  it('have our canonical names', () => {
    assert.deepEqual(tool('call_ok'), ['shell', 'exec_command']);
    assert.deepEqual(tool('call_shell'), ['shell', 'shell']);
    assert.deepEqual(tool('call_local'), ['shell', 'local_shell']);
    assert.deepEqual(tool('call_patch'), ['edit', 'apply_patch']);
    assert.deepEqual(tool('call_plan'), ['other', 'update_plan']);
    assert.deepEqual(tool('call_server'), ['mcp:docs/search', 'mcp__docs__search']);
    assert.deepEqual(tool('web_search-41'), ['web', 'web_search']);
    const paged = readFile('paginated').rows;
    assert.deepEqual([paged.get('call_spawn')?.tool, paged.get('call_mcp')?.tool], ['task', 'mcp:docs/search']);
  });

  it('have the input that a hook receives, and the other parameters beside it', () => {
    const { more, ...given } = rows.get('call_shell')?.input ?? { json: '' };
    assert.deepEqual(given, { command: 'sleep 99', json: '{"command":"sleep 99"}' });
    assert.equal(JSON.parse(more ?? '').timeout_ms, 1000);
    assert.equal(rows.get('call_local')?.input.command, "ls 'my docs'");
    const { path, content, json } = rows.get('call_patch')?.input ?? {};
    assert.deepEqual([path, content], ['src/cart.ts', 'const tax = 19;']);
    assert.match(json ?? '', /^\{"command":"\*\*\* Begin Patch/);
  });

  it('leave out commands that the user ran in their own shell', () => {
    assert.equal(readFile('paginated').rows.has('shell_1'), false);
  });
});

describe('code mode', () => {
  const { rows, result, events } = readFile('code-mode');

  it('reports the script and each of its calls, under the ids that hooks use', () => {
    assert.deepEqual([...rows.keys()].sort(), [
      'call_one',
      'call_slow',
      'call_three',
      'call_two',
      'call_wait',
      'exec-1',
      'exec-2',
      'exec-3',
      'exec-4',
    ]);
    const { tool, rawTool, at, result: nested } = rows.get('exec-1') ?? {};
    assert.deepEqual([tool, rawTool, at, nested?.exitCode], ['shell', 'exec_command', '2026-03-03T10:00:00.000Z', 1]);
    assert.deepEqual([rows.get('call_one')?.tool, result('call_one')?.isError], ['other', false]);
    assert.deepEqual(rows.get('exec-3')?.input.path, '/home/dev/shop/new.ts');
  });

  it('knows how a script ended, also one that was waited for', () => {
    assert.deepEqual([result('call_three')?.isError, result('call_three')?.text], [true, 'Error: boom']);
    assert.deepEqual([result('call_slow')?.isError, result('call_wait')?.isError], [true, false]);
    assert.equal(events.find((event) => event.kind === 'background-ended')?.line, rows.get('call_wait')?.line);
  });
});

describe('the files of spawned agents', () => {
  it('are contexts of the session that spawned them, without the copied rows', () => {
    for (const name of ['forked-agent', 'spawned-agent']) {
      const { rows, events } = readFile(name);
      assert.deepEqual(
        [...rows.values()].map(({ callId, sessionId, contextId }) => [callId, sessionId, contextId]),
        [['call_child', MAIN, CHILD]],
      );
      assert.deepEqual(toTexts(events, 'prompted'), [], 'the prompt is the other agent');
    }
  });

  it('are continued from the middle with the memo', () => {
    const lines = readLines('forked-agent');
    for (const cut of [1, 4, 7, 11, 14]) {
      const first = openLines(openRollout, 'x.jsonl');
      for (const line of lines.slice(0, cut)) first.read(line);
      const memo = first.reader.memo;
      const then = openLines(openRollout, 'x.jsonl', { firstLine: cut + 1, ...(memo === undefined ? {} : { memo }) });
      const [call] = lines
        .slice(cut)
        .flatMap((line) => [...then.read(line)])
        .filter(isRow);
      assert.deepEqual([call?.callId, call?.contextId, call?.model], ['call_child', CHILD, 'gpt-5.4-mini'], `${cut}`);
    }
  });
});

describe('Codex rollouts, broken', () => {
  it('count lines that cannot be used, by reason', () => {
    assert.deepEqual(Object.fromEntries(readFile('broken').reader.skipped), {
      'line cut off': 2,
      'not a JSON object': 1,
      'result of a call that is not in this file': 1,
      'unknown record: response_item/telepathy_call': 1,
      'unknown record: event_msg/dream_end': 1,
      'unknown record: weather': 1,
      'call without id or tool': 1,
    });
  });

  it('keep waiting for a call whose result is lost, until the next turn', () => {
    const { reader, read } = openLines(openRollout, 'x.jsonl');
    for (const line of readLines('broken')) read(line);
    assert.equal(reader.pendingLine, 8);
    assert.deepEqual(
      (reader.leave?.() ?? []).filter(isRow).map((row) => row.result.unended),
      [true, true],
    );
    const turn = { type: 'task_started', turn_id: MAIN };
    const events = read(JSON.stringify({ timestamp: '2026-03-06T11:00:00.000Z', type: 'event_msg', payload: turn }));
    assert.equal(events.length, 2);
    assert.equal(reader.pendingLine, undefined);
  });

  it('take the session from the file name if the first row is lost', () => {
    const path = `/x/rollout-2026-03-01T10-00-00-${MAIN}.jsonl`;
    const { read } = openLines(openRollout, path);
    const [event] = readLines('legacy')
      .slice(1)
      .flatMap((line) => [...read(line)]);
    assert.equal(event?.sessionId, MAIN);
  });
});

function toReferenceOutcome({ result }: Row): string {
  if (result.denied !== undefined) return 'denied';
  if (result.unended === true) return 'open';
  if (result.cancelled === true) return 'cancelled';
  return result.isError || (result.exitCode ?? 0) !== 0 ? 'failure' : 'success';
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
