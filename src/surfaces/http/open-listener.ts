/**
 * The daemon's HTTP listener, as its main thread sees it: a port, and a thread that is started by the first connection.
 * The main thread only passes bytes on, so that hooks wait neither for HTTP nor for the store, and a daemon that nobody
 * asks over HTTP loads none of it. The thread ends when nobody has asked for a while.
 */

import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { toReason } from '../../base/errors.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { findThreadFile } from '../../loop/home/program-files.ts';
import { type HttpAddress, removeHttpFile, writeHttpFile } from './http-file.ts';

export interface HttpListener {
  /** Opens or closes the port, as the setting says. Asked often: does nothing if nothing has changed. */
  follow(isEnabled: boolean): void;
  /** When the last connection came, by a monotonic clock. */
  lastUsedMs(): number;
  findPort(): number | undefined;
  /** Leaves its file, because the data directory may be another one by now. */
  close(): Promise<void>;
}

interface ListenerParts {
  readonly home: DataHome;
  readonly log: (line: string) => void;
}

/** Others on this machine can connect, too, and must not use up the files that the daemon may open. */
const MAX_CONNECTIONS = 100;
/** How long the thread stays without a connection. */
const IDLE_MS = 5 * 60_000;

export function openHttpListener({ home, log }: ListenerParts): HttpListener {
  let isWanted = false;
  let isLeaving = false;
  let open: Promise<OpenPort | undefined> = Promise.resolve(undefined);
  let port: number | undefined;
  let usedMs = Number.NEGATIVE_INFINITY;
  const onUse = (): void => {
    usedMs = performance.now();
  };
  const start = async (): Promise<OpenPort | undefined> => {
    try {
      const opened = await openPort({ home, log }, onUse);
      port = opened.port;
      return opened;
    } catch (error) {
      log(`http: ${toReason(error)}`);
      return undefined;
    }
  };
  const end = async (opened: OpenPort | undefined): Promise<undefined> => {
    port = undefined;
    if (!isLeaving) removeHttpFile(home);
    await opened?.close();
    return undefined;
  };
  const follow = (isEnabled: boolean): void => {
    if (isEnabled === isWanted) return;
    isWanted = isEnabled;
    open = open.then(isEnabled ? start : end);
  };
  return {
    follow,
    lastUsedMs: () => usedMs,
    findPort: () => port,
    async close() {
      isLeaving = true;
      follow(false);
      await open;
    },
  };
}

interface OpenPort {
  readonly port: number;
  close(): Promise<void>;
}

async function openPort({ home, log }: ListenerParts, onUse: () => void): Promise<OpenPort> {
  const sockets = new Set<Socket>();
  const token = randomBytes(32).toString('hex');
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server);
  const thread = makeThread({ dataDir: home.dir, port, token }, log);
  server.on('connection', (socket) => {
    onUse();
    thread.stay();
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) thread.endLater();
    });
    socket.on('error', () => socket.destroy());
    void thread.findPort().then((inner) => (inner === undefined ? socket.destroy() : join(socket, inner)));
  });
  writeHttpFile(home, { port, token });
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
      await thread.end();
    },
  };
}

/** Passes bytes between a client and the thread until both have ended. */
function join(socket: Socket, port: number): void {
  if (socket.destroyed) return;
  const inner = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  // The client still gets what the thread has sent.
  for (const end of ['error', 'close']) inner.on(end, () => socket.destroySoon());
  socket.on('close', () => inner.destroy());
  socket.pipe(inner);
  inner.pipe(socket);
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

export interface ThreadOptions extends HttpAddress {
  readonly dataDir: string;
}

export type ThreadMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'log'; readonly line: string };

interface Thread {
  /** Starts the thread if it does not run. Undefined if it cannot be started. */
  findPort(): Promise<number | undefined>;
  stay(): void;
  endLater(): void;
  end(): Promise<void>;
}

function makeThread(options: ThreadOptions, log: (line: string) => void): Thread {
  let worker: Worker | undefined;
  let port: Promise<number | undefined> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): Promise<number | undefined> =>
    new Promise((done) => {
      const started = new Worker(findThreadFile('http'), { workerData: options });
      worker = started;
      started.on('message', (message: ThreadMessage) => {
        if (message.kind === 'log') log(message.line);
        else done(message.port);
      });
      started.on('error', (error) => log(`http: ${toReason(error)}`));
      started.on('exit', () => {
        if (worker === started) [worker, port] = [undefined, undefined];
        done(undefined);
      });
    });
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    await worker?.terminate();
  };
  return {
    findPort: () => {
      port ??= start();
      return port;
    },
    stay: () => clearTimeout(timer),
    endLater: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void end(), IDLE_MS).unref();
    },
    end,
  };
}
