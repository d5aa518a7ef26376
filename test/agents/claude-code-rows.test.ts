import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeRow } from '../../src/agents/claude-code/decode-row.ts';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { trimEvents } from '../../src/capture/secrets/clean-events.ts';
import { toRuns } from '../to-runs.ts';
import { readAll } from './open-lines.ts';

const ROW = { sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z' };

function callRow(name: string): string {
  const content = [{ type: 'tool_use', id: 'c1', name, input: { file_path: '/repo/a.ts' } }];
  return JSON.stringify({ ...ROW, type: 'assistant', message: { content } });
}

function resultRow(content: unknown, output: unknown, more: object = {}): string {
  const message = { role: 'user', content: [{ tool_use_id: 'c1', type: 'tool_result', content, ...more }] };
  return JSON.stringify({ parentUuid: 'p', ...ROW, type: 'user', message, uuid: 'u', toolUseResult: output });
}

/** The events of a session, up to what is stored; the mark of a cut shows only how much was there. */
function tell(rows: readonly string[]): readonly AgentEvent[] {
  const events = trimEvents(readAll(openTranscript, '/p/s.jsonl', rows));
  return JSON.parse(JSON.stringify(events).replaceAll(/\[…\d+ [0-9a-f]{16}\]/g, '[…]'));
}

function decodeAll(rows: readonly string[]): readonly string[] {
  return rows.map((row) => decodeRow(Buffer.from(row)));
}

/** Long, with everything that could be mistaken for the row's own quotes. */
const longText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.toWellFormed()),
      fc.constantFrom('word', '"}]},"', '","numLines":', ',"content":"', '"toolUseResult":{', '\\', '\\"', ' ', '\n'),
      fc.constantFrom(',"userModified":', ',"oldString":', '"is_error":true', '"tool_use_id":"x"', 'ä€😀'),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => `${pieces.join(' ')} `.repeat(400));

const output = longText.chain((text) =>
  fc.constantFrom<readonly [name: string, output: unknown]>(
    ['Bash', { stdout: text, stderr: '', interrupted: false }],
    ['Read', { type: 'text', file: { filePath: '/repo/a.ts', content: text, numLines: 9, startLine: 1 } }],
    ['Grep', { mode: 'content', numFiles: 0, filenames: [], content: text, numLines: 9 }],
    ['Edit', { filePath: '/repo/a.ts', oldString: text, newString: text, originalFile: text, structuredPatch: [text] }],
    ['Edit', { filePath: '/repo/a.ts', oldString: text, structuredPatch: [{ lines: [text] }], userModified: false }],
    ['Write', { type: 'create', filePath: '/repo/a.ts', content: text, structuredPatch: [], originalFile: null }],
    ['Agent', { status: 'completed', content: [{ type: 'text', text }], totalDurationMs: 3 }],
    ['Bash', `Error: ${text}`],
    ['Bash', undefined],
  ),
);
/** The fields after the text of a result. */
const flag = fc.constantFrom(
  {},
  { is_error: false },
  { is_error: true },
  { note: 'x' },
  { is_error: true, note: 'x' },
  { is_error: true, note: 'x', n: 1 },
);

