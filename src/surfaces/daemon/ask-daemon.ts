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

/** Undefined if no daemon of this data directory answers. */
export async function askDaemon<T>(home: DataHome, request: DaemonRequest): Promise<T | undefined> {
  try {
    const reply = await sendToDaemon(home, `${CONTROL_AGENT} ${request}`, '{}');
    return reply === undefined ? undefined : (JSON.parse(reply) as T);
  } catch {
    return undefined;
  }
}

/** Sends an event as a hook does: `agent event`, and the payload as JSON. Undefined if no daemon took it. */
export async function sendToDaemon(home: DataHome, event: string, payload: string): Promise<string | undefined> {
  try {
    const [port = '', ask = '', answer = ''] = readFileSync(home.doorFile, 'utf8').trim().split(' ');
    const header = `${ask} ${PROTOCOL_VERSION} ${event} ${FLAGS.none}`;
    return (await converse({ port: Number(port), header, payload, answer }))?.trim();
  } catch {
    return undefined;
  }
}

interface Message {
  readonly port: number;
  readonly header: string;
  readonly payload: string;
  readonly answer: string;
}

function converse({ port, header, payload, answer }: Message): Promise<string | undefined> {
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
