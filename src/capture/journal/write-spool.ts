/**
 * The spool: facts that wait to be stored while no daemon runs. One file per event, written under a temporary name and
 * renamed: a reader sees a whole file or none, and no writer can append to a file that was just drained. (A shared
 * append-only file loses the fact of a writer that opened it before the rename and wrote after the read.)
 */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Fact, SPOOL_SUFFIX } from '../../base/model/fact.ts';

/** One write per event. Throws when the disk is full or read-only: the caller decides that nobody is told. */
export function writeSpool(dir: string, name: string, facts: readonly Fact[]): void {
  if (facts.length === 0) return;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${dir}/.${name}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    // All of it or an error: a single write to a disk that fills up may take half and report success.
    writeFileSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, `${dir}/${name}${SPOOL_SUFFIX}`);
}
