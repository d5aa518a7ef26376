/** `oncebitten mcp`: our MCP server on standard input and output, for the client that started it. */

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Handler } from '../cli/command.ts';
import { limitLines } from './limit-lines.ts';
import { makeMcpServer } from './make-server.ts';

export const run: Handler = async ({ home, env, cwd, streams = process }) => {
  const [stdin, stdout] = [streams.stdin as Readable, streams.stdout as Writable];
  const server = makeMcpServer({ home, env, cwd });
  const messages = stdin.pipe(limitLines((message) => stdout.write(`${JSON.stringify(message)}\n`)));
  const transport = new StdioServerTransport(messages, stdout);
  await server.connect(transport);
  const settle = countRequests(transport);
  await once(messages, 'end');
  await settle();
  await server.close();
  // Standard output belongs to the protocol: nothing else is printed.
  return { json: {}, text: '', rows: (async function* () {})() };
};

const PATIENCE_MS = 10_000;
const STEP_MS = 10;
const CANCELLED = 'notifications/cancelled';

/** A client may report its last call and end. The result waits until every request has its answer. */
function countRequests(transport: Transport): () => Promise<void> {
  const open = new Set<unknown>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message, extra) => {
    if ('id' in message && 'method' in message) open.add(message.id);
    // A cancelled request gets no answer.
    else if ('method' in message && message.method === CANCELLED) open.delete(message.params?.requestId);
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if ('id' in message && !('method' in message)) open.delete(message.id);
  };
  return async () => {
    for (let waited = 0; open.size > 0 && waited < PATIENCE_MS; waited += STEP_MS) await sleep(STEP_MS);
  };
}
