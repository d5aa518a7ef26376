import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { openEvents } from '../../src/agents/copilot/history.ts';
import { makeDamage } from './make-damage.ts';
import { openLines, readAll } from './open-lines.ts';

const MAIN = fileURLToPath(
  new URL('../fixtures/copilot/session-state/0b9d3c55-6f21-4b0e-9a77-2d1f4e8c6a01/events.jsonl', import.meta.url),
);
const lines = readFileSync(MAIN, 'utf8').trimEnd().split('\n');

const record = (type: string, data: object): string =>
  JSON.stringify({ type, data, timestamp: '2026-01-01T00:00:00.000Z' });
/** A call whose input, answers and output all name it. */
const begin = (id: string) =>
  record('tool.execution_start', { toolCallId: id, toolName: 'bash', arguments: { command: id } });
const end = (id: string, success: boolean) =>
  record('tool.execution_complete', { toolCallId: id, success, result: { content: id }, error: { message: id } });
const ask = (id: string, requestId: string) =>
  record('permission.requested', { requestId, permissionRequest: { toolCallId: id } });
const answer = (id: string, requestId: string, isNamed: boolean) =>
  record('permission.completed', {
    requestId,
    ...(isNamed ? { toolCallId: id } : {}),
    result: { kind: 'denied-interactively-by-user', feedback: id },
  });
const leave = (id: string) =>
  record('tool.execution_complete', {
    toolCallId: id,
    success: true,
    result: { content: `<command started in background with shellId: ${id}>` },
  });
const notify = (id: string) =>
  record('system.notification', { kind: { type: 'shell_completed', shellId: id, exitCode: id.charCodeAt(0) } });

describe('Copilot CLI logs, damaged', () => {
  it('never throws, and keeps its place', () => {
    fc.assert(
      fc.property(makeDamage(lines), (damaged) => {
        const { reader, read } = openLines(openEvents, MAIN);
        for (const line of damaged) read(line);
        reader.leave?.();
        assert.ok((reader.pendingLine ?? 0) <= damaged.length);
        read(begin('the end'));
        const ended = read(end('the end', true)).find((event) => event.kind === 'call-ended');
        assert.equal(ended?.line, damaged.length + 1);
      }),
    );
  });

  it('never gives a call the result of another', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const line = fc.oneof(
      id.map(begin),
      fc.tuple(id, fc.boolean()).map(([of, success]) => end(of, success)),
      id.map((of) => ask(of, `request ${of}`)),
      fc.tuple(id, fc.boolean()).map(([of, isNamed]) => answer(of, `request ${of}`, isNamed)),
      id.map(leave),
      id.map(notify),
      fc.constantFrom(record('abort', {}), record('user.message', { content: 'go' }), record('session.shutdown', {})),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (damaged) => {
        for (const event of readAll(openEvents, MAIN, damaged)) {
          if (event.kind !== 'call-ended' && event.kind !== 'background-ended') continue;
          const { callId, input, result } = event;
          assert.equal(input.command, callId);
          assert.ok(result.text === '' || result.text === callId, result.text);
          assert.ok(result.denied?.words === undefined || result.denied.words === callId);
          assert.ok(event.kind === 'call-ended' || result.exitCode === callId.charCodeAt(0));
        }
      }),
    );
  });

  it('never throws, whatever the lines and the memo are', () => {
    const bytes = fc.uint8Array().map((data) => Buffer.from(data).toString('utf8'));
    const type = fc.constantFrom(...new Set(lines.map((line) => String(JSON.parse(line).type))));
    const any = fc
      .record({
        type,
        data: fc.jsonValue(),
        timestamp: fc.constant('2026-01-01T00:00:00.000Z'),
        agentId: fc.jsonValue(),
      })
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), bytes, any)), fc.option(fc.json(), { nil: undefined }), (all, memo) => {
        readAll(openEvents, MAIN, all, memo === undefined ? {} : { memo });
      }),
    );
  });
});
