/** Reads what waits in the spool folder: spooled facts, and journal segments that a daemon left behind. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, SPOOL_SUFFIX } from '../base/fact.ts';
import { parseFact } from './parse-fact.ts';

/** Names of what waits, oldest first: names begin with the time. */
export function listSpool(dir: string): readonly string[] {
  return listBySuffix(dir, SPOOL_SUFFIX);
}

export function listBySuffix(dir: string, suffix: string): readonly string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
}

/** Lines that are no facts are left out. Throws when the file cannot be read. */
export function readFacts(dir: string, name: string): readonly Fact[] {
  return readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .map(parseFact)
    .filter((fact) => fact !== undefined);
}

export function removeSpooled(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}
