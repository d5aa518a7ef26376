/** Who the daemon of a data directory is. Its secrets are in the door file, never here. */
import { readFileSync } from 'node:fs';
import type { Trouble } from '../hook/find-trouble.ts';
import type { ScanStatus } from '../scan/scan-status.ts';

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
