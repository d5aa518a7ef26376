/**
 * The daemon's journal: every fact is appended here, with one write, before its event is acknowledged. It is cut into
 * segments; a segment is removed once everything in it is in the store. What a killed daemon leaves behind is drained
 * by the next one. Only the daemon that holds the lock writes, so nobody races for a segment.
 */
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../base/fact.ts';

export const JOURNAL_SUFFIX = '.journal';

export interface Journal {
  append(facts: readonly Fact[]): void;
  /** Closes the current segment and gives its name; undefined when nothing was written since the last one. */
  cut(): string | undefined;
}

export function openJournal(dir: string, daemonId: string): Journal {
  let segment: { readonly name: string; readonly file: number } | undefined;
  let count = 0;
  /** The last write may have ended in the middle of a line (a full disk): the next must not go on in it. */
  let torn = false;
  const open = () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const name = `${daemonId}-${String(count++).padStart(6, '0')}${JOURNAL_SUFFIX}`;
    return { name, file: openSync(join(dir, name), 'ax', 0o600) };
  };
  return {
    append(facts) {
      if (facts.length === 0) return;
      segment ??= open();
      const start = torn ? '\n' : '';
      torn = true;
      writeFileSync(segment.file, start + facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
      torn = false;
    },
    cut() {
      const name = segment?.name;
      if (segment !== undefined) closeSync(segment.file);
      segment = undefined;
      torn = false;
      return name;
    },
  };
}
