/**
 * The daemon's door: a loopback server for the protocol of `hook/wire-protocol.ts`, with one event per connection or a
 * stream of many. `answer-hook.ts` answers the events. Messages of a stream that arrive together are stored with one
 * write and acknowledged together.
 */

import { createServer, type Server, type Socket } from 'node:net';
import { parseJson } from '../../base/records.ts';
import { CONTROL_AGENT, END_OF_PAYLOAD, FLAGS, GO_ON, type Header, parseHeader } from '../hook/wire-protocol.ts';

export interface Door {
  readonly port: number;
  /** When the last hook event came, by a monotonic clock, because the time of day may be set back. */
  lastUsedMs(): number;
  /** Accepts no new connections; resolves when the last one has ended. */
  close(): Promise<void>;
}

export interface Secrets {
  readonly ask: string;
  readonly answer: string;
}

/** Takes the payload as parsed JSON (undefined if invalid) and returns the reply line, empty for silence. */
export type Answer = (header: Header, payload: unknown) => string | Promise<string>;

interface Answers {
  readonly hooks: { readonly answer: Answer; readonly answerAll: AnswerAll };
  /** Answers a request of the command line, such as `flush`. */
  readonly control: (request: string) => Promise<unknown>;
}

const MAX_HEADER_BYTES = 1024;
/** A larger payload is read and discarded, because a full socket would block the shim's `cat`. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
/** Up to this size, a payload is parsed whenever a chunk could be its end; above, only the NUL byte ends it. */
const EAGER_PARSE_BYTES = 1024 * 1024;
const IDLE_CONNECTION_MS = 10_000;
/** How long a connection may last after the door was closed. */
const LAST_WORDS_MS = 500;
const CLOSING_BRACE = 0x7d;
const NEWLINE = 0x0a;

export async function serveHooks(secrets: Secrets, answers: Answers, idleMs = IDLE_CONNECTION_MS): Promise<Door> {
  const sockets = new Set<Socket>();
  let lastUsedMs = performance.now();
  const answer: Answer = async (header, payload) => {
    if (header.agent === CONTROL_AGENT) return JSON.stringify(await answers.control(header.event));
    lastUsedMs = performance.now();
    return answers.hooks.answer(header, payload);
  };
  const answerAll: AnswerAll = (header, messages) => {
    lastUsedMs = performance.now();
    return answers.hooks.answerAll(header, messages);
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    socket.setTimeout(idleMs, () => socket.destroy());
    converse(socket, secrets, { answer, answerAll });
  });
  const port = await listen(server);
  const hurry = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    lastUsedMs: () => lastUsedMs,
    close: () =>
      new Promise((done) => {
        const timer = setTimeout(hurry, LAST_WORDS_MS);
        server.close(() => {
          clearTimeout(timer);
          done();
        });
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    // Handle later errors, too, because a failed accept must not end the daemon.
    server.on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) done(address.port);
    });
  });
}

/** One connection: header, answer, payload, reply. Further bytes are read and ignored. */
function converse(socket: Socket, secrets: Secrets, { answer, answerAll }: Answers['hooks']): void {
  let head = Buffer.alloc(0);
  let header: Header | undefined;
  let stream: ((chunk: Buffer) => void) | undefined;
  let done = false;
  const payload = makePayload();

  const takeHeader = (chunk: Buffer): Buffer => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\n');
    header = end < 0 ? undefined : parseHeader(head.toString('utf8', 0, end), secrets.ask);
    if (header?.flags.includes(FLAGS.stream)) stream = converseStream(socket, header, answerAll);
    if (header !== undefined) socket.write(`${secrets.answer}\n`);
    else if (end >= 0 || head.length > MAX_HEADER_BYTES) socket.destroy();
    return head.subarray(end + 1);
  };

  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    if (done) return;
    const rest = header === undefined ? takeHeader(chunk) : chunk;
    // Destroyed: the header was refused, and the rest came with it.
    if (header === undefined || rest.length === 0 || socket.destroyed) return;
    if (stream !== undefined) return stream(rest);
    const whole = payload.add(rest);
    done = whole !== undefined;
    if (whole !== undefined) void reply(socket, header, whole.value, answer);
    else socket.write(GO_ON);
  });
}

interface Payload {
  /** Undefined until the payload is complete; `value` is undefined if it is no JSON. */
  add(chunk: Buffer): { readonly value: unknown } | undefined;
}

function makePayload(): Payload {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      const last = chunk.at(-1);
      const ended = last === END_OF_PAYLOAD;
      if (bytes > MAX_PAYLOAD_BYTES) {
        chunks.length = 0;
        return ended ? { value: undefined } : undefined;
      }
      chunks.push(chunk);
      const mayBeWhole = ended || (bytes <= EAGER_PARSE_BYTES && (last === CLOSING_BRACE || last === NEWLINE));
      return mayBeWhole ? parseWhole(chunks, ended) : undefined;
    },
  };
}

function parseWhole(chunks: readonly Buffer[], ended: boolean): { readonly value: unknown } | undefined {
  const all = Buffer.concat(chunks);
  try {
    return { value: JSON.parse(all.toString('utf8', 0, all.length - (ended ? 1 : 0))) };
  } catch {
    return ended ? { value: undefined } : undefined;
  }
}

async function reply(socket: Socket, header: Header, payload: unknown, answer: Answer): Promise<void> {
  try {
    // The line is the receipt, also when it is empty.
    socket.end(`${await answer(header, payload)}\n`);
  } catch {
    // Without a receipt the shim runs hook.cjs. `answer` has logged the error.
    socket.end();
  }
}

/** One of many events on one connection, from a long-running program such as a plugin inside an agent. */
export interface StreamMessage {
  readonly event: string;
  /** Undefined when it is no JSON. */
  readonly payload: unknown;
}

export type AnswerAll = (header: Header, messages: readonly StreamMessage[]) => StreamAnswer;

interface StreamAnswer {
  /** One for each message, without its newline; empty for silence. */
  readonly lines: readonly string[];
  /** Reading pauses until then, because messages that arrive faster than they are stored would fill the memory. */
  readonly delay: Promise<void> | undefined;
}

/** A larger message ends the connection; the client must send unacknowledged messages again. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** No timeout, because a plugin may be idle for hours. */
const NEVER = 0;

/** Returns the function that takes the bytes after the header. */
function converseStream(socket: Socket, header: Header, answerAll: AnswerAll): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;
  socket.setTimeout(NEVER);
  if (header.agent === CONTROL_AGENT) socket.destroy();
  return (chunk) => {
    const end = chunk.lastIndexOf(END_OF_PAYLOAD);
    bytes += chunk.length;
    if (end < 0) {
      parts.push(chunk);
      if (bytes > MAX_MESSAGE_BYTES) socket.destroy();
      return;
    }
    const whole = Buffer.concat([...parts, chunk.subarray(0, end)]);
    parts = [chunk.subarray(end + 1)];
    bytes = chunk.length - end - 1;
    const messages = whole.toString('utf8').split('\0').map(parseMessage);
    try {
      const { lines, delay } = answerAll(header, messages);
      socket.write(lines.map((line) => `${line}\n`).join(''));
      if (delay === undefined) return;
      socket.pause();
      void delay.then(() => socket.resume());
    } catch {
      // Without a receipt the client sends these again, or uses the spool.
      socket.destroy();
    }
  };
}

function parseMessage(text: string): StreamMessage {
  const end = text.indexOf('\n');
  return { event: text.slice(0, Math.max(end, 0)), payload: parseJson(text.slice(end + 1)) };
}
