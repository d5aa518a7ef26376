/** A message that is too long is refused over stdio, and the server goes on. Over HTTP: `http.test.ts`. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { limitLines, MAX_MESSAGE_BYTES } from '../../src/surfaces/mcp/limit-lines.ts';
import { openShell } from '../cli/open-shell.ts';
import { openStdio } from './open-client.ts';

const LONG = 'x'.repeat(MAX_MESSAGE_BYTES);

/** What comes through, and what the client is told. */
async function send(input: string, chunkBytes: number) {
  const bytes = Buffer.from(input);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, n) =>
    bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes),
  );
  const answers: { id?: unknown }[] = [];
  const passed = await text(Readable.from(chunks).pipe(limitLines((message) => answers.push(message))));
  return { passed, ids: answers.map(({ id }) => id) };
}

describe('a message over the limit', () => {
  for (const chunkBytes of [100, 65_536, 3 * MAX_MESSAGE_BYTES]) {
    it(`is answered by its id, in chunks of ${chunkBytes} bytes, and its neighbours come through`, async () => {
      const inside = `"params":{"arguments":{"id":5,"output":"${LONG}"}}`;
      const messages = [
        '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        `{"jsonrpc":"2.0","id":2,"method":"tools/call",${inside}}`,
        `{"method":"tools/call",${inside},"jsonrpc":"2.0","id":"three"}`,
        `{"method":"tools/call",${inside},"jsonrpc":"2.0"}`,
        '{"jsonrpc":"2.0","id":4,"method":"ping"}',
      ];
      const { passed, ids } = await send(messages.map((one) => `${one}\n`).join(''), chunkBytes);
      assert.equal(passed, `${messages[0]}\n${messages[4]}\n`);
      assert.deepEqual(ids, [2, 'three']);
    });
  }

  it('is refused by the server, which then answers the next one', async () => {
    const shell = openShell();
    const client = await openStdio(shell);
    try {
      const report = { action: 'tool_outcome', session_id: 'long', tool: 'shell', outcome: 'failure', command: 'make' };
      await assert.rejects(
        client.call('memory_capture', { ...report, output: LONG.repeat(12) }),
        /larger than 4 MB.*Send it again with less text/,
      );
      const { value } = await client.call('memory_capture', { ...report, output: 'make: no rule' });
      assert.equal(value.recorded, true);
    } finally {
      await client.close();
      await shell.close();
    }
  });
});
