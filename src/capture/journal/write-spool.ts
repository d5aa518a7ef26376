/**
 * Writes the spool: facts that wait to be stored while no daemon runs. One file per event is written under a temporary
 * name and renamed, so that a reader sees a whole file or none. (With a shared append-only file, a writer that opened
 * it before the rename and wrote after the read would lose its fact.)
 */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Fact, SPOOL_SUFFIX } from '../../base/model/fact.ts';

/** One write per event. Throws if the disk is full or read-only; the caller decides to stay silent. */
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
