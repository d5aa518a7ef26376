/**
 * The daemon's journal: every fact is appended here, with one write, before its event is acknowledged. It is cut into
 * segments; a segment is removed once everything in it is in the store. What a killed daemon leaves behind is drained
 * by the next one. Only the daemon that owns the store writes, so nobody races for a segment.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../base/fact.ts';

export const JOURNAL_SUFFIX = '.journal';

export interface Journal {
  /** Throws when the disk takes no more; nothing of these facts is kept then. */
  append(facts: readonly Fact[]): void;
  /** Of the current segment. */
  bytes(): number;
  /** Closes the current segment and gives its name; undefined when nothing was written since the last one. */
  cut(): string | undefined;
}

interface Segment {
  readonly name: string;
  readonly file: number;
  bytes: number;
}

export function openJournal(dir: string, daemonId: string): Journal {
  let segment: Segment | undefined;
  let count = 0;
  /** The last write may have ended in the middle of a line (a full disk): the next must not go on in it. */
  let torn = false;
  const open = (): Segment => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const name = `${daemonId}-${String(count++).padStart(6, '0')}${JOURNAL_SUFFIX}`;
    return { name, file: openSync(join(dir, name), 'ax', 0o600), bytes: 0 };
  };
  return {
    append(facts) {
      if (facts.length === 0) return;
      segment ??= open();
      const text = `${torn ? '\n' : ''}${facts.map((fact) => `${JSON.stringify(fact)}\n`).join('')}`;
      torn = true;
      write(segment, Buffer.from(text));
      torn = false;
    },
    bytes: () => segment?.bytes ?? 0,
    cut() {
      const name = segment?.name;
      if (segment !== undefined) closeSync(segment.file);
      segment = undefined;
      torn = false;
      return name;
    },
  };
}

function write(segment: Segment, bytes: Buffer): void {
  try {
    writeFileSync(segment.file, bytes);
    segment.bytes += bytes.length;
  } catch (error) {
    giveBack(segment);
    throw error;
  }
}

/** Half an event would fill what little room is left, and be written again later. */
function giveBack({ file, bytes }: Segment): void {
  try {
    ftruncateSync(file, bytes);
  } catch {
    // Then the torn line stays; it is no fact, and the next one begins on a line of its own.
  }
}
