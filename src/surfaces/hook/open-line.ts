/**
 * One connection from a program inside an agent to the daemon, for all events of the session (protocol: `wire-protocol.ts`,
 * flag `stream`). Without a daemon, the shim reports the event, which also starts the daemon. The agent waits for each
 * reply, so everything has a deadline, and any trouble is silence. Runs on the agent's own runtime: Node or Bun.
 */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DaemonLine } from '../../base/contracts/agent-program.ts';
import { FLAGS, PROTOCOL_VERSION } from './wire-protocol.ts';

interface LinePlace {
  /** The data directory. */
  readonly home: string;
  readonly agentId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** As long as the shim waits. */
const DEADLINE_MS = 1000;
/** The start of a process on a busy machine, and what it does. */
const SHIM_DEADLINE_MS = 1500;
/** After the shim was too slow or could not be started, no event starts it for this time. */
const REST_MS = 30_000;
/** More events at once are lost, not waited for. */
const MAX_SHIMS = 4;

export function openLine({ home, agentId, env }: LinePlace): DaemonLine {
  const flag = toFlag(env);
  const isCold = env.ONCEBITTEN_PROBE === 'cold';
  const runDir = join(home, 'run', findHost(env));
  let opening: Promise<Channel | undefined> | undefined;
  let shims = 0;
  let restUntil = 0;

  const findChannel = async (): Promise<Channel | undefined> => {
    opening ??= openChannel(runDir, `${agentId} - ${flag},${FLAGS.stream}`);
    const channel = await opening;
    if (channel?.isOpen()) return channel;
    opening = undefined;
    return undefined;
  };

  const runShim = async (eventName: string, text: string): Promise<string> => {
    if (shims >= MAX_SHIMS || Date.now() < restUntil) return '';
    shims++;
    const reply = await askShim(join(home, 'bin', 'hook'), [agentId, eventName], text);
    shims--;
    if (reply === undefined) restUntil = Date.now() + REST_MS;
    return reply ?? '';
  };

  const ask = async (eventName: string, payload: object): Promise<string> => {
    const text = JSON.stringify(payload);
    const channel = isCold ? undefined : await findChannel();
    const reply = await channel?.send(eventName, text);
    if (reply !== undefined) return reply;
    // A daemon that hangs costs one call a second, not every call: it is left alone until it removes the mark itself.
    if (channel?.isLate()) writeFileSync(join(runDir, 'stalled'), '');
    return runShim(eventName, text);
  };

  return { ask: (eventName, payload) => ask(eventName, payload).catch(() => '') };
}

function toFlag({ ONCEBITTEN_PROBE: probe, DISABLE_EXPERIENCE_INJECTION: off }: LinePlace['env']): string {
  if (probe === '1' || probe === 'cold') return FLAGS.probe;
  return off === '1' ? FLAGS.quiet : FLAGS.none;
}

/** A name with a slash would lead to a door file outside of the data directory. */
function findHost({ ONCEBITTEN_HOST: named = '' }: LinePlace['env']): string {
  return named === '' || named.startsWith('.') || named.includes('/') ? hostname() : named;
}

interface Channel {
  /** Undefined if the connection ends, or the daemon is late: then the event may not have been recorded. */
  send(eventName: string, text: string): Promise<string | undefined>;
  isOpen(): boolean;
  isLate(): boolean;
}

/** Undefined if there is no daemon, it hangs, or the program at its port is another one. */
function openChannel(runDir: string, header: string): Promise<Channel | undefined> {
  const door = existsSync(join(runDir, 'stalled')) ? undefined : readDoor(join(runDir, 'door'));
  if (door === undefined) return Promise.resolve(undefined);
  return new Promise((done) => {
    const socket = connect(door.port, '127.0.0.1');
    const waiting: ((line: string | undefined) => void)[] = [];
    let isLate = false;
    let rest = '';
    const end = () => {
      socket.destroy();
      for (const take of waiting.splice(0)) take(undefined);
      done(undefined);
    };
    const wait = (): Promise<string | undefined> =>
      new Promise((take) => {
        const timer = setTimeout(() => {
          isLate = true;
          end();
        }, DEADLINE_MS);
        timer.unref();
        waiting.push((line) => {
          clearTimeout(timer);
          take(line);
        });
      });
    // The agent must be able to exit.
    socket.unref();
    socket.setNoDelay(true);
    socket.on('error', end);
    socket.on('close', end);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) waiting.shift()?.(line);
    });
    socket.write(`${door.ask} ${PROTOCOL_VERSION} ${header}\n`);
    const channel = toChannel(socket, wait, () => isLate);
    void wait().then((answer) => (answer === door.answer ? done(channel) : end()));
  });
}

function toChannel(socket: Socket, wait: () => Promise<string | undefined>, isLate: () => boolean): Channel {
  return {
    send(eventName, text) {
      if (socket.destroyed) return Promise.resolve(undefined);
      const reply = wait();
      socket.write(`${eventName}\n${text}\0`);
      return reply;
    },
    isOpen: () => !socket.destroyed,
    isLate,
  };
}

interface Door {
  readonly port: number;
  readonly ask: string;
  readonly answer: string;
}

function readDoor(file: string): Door | undefined {
  try {
    const [port = '', ask = '', answer = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return answer === '' ? undefined : { port: Number(port), ask, answer };
  } catch {
    return undefined;
  }
}

/** Undefined if it cannot be started or takes too long. */
function askShim(hookFile: string, words: readonly string[], text: string): Promise<string | undefined> {
  return new Promise((done) => {
    // Windows starts no script by itself.
    const [program = '', ...args] =
      process.platform === 'win32' ? ['cmd.exe', '/d', '/c', `${hookFile}.cmd`, ...words] : [hookFile, ...words];
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    let reply = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      done(undefined);
    }, SHIM_DEADLINE_MS);
    timer.unref();
    const end = (answer: string | undefined) => {
      clearTimeout(timer);
      done(answer);
    };
    child.on('error', () => end(undefined));
    child.on('close', () => end(reply.trim()));
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      reply += chunk;
    });
    child.stdin.end(`${text}\n`);
  });
}
