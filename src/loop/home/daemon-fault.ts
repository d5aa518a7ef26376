/**
 * Current faults of the daemon, for `daemon status`, `doctor`, and one line at the next session's start. They are in a
 * file, and also in the daemon's memory, because a full disk takes no file. HOT: bundled into the hook.
 */
import { readFileSync } from 'node:fs';
import type { DataHome } from './data-home.ts';

export interface DaemonFault {
  /** There is at most one fault per topic. */
  readonly topic: 'capture' | 'store' | 'manifest' | 'settings' | 'node';
  readonly since: string;
  readonly text: string;
  /** What to do about it. */
  readonly next?: string;
}

type FaultPlace = Pick<DataHome, 'troubleFile'>;

const MAX_LINE = 200;
/** Faults by file. Only the daemon fills this map. */
const inMemory = new Map<string, readonly DaemonFault[]>();

export function keepDaemonFaults({ troubleFile }: FaultPlace, troubles: readonly DaemonFault[]): void {
  inMemory.set(troubleFile, troubles);
}

/** Empty if no fault is known. */
export function readDaemonFaults({ troubleFile }: FaultPlace): readonly DaemonFault[] {
  return inMemory.get(troubleFile) ?? parseFaults(troubleFile);
}

/** The first fault as one short line; undefined if there is none. */
export function findDaemonFault(home: FaultPlace): string | undefined {
  const [first] = readDaemonFaults(home);
  if (first === undefined) return undefined;
  const line = `Oncebitten fault since ${first.since}: ${first.text}`.replace(/\s+/g, ' ');
  // Without a newer Node no command runs, so the line says what to do instead of naming a command.
  const next = first.topic === 'node' && first.next !== undefined ? `Next: ${first.next}.` : 'Check: oncebitten doctor';
  return `${line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`} ${next}`;
}

function parseFaults(file: string): readonly DaemonFault[] {
  try {
    const troubles: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(troubles) ? troubles.filter(isFault) : [];
  } catch {
    return [];
  }
}

function isFault(value: unknown): value is DaemonFault {
  const { topic, since, text } = (value ?? {}) as Record<string, unknown>;
  return [topic, since, text].every((one) => typeof one === 'string');
}
