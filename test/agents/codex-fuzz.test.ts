import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openRollout } from '../../src/agents/codex/history.ts';
import { loadScriptReader } from '../../src/agents/codex/nested-calls.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { toRuns } from '../to-runs.ts';
import { openLines } from './open-lines.ts';

// Loaded when a scan meets the first script; these tests read without waiting.
await loadScriptReader();

const KINDS = ['told', 'item', 'legacy', 'patch', 'background', 'stdin', 'nested', 'refused', 'aborted'] as const;
/** So long that no damage turns one into another. */
const id = fc.stringMatching(/^[0-9a-f]{24}$/);

interface Story {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly code: number;
}

let second = 0;
const row = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: new Date(1.77e12 + second++ * 1000).toISOString(), type, payload });
const item = (type: string, callId: string, fields: object): string =>
  row('event_msg', { type: 'item_completed', item: { type, id: callId, ...fields } });
const call = (callId: string, name: string, input: object): string =>
  row('response_item', { type: 'function_call', name, arguments: JSON.stringify(input), call_id: callId });
const told = (callId: string, output: string): string =>
  row('response_item', { type: 'function_call_output', call_id: callId, output });
const toHead = (line: string): string => `Chunk ID: a\nWall time: 0.1 seconds\n${line}\nOutput:\n`;

/** Every text about a call contains its id. */
function toLines({ id: own, kind, code }: Story): readonly string[] {
  const command = ['/bin/bash', '-lc', `run ${own}`];
  const end = { command, status: code === 0 ? 'completed' : 'failed', aggregated_output: `of ${own}`, exit_code: code };
  const asked = call(own, 'exec_command', { cmd: `run ${own}` });
  const exited = told(own, `${toHead(`Process exited with code ${code}`)}of ${own}`);
  const session = Number.parseInt(own.slice(0, 12), 16);
  const left = told(own, `${toHead(`Process running with session ID ${session}`)}of ${own}`);
  const stdin = [call(`w${own}`, 'write_stdin', { session_id: session }), told(`w${own}`, exitedText(own, code))];
  const lines: Readonly<Record<Story['kind'], readonly string[]>> = {
    told: [asked, exited],
    item: [asked, item('CommandExecution', own, end), exited],
    legacy: [asked, row('event_msg', { type: 'exec_command_end', call_id: own, ...end }), exited],
    patch: [
      row('response_item', {
        type: 'custom_tool_call',
        call_id: own,
        name: 'apply_patch',
        input: `*** Add File: ${own}`,
      }),
      row('response_item', { type: 'custom_tool_call_output', call_id: own, output: `Success. of ${own}` }),
    ],
    background: [asked, left, item('CommandExecution', own, end)],
    stdin: [asked, left, ...stdin],
    nested: [item('CommandExecution', own, end)],
    refused: [asked, told(own, `Command blocked by PreToolUse hook: of ${own}`)],
    aborted: [asked, told(own, 'aborted by user after 1.0s')],
  };
  return lines[kind];
}

function exitedText(own: string, code: number): string {
  return `${toHead(`Process exited with code ${code}`)}of ${own}`;
}

const story = fc.record({ id, kind: fc.constantFrom(...KINDS), code: fc.constantFrom(0, 1, 2) });
const stories = fc.uniqueArray(story, { selector: (one) => one.id.slice(0, 12), maxLength: 8 });
const turns = fc.constantFrom(
  row('event_msg', { type: 'task_started', turn_id: 't' }),
  row('event_msg', { type: 'turn_aborted', turn_id: 't', reason: 'interrupted' }),
  row('session_meta', { id: 'thread', session_id: 'session', cwd: '/x' }),
  row('compacted', { message: '' }),
);

type Damage = (lines: readonly string[]) => readonly string[];
const at = fc.nat(200);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  at.map(
    (n): Damage =>
      (lines) =>
        lines.filter((_line, index) => index !== n % Math.max(1, lines.length)),
  ),
  fc.tuple(at, at).map(
    ([n, to]): Damage =>
      (lines) =>
        move(lines, n, to, 1),
  ),
  fc.tuple(at, at).map(
    ([n, to]): Damage =>
      (lines) =>
        move(lines, n, to, 0),
  ),
  fc.tuple(at, fc.nat(300)).map(
    ([n, end]): Damage =>
      (lines) =>
        change(lines, n, (text) => text.slice(0, end)),
  ),
  fc.tuple(at, fc.nat(300), fc.nat(20)).map(
    ([n, from, count]): Damage =>
      (lines) =>
        change(lines, n, (text) => text.slice(0, from) + text.slice(from + count)),
  ),
  fc.tuple(at, fc.oneof(fc.json(), fc.string(), turns)).map(
    ([n, text]): Damage =>
      (lines) =>
        lines.toSpliced(n % (lines.length + 1), 0, text),
  ),
);

