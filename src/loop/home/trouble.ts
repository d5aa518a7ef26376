/**
 * What the daemon cannot do right now, for a person: `daemon status`, `doctor`, and one line at the next session's
 * start. Kept in a file, and in the daemon's own memory too: a full disk takes no file. HOT: bundled into the hook.
 */
import { readFileSync } from 'node:fs';
import type { DataHome } from './data-home.ts';

export interface Trouble {
  /** What it is about; one trouble each. */
  readonly topic: 'capture' | 'store' | 'manifest' | 'settings' | 'node';
  readonly since: string;
  readonly text: string;
  /** What to do about it. */
  readonly next?: string;
}

type TroublePlace = Pick<DataHome, 'troubleFile'>;

const MAX_LINE = 200;
/** By file. Only the daemon fills it. */
const inMemory = new Map<string, readonly Trouble[]>();

export function keepTrouble({ troubleFile }: TroublePlace, troubles: readonly Trouble[]): void {
  inMemory.set(troubleFile, troubles);
}

/** Empty when all is well, as far as is known. */
export function readTrouble({ troubleFile }: TroublePlace): readonly Trouble[] {
  return inMemory.get(troubleFile) ?? parseTroubles(troubleFile);
}

/** The weightiest as one short line; undefined when all is well. */
export function findTrouble(home: TroublePlace): string | undefined {
  const [first] = readTrouble(home);
  if (first === undefined) return undefined;
  const line = `Oncebitten fault since ${first.since}: ${first.text}`.replace(/\s+/g, ' ');
  // Without a newer Node no command runs, so the person is told what to do instead of a command to run.
  const next = first.topic === 'node' && first.next !== undefined ? `Next: ${first.next}.` : 'Check: oncebitten doctor';
  return `${line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`} ${next}`;
}

function parseTroubles(file: string): readonly Trouble[] {
  try {
    const troubles: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(troubles) ? troubles.filter(isTrouble) : [];
  } catch {
    return [];
  }
}

function isTrouble(value: unknown): value is Trouble {
  const { topic, since, text } = (value ?? {}) as Record<string, unknown>;
  return [topic, since, text].every((one) => typeof one === 'string');
}
