/**
 * Sends one request or event to a daemon that has proved its identity, and defines the daemon's registration and
 * status. The registration file is only a claim until the daemon answers through the door; its secrets
 * are in the door file, never in the registration.
 */

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DaemonFault } from '../../loop/home/daemon-fault.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import type { ScanStatus } from '../../loop/scan/scan-counts.ts';
import { CONTROL_AGENT, FLAGS, PROTOCOL_VERSION } from '../hook/wire-protocol.ts';

type DaemonRequest = 'status' | 'flush' | 'stop';

const PATIENCE_MS = 12_000;

/** What came of a question to the daemon. */
export interface Asked<T> {
  readonly answer?: T;
  /** Something listens at the door, but did not answer in time. */
  readonly isSilent: boolean;
}

/** Undefined if no daemon of this data directory answers. */
export async function askDaemon<T>(home: DataHome, request: DaemonRequest): Promise<T | undefined> {
  return (await tryDaemon<T>(home, request)).answer;
}

export async function tryDaemon<T>(
  home: DataHome,
  request: DaemonRequest,
  patienceMs = PATIENCE_MS,
): Promise<Asked<T>> {
  const { answer: reply, isSilent } = await sendToDaemon(home, {
    event: `${CONTROL_AGENT} ${request}`,
    payload: '{}',
    patienceMs,
  });
  try {
    return reply === undefined ? { isSilent } : { answer: JSON.parse(reply) as T, isSilent };
  } catch {
    return { isSilent };
  }
}

interface DaemonEvent {
  /** The agent and the event. */
  readonly event: string;
  /** As JSON. */
  readonly payload: string;
  readonly patienceMs?: number;
}

/** Sends an event as a hook does. The answer is the line that the hook would get. */
export async function sendToDaemon(home: DataHome, { event, ...rest }: DaemonEvent): Promise<Asked<string>> {
  try {
    const [port = '', ask = '', answer = ''] = readFileSync(home.doorFile, 'utf8').trim().split(' ');
    const header = `${ask} ${PROTOCOL_VERSION} ${event} ${FLAGS.none}`;
    return await converse({ port: Number(port), header, answer, ...rest });
  } catch {
    return { isSilent: false };
  }
}

interface Message extends Omit<DaemonEvent, 'event'> {
  readonly port: number;
  readonly header: string;
  readonly answer: string;
}

function converse({ port, header, payload, answer, patienceMs = PATIENCE_MS }: Message): Promise<Asked<string>> {
  return new Promise((done) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(`${header}\n`));
    const end = (reply?: string, isSilent = false) => {
      socket.destroy();
      done({ ...(reply === undefined ? {} : { answer: reply.trim() }), isSilent });
    };
    socket.setTimeout(patienceMs, () => end(undefined, true));
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('data', (chunk) => {
      const greeted = text.includes('\n');
      text += chunk.toString('utf8');
      const [greeting, reply, more] = text.split('\n');
      if (!greeted && text.includes('\n')) {
        if (greeting !== answer) return end();
        socket.write(`${payload}\0`);
      }
      if (more !== undefined) end(reply);
    });
  });
}

/** Identity of the daemon of a data directory. Its secrets are in the door file, never here. */
export interface Registration {
  readonly id: string;
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  readonly startedAt: string;
  /** Names of the settings variables it was started with. They apply to all projects until it stops. */
  readonly variables?: readonly string[];
}

/** The daemon's status. */
export interface DaemonStatus extends Registration {
  readonly troubles: readonly DaemonFault[];
  /** The host whose daemon uses the store, if it is another one. */
  readonly owner?: string;
  /** Absent if it does not answer HTTP requests. */
  readonly httpPort?: number;
  /** Its own scans; absent while another host uses the store. */
  readonly scan?: ScanStatus;
}

/** What the file claims; only an answer through the door proves it. */
export function readRegistration(file: string): Registration | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Registration;
  } catch {
    return undefined;
  }
}
