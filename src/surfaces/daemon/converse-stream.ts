/**
 * Many events on one connection: from a program that stays, as a plugin inside an agent does. Messages that came together
 * are written down with one write and acknowledged together.
 */
import type { Socket } from 'node:net';
import { CONTROL_AGENT, END_OF_PAYLOAD, type Header } from '../hook/wire-protocol.ts';

export interface StreamMessage {
  readonly event: string;
  /** Undefined when it is no JSON. */
  readonly payload: unknown;
}

export type AnswerAll = (header: Header, messages: readonly StreamMessage[]) => StreamAnswer;

export interface StreamAnswer {
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
export function converseStream(socket: Socket, header: Header, answerAll: AnswerAll): (chunk: Buffer) => void {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