describe("the bytes of Claude Code's rows", () => {
  it('give the same events as their whole text, though not all of it is decoded', () => {
    fc.assert(
      fc.property(longText, output, flag, (text, [name, result], error) => {
        for (const content of [text, [{ type: 'text', text }]]) {
          const rows = [callRow(name), resultRow(content, result, error)];
          assert.deepEqual(tell(decodeAll(rows)), tell(rows));
        }
      }),
      { numRuns: toRuns(60) },
    );
  });

  it('give the events of two rows between which the newline was lost', () => {
    const text = 'a line of a file\n'.repeat(1000);
    const outputs = [
      { filePath: '/repo/a.ts', oldString: text, newString: text, userModified: false },
      { type: 'text', file: { filePath: '/repo/a.ts', content: text, numLines: 1000 } },
    ];
    for (const output of outputs) {
      const [one, two] = ['c1', 'c2'].map((id) =>
        [callRow('Edit'), resultRow('done', output)].map((row) => row.replace('c1', id)),
      );
      const rows = [one?.[0] ?? '', two?.[0] ?? '', `${one?.[1]}${two?.[1]}`];
      assert.equal(tell(decodeAll(rows)).length, 2);
      assert.deepEqual(tell(decodeAll(rows)), tell(rows));
    }
  });

  it('are shorter without the parts that the reader ignores', () => {
    const text = 'a line of a file\n'.repeat(5000);
    const read = { type: 'text', file: { filePath: '/repo/a.ts', content: text, numLines: 5000 } };
    assert.ok(decodeRow(Buffer.from(resultRow(text, read))).length < 10_000);
    const edit = { filePath: '/repo/a.ts', oldString: text, newString: text, structuredPatch: [], userModified: false };
    assert.ok(decodeRow(Buffer.from(resultRow('done', edit))).length < 500);
  });

  it("keep the model's copy of several results in one row, because the owner of the output is unknown", () => {
    const text = 'x '.repeat(2000);
    const blocks = ['c1', 'c2'].map((tool_use_id) => ({ tool_use_id, type: 'tool_result', content: text }));
    const row = JSON.stringify({ ...ROW, type: 'user', message: { content: blocks }, toolUseResult: { stdout: text } });
    assert.equal(decodeRow(Buffer.from(row)), row);
  });

  it('keep failed results, whatever else the row contains', () => {
    const text = 'x '.repeat(2000);
    const failed = { tool_use_id: 'c1', type: 'tool_result', content: text, is_error: true };
    const message = { role: 'user', content: [failed, { type: 'text', text: 'and now?' }] };
    const row = JSON.stringify({ ...ROW, type: 'user', message, uuid: 'u', toolUseResult: { stdout: text } });
    assert.equal(decodeRow(Buffer.from(row)), row);
  });

  it('keep failed results, wherever the row says so', () => {
    const text = 'x '.repeat(2000);
    const failed = { is_error: true, tool_use_id: 'c1', type: 'tool_result', content: text };
    const message = { role: 'user', content: [failed] };
    const row = JSON.stringify({ ...ROW, type: 'user', message, uuid: 'u', toolUseResult: { stdout: text } });
    assert.equal(decodeRow(Buffer.from(row)), row);
  });

  it('are also read with a blank after a colon', () => {
    for (const row of [
      { type: 'system', subtype: 'compact_boundary' },
      { type: 'attachment', attachment: { type: 'queued_command' } },
    ]) {
      const line = JSON.stringify(row).replace(/:"(compact_boundary|queued_command)/, ': "$1');
      assert.equal(decodeRow(Buffer.from(line)), line);
    }
  });

  for (const [size, text] of [
    ['long', 'x'.repeat(5000)],
    ['short', 'x'],
  ] as const) {
    it(`are empty for a ${size} row without events, but not for one that shows the age of the file`, () => {
      const rows = [
        { type: 'progress', data: { text } },
        { type: 'assistant', message: { content: [{ type: 'thinking', thinking: text }] }, uuid: 'u' },
        { type: 'system', subtype: 'stop_hook_summary', hookErrors: [], text },
      ];
      for (const row of rows) assert.equal(decodeRow(Buffer.from(JSON.stringify(row))), '');
      const queued = { type: 'queue-operation', operation: 'enqueue', ...ROW, content: text };
      const hooks = { type: 'system', subtype: 'stop_hook_summary', hookErrors: ['no'], text };
      for (const row of [queued, hooks, { type: 'never-seen', text }]) {
        const line = JSON.stringify(row);
        assert.equal(decodeRow(Buffer.from(line)), line);
      }
    });
  }
});
