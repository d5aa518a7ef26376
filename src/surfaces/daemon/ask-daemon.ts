/**
 * Sends one request from the command line to a daemon that has proved its identity, and defines the daemon's
 * registration and status. The registration file is only a claim until the daemon answers through the door; its secrets
 * are in the door file, never in the registration.
 */

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DataHome } from '../../loop/home/data-home.ts';
import type { Trouble } from '../../loop/home/trouble.ts';
import type { ScanStatus } from '../../loop/scan/scan-counts.ts';
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

/** Who the daemon of a data directory is. Its secrets are in the door file, never here. */
export interface Registration {
  readonly id: string;
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  readonly startedAt: string;
  /** Names of the variables with settings that it was started with. They hold for all projects until it stops. */
  readonly variables?: readonly string[];
}

/** What the daemon says of itself. */
export interface DaemonStatus extends Registration {
  readonly troubles: readonly Trouble[];
  /** The host whose daemon has the store, when it is not this one's. */
  readonly owner?: string;
  /** What it read of session files by itself; absent while another host has the store. */
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