function change(lines: readonly string[], n: number, to: (text: string) => string): readonly string[] {
  return lines.map((line, index) => (index === n % Math.max(1, lines.length) ? to(line) : line));
}

/** Removed from its place, or duplicated. */
function move(lines: readonly string[], n: number, to: number, taken: 0 | 1): readonly string[] {
  const from = n % Math.max(1, lines.length);
  const rest = lines.toSpliced(from, taken);
  return rest.toSpliced(to % (rest.length + 1), 0, ...lines.slice(from, from + 1));
}

function isRow(event: AgentEvent): event is EventOf<'call-ended'> | EventOf<'background-ended'> {
  return event.kind === 'call-ended' || event.kind === 'background-ended';
}

describe('Codex rollouts, damaged at random', () => {
  it('never give a call the result of another, and end none twice', () => {
    fc.assert(
      fc.property(stories, fc.array(damage, { maxLength: 12 }), (calls, damages) => {
        const lines = damages.reduce<readonly string[]>((some, one) => one(some), calls.flatMap(toLines));
        const { reader, read } = openLines(openRollout, '/x/rollout.jsonl');
        const rows = [...lines.flatMap((line) => [...read(line)]), ...(reader.leave?.() ?? [])].filter(isRow);
        for (const { callId, result, input } of rows) {
          const own = callId.replace(/^w/, '');
          // A call whose id was damaged belongs to nobody.
          const others = calls.some((one) => one.id === own) ? calls.filter((one) => one.id !== own) : [];
          for (const other of others) assert.ok(!`${result.text} ${input.json}`.includes(other.id), callId);
        }
        const ended = rows.filter((event) => event.kind === 'call-ended').map((event) => event.callId);
        assert.equal(new Set(ended).size, ended.length);
        assert.ok((reader.pendingLine ?? 1) <= Math.max(1, lines.length));
      }),
      { numRuns: toRuns(1000) },
    );
  });

  it('give the complete calls their own results', () => {
    fc.assert(
      fc.property(stories, (calls) => {
        const { reader, read } = openLines(openRollout, '/x/rollout.jsonl');
        const rows = [...calls.flatMap(toLines).flatMap(read), ...(reader.leave?.() ?? [])].filter(isRow);
        const last = new Map(rows.map((event) => [event.callId, event.result]));
        for (const { id: own, kind, code } of calls) {
          const result = last.get(own);
          const hasCode = !['patch', 'refused', 'aborted'].includes(kind);
          assert.equal(result?.exitCode, hasCode ? code : undefined, kind);
          assert.equal(result?.cancelled, kind === 'aborted' ? true : undefined);
        }
      }),
    );
  });

  it('never throw, whatever a row contains', () => {
    const types = ['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'];
    const names = [
      'function_call',
      'custom_tool_call_output',
      'message',
      'exec_command_end',
      'item_completed',
      'local_shell_call',
      'web_search_call',
      'mcp_tool_call_end',
      'user_message',
      'turn_aborted',
    ];
    const items = ['CommandExecution', 'FileChange', 'McpToolCall', 'UserMessage', 'ImageView', 'DynamicToolCall'];
    const some = fc.jsonValue();
    const wire = fc.dictionary(
      fc.constantFrom(
        'id',
        'call_id',
        'name',
        'arguments',
        'output',
        'command',
        'changes',
        'result',
        'invocation',
        'source',
        'cwd',
        'content',
        'action',
        'duration',
        'exit_code',
        'turn_id',
        'git',
        'started_at_ms',
      ),
      fc.oneof(some, fc.constantFrom('a', 'exec_command', '{"cmd":1}'), fc.double()),
    );
    const payload = fc
      .tuple(wire, fc.constantFrom(...names), wire, fc.constantFrom(...items))
      .map(([rest, type, inner, kind]) => ({ ...rest, type, item: { ...inner, type: kind } }));
    const line = fc.tuple(fc.constantFrom(...types), payload).map(([type, one]) => row(type, one));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(line, fc.json(), fc.string())),
        fc.option(fc.oneof(fc.string(), fc.json())),
        (lines, memo) => {
          const { reader, read } = openLines(openRollout, '/x/rollout.jsonl', memo === null ? {} : { memo });
          for (const text of lines) read(text);
          assert.equal(typeof (reader.memo ?? ''), 'string');
          reader.leave?.();
        },
      ),
    );
  });
});
