/**
 * Writes facts: the daemon's journal, the backlog in memory for facts that the disk does not accept, and the spool for
 * facts that find no daemon (or that of another host). The daemon appends every
 * fact with one write before acknowledging the event; it removes a segment once all its facts are in the store, and the
 * next daemon drains the segments of a killed one. Only the daemon that owns the store writes, so there is no race for
 * a segment.
 */

import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeId } from '../../base/ids.ts';
import { type Fact, SPOOL_SUFFIX } from '../../base/model/fact.ts';

export const JOURNAL_SUFFIX = '.journal';

export interface Journal {
  /** Throws if the disk rejects the write; none of these facts is kept then. */
  append(facts: readonly Fact[]): void;
  /** The size of the current segment. */
  bytes(): number;
  /** Closes the current segment and returns its name; undefined if nothing was written since the last cut. */
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
  /** The last write may have ended within a line (full disk), so the next one must start on a new line. */
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

/** Half an event would fill the little room that is left, and be written again later. */
function giveBack({ file, bytes }: Segment): void {
  try {
    ftruncateSync(file, bytes);
  } catch {
    // The torn line stays. It is not a valid fact, and the next one starts on a new line.
  }
}

interface Backlog {
  add(facts: readonly Fact[]): void;
  /** The number of waiting facts. */
  size(): number;
  /** Throws if the disk still rejects writes; facts that were written no longer wait. */
  flush(): void;
}

/** About 25 MB. Beyond this the oldest facts are dropped; their calls come back from the transcripts. */
const MAX_WAITING_FACTS = 50_000;
const FACTS_PER_FILE = 500;

/**
 * Facts that the disk rejects at the moment (full, read-only, unmounted). They wait in memory, so that an agent never
 * waits, and go to the spool as soon as it can be written again.
 */
export function openBacklog(dir: string): Backlog {
  const waiting: Fact[] = [];
  return {
    add(facts) {
      waiting.push(...facts);
      if (waiting.length > MAX_WAITING_FACTS) waiting.splice(0, waiting.length - MAX_WAITING_FACTS);
    },
    size: () => waiting.length,
    flush() {
      while (waiting.length > 0) {
        writeSpool(dir, makeId('out', Date.now()), waiting.slice(0, FACTS_PER_FILE));
        waiting.splice(0, FACTS_PER_FILE);
      }
    },
  };
}

/**
 * Writes the spool: facts that wait to be stored while no daemon runs. One file per event is written under a temporary
 * name and renamed, so that a reader sees a whole file or none. (With a shared append-only file, a writer that opened
 * it before the rename and wrote after the read would lose its fact.) Throws if the disk is full or read-only.
 */
export function writeSpool(dir: string, name: string, facts: readonly Fact[]): void {
  if (facts.length === 0) return;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${dir}/.${name}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    // Writes all of it or throws; a single write to a disk that fills up may write half and report success.
    writeFileSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, `${dir}/${name}${SPOOL_SUFFIX}`);
}
