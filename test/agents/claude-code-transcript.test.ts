import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { TEXT_WINDOW_CHARS } from '../../src/agents/calls.ts';
import { decodeRow } from '../../src/agents/claude-code/decode-row.ts';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { isHookRun } from '../../src/base/model/tool.ts';
import { openLines } from './open-lines.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/claude-code/transcripts/', import.meta.url));
const TOOLS = 'aab97bb6-6c5a-4803-83c4-bb01e22bf453';
const DENIED = 'f7061d34-dfeb-4701-ba3d-24da26fad85b';
const HOOK_DENIED = '06422828-e8f9-49ba-9245-e85e8c0bc09f';
const HOOK_BLOCKED = 'b0d44ba1-4825-4e82-99d5-2449deab9677';
const COMPACT = 'dcebb0a0-049f-42b1-b752-ec8d53e3042e';
/** Written after the shapes of 2.1.17, which no installed client produces any more. */
const OLDER = '5d0c9b1e-3f0a-4a57-9a53-0d6f6c1f2a11';

function readFile(name: string) {
  const path = `${FOLDER}${name}.jsonl`;
  const { reader, read } = openLines(openTranscript, path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const events = lines.flatMap((line) => [...read(line)]);
  return { path, reader, lines, events, calls: events.filter(isEnded), prompts: events.filter(isPrompt) };
}

const isEnded = (event: AgentEvent): event is EventOf<'call-ended'> => event.kind === 'call-ended';
const isPrompt = (event: AgentEvent): event is EventOf<'prompted'> => event.kind === 'prompted';

function row(fields: Record<string, unknown>): string {
  return JSON.stringify({ sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', ...fields });
}

function callRow(id: string): string {
  return row({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }] },
  });
}

function resultRow(id: string, content: unknown = 'ok'): string {
  return row({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } });
}

describe('Claude Code transcripts, as recorded', () => {
  it('pairs every call with its result', () => {
    const { calls, reader } = readFile(TOOLS);
    assert.deepEqual(
      calls.map(({ rawTool, result }) => [rawTool, result.isError, result.exitCode]),
      [
        ['Bash', false, 0],
        ['Bash', true, 2],
        ['Bash', false, 0],
        ['Bash', false, undefined],
        ['Read', true, undefined],
        ['Read', false, undefined],
        ['Edit', true, undefined],
        ['Edit', false, undefined],
        ['Write', false, undefined],
        ['Glob', false, undefined],
        ['Grep', false, undefined],
        ['Read', false, undefined],
        ['Bash', true, 2],
        ['Bash', false, 0],
        ['Read', true, undefined],
        ['NoSuchTool', true, undefined],
        ['Bash', true, 143],
        ['Bash', false, undefined],
        ['Agent', false, undefined],
      ],
    );
    assert.deepEqual([...reader.skipped], []);
    assert.equal(reader.pendingLine, undefined);
  });

  it('gives a call the line of its request', () => {
    const { calls, lines, path } = readFile(TOOLS);
    for (const call of calls) {
      assert.ok(lines[(call.line ?? 0) - 1]?.includes(`"type":"tool_use","id":"${call.callId}"`));
      assert.equal(call.transcriptPath, path);
    }
  });

  it('keeps time, place, branch, model and version of the row', () => {
    const [call] = readFile(OLDER).calls;
    assert.deepEqual(
      [call?.at, call?.cwd, call?.branch, call?.model, call?.agentVersion, call?.sessionId, call?.contextId],
      ['2026-01-10T10:00:02.000Z', '/home/dev/project', 'main', 'claude-opus-4-5', '2.1.17', OLDER, ''],
    );
  });

  it('takes the duration from the result if it has one, and from nowhere else', () => {
    const { calls } = readFile(TOOLS);
    assert.deepEqual(
      calls.filter((call) => call.result.durationMs !== undefined).map((call) => call.rawTool),
      ['Glob', 'Agent'],
    );
  });

  it('reads the file of a sub-agent into its own context of the same session', () => {
    const { calls } = readFile(`${TOOLS}/subagents/agent-a10aecaadbcdbc245`);
    assert.deepEqual(
      calls.map(({ sessionId, contextId, result }) => [sessionId, contextId, result.isError, result.exitCode]),
      [
        [TOOLS, 'a10aecaadbcdbc245', false, undefined],
        [TOOLS, 'a10aecaadbcdbc245', true, 1],
      ],
    );
  });

  it('does not take the task of a sub-agent for a prompt', () => {
    assert.deepEqual(readFile(`${TOOLS}/subagents/agent-a10aecaadbcdbc245`).prompts, []);
  });

  it('separates refusals by rule, by missing permission and by hook from failures', () => {
    for (const name of [DENIED, HOOK_DENIED, HOOK_BLOCKED]) {
      const calls = readFile(name).calls.filter((call) => !isHookRun(call));
      assert.ok(calls.length > 0);
      const by = name === DENIED ? 'rule' : 'hook';
      for (const call of calls) assert.deepEqual(call.result.denied, { by }, call.result.text);
    }
  });

  it("reports a compaction, and the person's prompts around it", () => {
    const { events } = readFile(COMPACT);
    assert.deepEqual(
      events.map((event) => (event.kind === 'prompted' ? event.text : event.kind)),
      ['start', 'said', 'call-ended', 'said', 'compacted', 'after compaction', 'said'],
    );
  });
});

