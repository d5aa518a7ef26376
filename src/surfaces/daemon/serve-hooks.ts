/**
 * The daemon's door: a loopback server for the protocol of `hook/wire-protocol.ts`, with one event per connection or a
 * stream of many. Messages of a stream that arrive together are stored with one write and acknowledged together.
 */

import { createServer, type Server, type Socket } from 'node:net';
import { parseJson } from '../../base/records.ts';
import { CONTROL_AGENT, END_OF_PAYLOAD, FLAGS, GO_ON, type Header, parseHeader } from '../hook/wire-protocol.ts';

export interface Door {
  readonly port: number;
  /** Nobody new comes in; resolves when the last one has left. */
  close(): Promise<void>;
}

export interface Secrets {
  readonly ask: string;
  readonly answer: string;
}

/** Gets the payload as parsed JSON (undefined when it is none) and gives the reply line, empty for silence. */
export type Answer = (header: Header, payload: unknown) => string | Promise<string>;

interface Answers {
  readonly answer: Answer;
  readonly answerAll: AnswerAll;
}

const MAX_HEADER_BYTES = 1024;
/** Past this a payload is read to its end and thrown away: a full socket would hang the shim's `cat`. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
/** Up to here a payload is tried as JSON whenever a chunk could be its end; above, only its NUL tells. */
const EAGER_PARSE_BYTES = 1024 * 1024;
const IDLE_CONNECTION_MS = 10_000;
/** How long a conversation may go on after the door was closed. */
const LAST_WORDS_MS = 500;
const CLOSING_BRACE = 0x7d;
const NEWLINE = 0x0a;

export async function serveHooks(secrets: Secrets, answers: Answers): Promise<Door> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    converse(socket, secrets, answers);
  });
  const port = await listen(server);
  const hurry = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
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
    // Also later ones: a connection that cannot be accepted must not end the daemon.
    server.on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) done(address.port);
    });
  });
}

/** One conversation: header, answer, payload, reply. Whatever else comes is read and ignored until the shim leaves. */
function converse(socket: Socket, secrets: Secrets, { answer, answerAll }: Answers): void {
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

  socket.setTimeout(IDLE_CONNECTION_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    if (done) return;
    const rest = header === undefined ? takeHeader(chunk) : chunk;
    if (header === undefined || rest.length === 0) return;
    if (stream !== undefined) return stream(rest);
    const whole = payload.add(rest);
    done = whole !== undefined;
    if (whole !== undefined) void reply(socket, header, whole.value, answer);
    else socket.write(GO_ON);
  });
}

interface Payload {
  /** Undefined while more must come; `value` is undefined when all came and it is no JSON. */
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
    // No receipt: the shim turns to hook.cjs. The agent hears nothing of our trouble; `answer` has logged it.
    socket.end();
  }
}

/**
 * Many events on one connection: from a program that stays, as a plugin inside an agent does. Messages that came together
 * are written down with one write and acknowledged together.
 */
export interface StreamMessage {
  readonly event: string;
  /** Undefined when it is no JSON. */
  readonly payload: unknown;
}

export type AnswerAll = (header: Header, messages: readonly StreamMessage[]) => StreamAnswer;

interface StreamAnswer {
  /** One for each message, without its newline; empty for silence. */
  readonly lines: readonly string[];
  /** Until then no more is read: what comes faster than it can be stored would fill the memory. */
  readonly delay: Promise<void> | undefined;
}

/** A message past this is none: the connection ends, and what was not acknowledged is the client's to tell again. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** A plugin may have nothing to say for hours. */
const NEVER = 0;

/** Gives what takes the bytes that follow the header. */
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
      // No receipt: the client tells these again, or turns to the spool.
      socket.destroy();
    }
  };
}

function parseMessage(text: string): StreamMessage {
  const end = text.indexOf('\n');
  return { event: text.slice(0, Math.max(end, 0)), payload: parseJson(text.slice(end + 1)) };
}
