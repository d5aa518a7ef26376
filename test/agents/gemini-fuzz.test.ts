import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { openChat, readChat } from '../../src/agents/gemini/history.ts';
import { makeDamage } from './make-damage.ts';
import { openLines, readAll } from './open-lines.ts';

const CHATS = fileURLToPath(new URL('../fixtures/gemini/shop/chats/', import.meta.url));
const MAIN = `${CHATS}session-2026-10-02T09-15-5b0c1d2e.jsonl`;
const lines = readFileSync(MAIN, 'utf8').trimEnd().split('\n');
const document = readFileSync(CHATS + readdirSync(CHATS).find((name) => name.endsWith('.json')), 'utf8');

const AT = '2026-01-01T00:00:00.000Z';
/** A call whose input and answer both name it. */
const turn = (id: string, status: string, answers: readonly string[]): string =>
  JSON.stringify({
    id: `message of ${id}`,
    timestamp: AT,
    type: 'gemini',
    content: '',
    toolCalls: [
      {
        id,
        name: 'run_shell_command',
        args: { command: id },
        status,
        timestamp: AT,
        result: answers.map((of) => ({
          functionResponse: { id: of, response: { output: `Output: ${of}\nExit Code: 1` } },
        })),
      },
    ],
  });

describe('Gemini CLI chats, damaged', () => {
  it('never throws, and reports no call that the whole file does not contain', () => {
    const whole = new Set(readAll(openChat, MAIN, lines).flatMap((event) => ('callId' in event ? [event.callId] : [])));
    fc.assert(
      fc.property(makeDamage(lines), (damaged) => {
        const { reader, read } = openLines(openChat, MAIN);
        for (const event of damaged.flatMap((line) => [...read(line)])) {
          if ('callId' in event) assert.ok(whole.has(event.callId) || !damaged.every((line) => lines.includes(line)));
        }
        reader.leave?.();
        assert.ok((reader.pendingLine ?? 0) <= damaged.length);
      }),
    );
  });

  it('never gives a call the answer to another', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const status = fc.constantFrom('success', 'error', 'cancelled', 'executing', 'validating');
    const line = fc.tuple(id, status, fc.array(id, { maxLength: 3 })).map((args) => turn(...args));
    const checkpoint = fc
      .array(line)
      .map((messages) => JSON.stringify({ $set: { messages: messages.map((message) => JSON.parse(message)) } }));
    fc.assert(
      fc.property(fc.array(fc.oneof(line, checkpoint, fc.constant('{"$rewindTo":"message of a"}'))), (damaged) => {
        const told = readAll(openChat, MAIN, damaged).filter((event) => event.kind === 'call-ended');
        assert.equal(new Set(told.map((call) => call.callId)).size, told.length);
        for (const { callId, input, result } of told) {
          assert.equal(input.command, callId);
          assert.ok(['', callId, `Output: ${callId}\nExit Code: 1`].includes(result.text), result.text);
        }
      }),
    );
  });

  it('never throws, whatever the lines and documents are', () => {
    const bytes = fc.uint8Array().map((data) => Buffer.from(data).toString('utf8'));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), bytes)), fc.option(fc.json(), { nil: undefined }), (any, memo) => {
        readAll(openChat, MAIN, any, memo === undefined ? {} : { memo });
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => void readChat(value, { path: MAIN, siblingFiles: {} })));
    fc.assert(
      fc.property(makeDamage([document]), ([text = '']) => {
        try {
          readChat(JSON.parse(text), { path: MAIN, siblingFiles: {} });
        } catch (error) {
          assert.ok(error instanceof SyntaxError);
        }
      }),
    );
  });

  it('keeps its count after any damage', () => {
    fc.assert(
      fc.property(makeDamage(lines), (damaged) => {
        const { read } = openLines(openChat, MAIN);
        for (const line of damaged) read(line);
        const [event] = read(turn('the end', 'success', ['the end']));
        assert.equal(event?.line, damaged.length + 1);
        assert.equal(event?.kind === 'call-ended' && event.result.exitCode, 1);
      }),
    );
  });
});
