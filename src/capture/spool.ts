/**
 * The spool: facts that wait to be stored while no daemon runs. One file per fact, written under a temporary name and
 * renamed: a reader sees a whole fact or none, and no writer can append to a file that was just drained. (A shared
 * append-only file loses the fact of a writer that opened it before the rename and wrote after the read.)
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../base/fact.ts';

const SUFFIX = '.fact';

/** One write per fact. Throws when the disk is full or read-only: the caller decides that nobody is told. */
export function writeSpool(dir: string, name: string, facts: readonly Fact[]): void {
  if (facts.length === 0) return;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = join(dir, `.${name}`);
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  } finally {
    closeSync(file);
  }
  renameSync(draft, join(dir, name + SUFFIX));
}

/** Names of what waits, oldest first: names begin with the time. */
export function listSpool(dir: string): readonly string[] {
  return listBySuffix(dir, SUFFIX);
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

/** Lines that are no facts (a torn last line of a killed writer) are left out. */
export function readFacts(dir: string, name: string): readonly Fact[] {
  return readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .map(parseFact)
    .filter((fact) => fact !== undefined);
}

export function removeSpooled(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}

function parseFact(line: string): Fact | undefined {
  try {
    const fact = JSON.parse(line) as Fact;
    return typeof fact === 'object' && fact !== null && typeof fact.sessionId === 'string' ? fact : undefined;
  } catch {
    return undefined;
  }
}
