/** Sends payloads through the daemon's door, several at a time; each is sent until the daemon acknowledged it. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DataHome } from '../src/surfaces/data-home.ts';
import { FLAGS, PROTOCOL_VERSION } from '../src/surfaces/hook/wire-protocol.ts';

export async function sendEvents(home: DataHome, payloads: readonly string[], clients: number): Promise<void> {
  const [port = '', ask = ''] = readFileSync(home.doorFile, 'utf8').trim().split(' ');
  const header = `${ask} ${PROTOCOL_VERSION} claude-code PostToolUse ${FLAGS.none}\n`;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < payloads.length; n = next++) await send(Number(port), header, payloads[n] ?? '');
  };
  await Promise.all(Array.from({ length: clients }, work));
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