describe('Claude Code transcripts of older builds', () => {
  const { calls, prompts, reader, lines } = readFile(OLDER);
  const result = (id: string) => calls.find((call) => call.callId === id)?.result;

  it("keeps the user's comment on a refusal", () => {
    assert.deepEqual(result('toolu_words')?.denied, { by: 'user', words: 'never push without asking' });
    assert.deepEqual(result('toolu_silent')?.denied, { by: 'user' });
  });

  it('takes siblings of a failed call and interrupted calls for cancelled', () => {
    for (const id of ['toolu_sibling', 'toolu_parallel', 'toolu_interrupted'])
      assert.equal(result(id)?.cancelled, true, id);
    assert.equal(result('toolu_first')?.cancelled, undefined);
    assert.equal(result('toolu_first')?.exitCode, 1);
  });

  it('pairs a result that was written before its call', () => {
    assert.equal(result('toolu_early')?.text, 'issue ENG-1');
    assert.equal(calls.find((call) => call.callId === 'toolu_early')?.tool, 'mcp:linear-server/get_issue');
  });

  it('separates unnamed sub-agents in the main file', () => {
    assert.equal(calls.find((call) => call.callId === 'toolu_side')?.contextId, 'sidechain');
  });

  it('reports only prompts that a person typed', () => {
    assert.deepEqual(
      prompts.map((prompt) => prompt.text),
      ['rename the helper', 'also fix the docs', 'go on'],
    );
  });

  it('reports that a new turn left a call without result, and waits for the last one', () => {
    assert.equal(calls.filter((call) => call.result.unended === true).length, 1);
    assert.deepEqual([...reader.skipped], []);
    assert.equal(reader.pendingLine, lines.length);
  });
});

describe('Claude Code transcripts, broken', () => {
  const open = () => openLines(openTranscript, '/x/ses.jsonl');

  it('counts lines that do not fit the format, by reason', () => {
    const reader = open();
    const lines = [
      '{"type":"user"',
      '["user"]',
      '{"type":"user"}',
      '{"type":"assistant","x":{"type":"tool_use"}}',
      '{"type":"dream","sessionId":"s"}',
      '{"type":"user","message":{"content":"a\\q"}}',
      '{"sessionId":"s"}',
      '',
      ' \t\r',
      'thinking',
      '{"type":"progress","half of a row that nobody wants',
    ];
    for (const line of lines) assert.deepEqual(reader.read(decodeRow(Buffer.from(line))), []);
    assert.deepEqual(Object.fromEntries(reader.reader.skipped), {
      'line cut off': 1,
      'not a JSON object': 2,
      'broken JSON': 1,
      'unknown record: dream': 1,
      'unknown record: no type': 1,
      'row without time or session': 2,
    });
  });

  it('takes the session from the file if the row has none', () => {
    const reader = open();
    reader.read(callRow('a').replace('"sessionId":"s",', ''));
    const [event] = reader.read(resultRow('a'));
    assert.equal(event?.sessionId, 'ses');
  });

  it('resumes at the line of the oldest open call', () => {
    const { reader, read } = openLines(openTranscript, '/x/s.jsonl', { firstLine: 41 });
    for (const line of [callRow('a'), callRow('b'), resultRow('a')]) read(line);
    assert.equal(reader.pendingLine, 42);
    read(resultRow('b'));
    assert.equal(reader.pendingLine, undefined);
  });

  it('cuts a long output to head and tail', () => {
    const reader = open();
    reader.read(callRow('a'));
    const [event] = reader.read(resultRow('a', `first\n${'x '.repeat(50_000)}\nlast`));
    const text = event !== undefined && isEnded(event) ? event.result.text : '';
    assert.ok(text.length <= TEXT_WINDOW_CHARS);
    assert.match(text, /^first\n[\s\S]*\[…\][\s\S]*\nlast$/);
  });

  it('never throws and never loses count, whatever the lines are', () => {
    const type = fc.constantFrom('user', 'assistant', 'system', 'attachment');
    const block = fc.record({
      type: fc.constantFrom('tool_use', 'tool_result', 'text'),
      id: fc.jsonValue(),
      content: fc.jsonValue(),
    });
    const message = fc.oneof(fc.jsonValue(), fc.record({ content: fc.oneof(fc.jsonValue(), fc.array(block)) }));
    const rowLine = fc
      .record({ type, message, timestamp: fc.jsonValue(), toolUseResult: fc.jsonValue() }, { requiredKeys: ['type'] })
      .map((value) => row(value));
    const bytes = fc.uint8Array().map((data) => Buffer.from(data).toString('utf8'));
    fc.assert(
      fc.property(fc.array(fc.oneof(rowLine, bytes, fc.json())), (lines) => {
        const reader = open();
        for (const line of lines) reader.read(line);
        reader.read(callRow('end'));
        const [event] = reader.read(resultRow('end'));
        assert.equal(event?.line, lines.length + 1);
      }),
    );
  });
});
