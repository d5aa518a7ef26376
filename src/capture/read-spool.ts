/** Reads what waits in the spool folder: spooled facts, and journal segments that a daemon left behind. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, SPOOL_SUFFIX } from '../base/fact.ts';
import { isLaterFact, parseFact } from './parse-fact.ts';

export interface Spooled {
  readonly facts: readonly Fact[];
  /** Some are of a version after ours: the file is for its daemon. */
  readonly hasLater: boolean;
}

/** Names of what waits, oldest first: names begin with the time. */
export function listSpool(dir: string): readonly string[] {
  return listBySuffix(dir, SPOOL_SUFFIX);
}

export function listBySuffix(dir: string, suffix: string): readonly string[] {
  return listNames(dir)
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .sort();
}

/** Lines that are no facts are left out. Throws when the file cannot be read. */
export function readFacts(dir: string, name: string): readonly Fact[] {
  return readSpooled(dir, name).facts;
}

export function readSpooled(dir: string, name: string): Spooled {
  const lines = readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const facts = lines.map(parseFact).filter((fact) => fact !== undefined);
  return { facts, hasLater: facts.length < lines.length && lines.some(isLaterFact) };
}

export function removeSpooled(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}

/** A journal segment has the form of a spool file: under such a name any daemon drains it. */
export function spoolSegment(dir: string, segment: string): void {
  renameSync(join(dir, segment), join(dir, segment + SPOOL_SUFFIX));
}

/** What writers that were killed left under its temporary name: never whole, never acknowledged. */
export function removeDrafts(dir: string, beforeMs: number): void {
  for (const name of listNames(dir).filter((one) => one.startsWith('.out_'))) {
    const modifiedMs = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? beforeMs;
    if (modifiedMs < beforeMs) removeSpooled(dir, name);
  }
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
