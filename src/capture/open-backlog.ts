/**
 * Facts that no disk takes right now (full, read-only, away). They wait in memory, so that an agent never waits, and go
 * to the spool as soon as it can be written again.
 */
import type { Fact } from '../base/fact.ts';
import { makeId } from '../base/ids.ts';
import { writeSpool } from './write-spool.ts';

export interface Backlog {
  add(facts: readonly Fact[]): void;
  /** How many wait. */
  size(): number;
  /** Throws when the disk still takes none; what it took does not wait any more. */
  flush(): void;
}

/** Some 25 MB. Past this the oldest go: their calls come back from the transcripts. */
const MAX_FACTS = 50_000;
const FACTS_PER_FILE = 500;

export function openBacklog(dir: string): Backlog {
  const waiting: Fact[] = [];
  return {
    add(facts) {
      waiting.push(...facts);
      if (waiting.length > MAX_FACTS) waiting.splice(0, waiting.length - MAX_FACTS);
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
