/** A client of the daemon's door without a shell: fast, and able to leave at any moment. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface Sending {
  readonly doorFile: string;
  readonly event: string;
  readonly payload: object;
  /** Leaves after so many bytes of the payload, without a word. */
  readonly leaveAfter?: number;
}

/** True when the daemon gave its receipt. False when it did not, whatever happened. */
export function sendEvent({ doorFile, event, payload, leaveAfter }: Sending): Promise<boolean> {
  const door = findDoor(doorFile);
  if (door === undefined) return Promise.resolve(false);
  const { port, ask, answer } = door;
  const bytes = Buffer.from(`${JSON.stringify(payload)}\0`);
  return new Promise((done) => {
    let heard = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.write(`${ask} 1 claude-code ${event} -\n`);
    const leave = (isReceived: boolean) => {
      socket.destroy();
      done(isReceived);
    };
    socket.setTimeout(10_000, () => leave(false));
    socket.on('error', () => leave(false));
    socket.on('data', (chunk) => {
      const isGreeted = heard.includes('\n');
      heard += chunk.toString();
      if (isGreeted || !heard.includes('\n')) return;
      if (!heard.startsWith(`${answer}\n`)) return leave(false);
      if (leaveAfter === undefined) return void socket.write(bytes);
      socket.write(bytes.subarray(0, leaveAfter), () => leave(false));
    });
    // The second line is the receipt: a connection that just ends may be a daemon's that was killed.
    socket.on('end', () => leave(heard.split('\n').length > 2));
    socket.on('close', () => leave(false));
  });
}

function findDoor(file: string): { port: number; ask: string; answer: string } | undefined {
  try {
    const [port = '', ask = '', answer = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return { port: Number(port), ask, answer };
  } catch {
    return undefined;
  }
}
