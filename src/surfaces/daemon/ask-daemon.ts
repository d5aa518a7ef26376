/** The command line's side of the door: one request to the daemon that proved who it is. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DataHome } from '../data-home.ts';
import { CONTROL_AGENT, FLAGS, PROTOCOL_VERSION } from '../hook/wire-protocol.ts';

export type DaemonRequest = 'status' | 'flush' | 'stop';

const PATIENCE_MS = 12_000;

/** Undefined when there is no daemon behind the door, or it is not ours. */
export async function askDaemon<T>(home: DataHome, request: DaemonRequest): Promise<T | undefined> {
  try {
    const [port = '', ask = '', answer = ''] = readFileSync(home.doorFile, 'utf8').trim().split(' ');
    const reply = await converse(
      Number(port),
      `${ask} ${PROTOCOL_VERSION} ${CONTROL_AGENT} ${request} ${FLAGS.none}`,
      answer,
    );
    return reply === undefined ? undefined : (JSON.parse(reply) as T);
  } catch {
    return undefined;
  }
}

function converse(port: number, header: string, answer: string): Promise<string | undefined> {
  return new Promise((done) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(`${header}\n`));
    const end = (reply?: string) => {
      socket.destroy();
      done(reply);
    };
    socket.setTimeout(PATIENCE_MS, () => end());
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('data', (chunk) => {
      const greeted = text.includes('\n');
      text += chunk.toString('utf8');
      const [greeting, reply, more] = text.split('\n');
      if (!greeted && text.includes('\n')) {
        if (greeting !== answer) return end();
        socket.write('{}\0');
      }
      if (more !== undefined) end(reply);
    });
  });
}
