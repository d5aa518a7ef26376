/** A client of the door that decides itself what it sends and when. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Client {
  readonly socket: Socket;
  /** Sends each part in a packet of its own. */
  send(...parts: readonly (string | Buffer)[]): Promise<void>;
  /** Waits until this much was heard. */
  hear(text: string): Promise<void>;
  /** All that was heard when the other side has closed. */
  ended(): Promise<string>;
}

export async function openClient(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const heard: Buffer[] = [];
  const text = () => Buffer.concat(heard).toString();
  let isOver = false;
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  socket.on('error', () => {});
  socket.on('end', () => (isOver = true));
  socket.on('close', () => (isOver = true));
  await once(socket, 'connect');
  return {
    socket,
    async send(...parts) {
      for (const part of parts) {
        await new Promise<void>((done) => socket.write(part, () => done()));
        // Both ends of a loopback connection share this event loop: a turn of it delivers the packet.
        await sleep(1);
      }
    },
    async hear(wanted) {
      while (!text().includes(wanted) && !isOver) await sleep(1);
    },
    async ended() {
      while (!isOver) await sleep(1);
      socket.destroy();
      return text();
    },
  };
}
