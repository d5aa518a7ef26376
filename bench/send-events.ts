/** Sends payloads through the daemon's door, until the daemon has acknowledged each. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DataHome } from '../src/loop/home/data-home.ts';
import { FLAGS, PROTOCOL_VERSION } from '../src/surfaces/hook/wire-protocol.ts';

const EVENT = 'PostToolUse';
/** Messages that a stream sends before it waits for their receipts. */
const AT_ONCE = 32;

/** As hooks do: one connection for each event, several at a time. */
export async function sendEvents(home: DataHome, payloads: readonly string[], clients: number): Promise<void> {
  const { port, header } = readDoor(home, FLAGS.none);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < payloads.length; n = next++) await send(port, header, payloads[n] ?? '');
  };
  await Promise.all(Array.from({ length: clients }, work));
}

/** As programs that stay do: all events of one on one connection. */
export async function streamEvents(home: DataHome, payloads: readonly string[], clients: number): Promise<void> {
  const { port, header } = readDoor(home, FLAGS.stream);
  const share = Math.ceil(payloads.length / clients);
  const shares = Array.from({ length: clients }, (_, i) => payloads.slice(i * share, (i + 1) * share));
  await Promise.all(shares.map((part) => stream(port, header, part)));
}

function readDoor(home: DataHome, flag: string): { readonly port: number; readonly header: string } {
  const [port = '', ask = ''] = readFileSync(home.doorFile, 'utf8').trim().split(' ');
  return { port: Number(port), header: `${ask} ${PROTOCOL_VERSION} claude-code ${EVENT} ${flag}\n` };
}

function send(port: number, header: string, payload: string): Promise<void> {
  return new Promise((done, fail) => {
    let greeted = false;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(header));
    socket.on('error', fail);
    socket.on('data', () => {
      if (!greeted) socket.write(`${payload}\0`);
      greeted = true;
    });
    socket.on('end', () => {
      socket.end();
      done();
    });
  });
}

function stream(port: number, header: string, payloads: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    let sent = 0;
    /** The first line is the daemon's greeting. */
    let lines = -1;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(header));
    socket.on('error', fail);
    socket.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) lines++;
      if (lines === payloads.length) {
        socket.end();
        done();
      } else if (lines === sent) {
        const part = payloads.slice(sent, sent + AT_ONCE);
        sent += part.length;
        socket.write(part.map((payload) => `${EVENT}\n${payload}\0`).join(''));
      }
    });
  });
}
