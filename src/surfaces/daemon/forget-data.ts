/** Removes what a person wants forgotten from the store and from every file of the data directory. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SPOOL_SUFFIX } from '../../base/fact.ts';
import {
  type ForgetReport,
  type ForgetWish,
  type IsForgotten,
  makeIsForgotten,
  type Told,
} from '../../base/forgotten.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import { JOURNAL_SUFFIX } from '../../capture/open-journal.ts';
import { listBySuffix, removeDrafts } from '../../capture/read-spool.ts';
import { dropEvidence } from '../../distill/lesson/drop-evidence.ts';
import { removeBackupDrafts } from '../../keep/backup/backup-files.ts';
import { removeRestoreDrafts } from '../../keep/store/remove-restore-drafts.ts';
import { forgetClaims } from '../../match/claim-lesson.ts';
import type { DataHome } from '../data-home.ts';
import { type ForgottenBackups, forgetInBackups } from '../forget-in-backups.ts';
import { removeMarks } from '../hook/away-marks.ts';
import { compileLessons } from '../loop/compile-lessons.ts';
import { writeBriefs } from '../loop/write-briefs.ts';
import { writeOwnFile } from '../write-own-file.ts';

export interface ForgetParts {
  readonly home: DataHome;
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly progress?: (line: string) => void;
}

/** Nobody else may be at work: no daemon, and its lock held. */
export async function forgetData(
  parts: ForgetParts,
  wish: ForgetWish,
  at: string,
): Promise<ForgetReport & { readonly backups: ForgottenBackups }> {
  const { home, store } = parts;
  const report = await store.forget(wish, { at, dryRun: false, dropEvidence });
  forgetFacts(home.spoolDir, makeIsForgotten(await store.listForgotten()));
  for (const key of report.sessionKeys) {
    forgetClaims(home.claimsDir, key);
    removeMarks(home.pastDir, key);
  }
  if (wish.kind === 'all') forgetFolders(home);
  await writeBriefs(store, home, report.projectIds);
  forgetLogs(home);
  removeOldCopies(home.storeFile);
  removeRestoreDrafts(home.storeFile);
  removeBackupDrafts(home, Number.POSITIVE_INFINITY);
  await compileLessons(parts);
  const forget = (backup: Store) => backup.forget(wish, { at, dryRun: false, dropEvidence });
  return { ...report, backups: await forgetInBackups(home, forget, parts.progress) };
}

/** Earlier versions copied the file before its tables changed: `oncebitten.db.before-<from>-<to>`. */
function removeOldCopies(storeFile: string): void {
  const [folder, start] = [dirname(storeFile), `${basename(storeFile)}.before-`];
  for (const name of readdirSync(folder).filter((one) => one.startsWith(start)))
    rmSync(join(folder, name), { force: true });
}

/** Facts on disk that would go. */
export function countSpooledFacts(dir: string, isForgotten: IsForgotten): number {
  return listWaiting(dir).reduce((sum, name) => sum + splitFacts(dir, name, isForgotten).gone, 0);
}

function forgetFacts(dir: string, isForgotten: IsForgotten): void {
  for (const name of listWaiting(dir)) {
    const { kept, gone } = splitFacts(dir, name, isForgotten);
    if (gone === 0) continue;
    if (kept.length === 0) rmSync(join(dir, name), { force: true });
    else writeOwnFile(join(dir, name), `${kept.join('\n')}\n`);
  }
  removeDrafts(dir, Date.now() - 60_000);
}

function splitFacts(dir: string, name: string, isForgotten: IsForgotten): { kept: readonly string[]; gone: number } {
  const lines = readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const kept = lines.filter((line) => {
    const told = findTold(line);
    return told !== undefined && !isForgotten(told);
  });
  return { kept, gone: lines.length - kept.length };
}

/** Of a fact of any version. Undefined for half a line: nobody can tell whose it is, and nobody would take it. */
function findTold(line: string): Told | undefined {
  try {
    const { sessionId, at, cwd, call } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const known = (call as { projectId?: unknown } | undefined)?.projectId;
    const projectId = typeof known === 'string' ? known : identifyProject(typeof cwd === 'string' ? cwd : '').id;
    return { sessionId: String(sessionId), projectId, at: String(at) };
  } catch {
    return undefined;
  }
}

function listWaiting(dir: string): readonly string[] {
  return [...listBySuffix(dir, SPOOL_SUFFIX), ...listBySuffix(dir, JOURNAL_SUFFIX)];
}

function forgetFolders(home: DataHome): void {
  for (const dir of [home.claimsDir, home.pastDir, home.briefsDir, home.backupsDir, join(home.dir, 'sample')]) {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** They may name folders and files. Of all hosts: home folders are shared. */
function forgetLogs(home: DataHome): void {
  const runDir = dirname(home.runDir);
  for (const host of readdirSync(runDir)) {
    for (const name of ['daemon.log', 'daemon.log.old', 'trouble.json'])
      rmSync(join(runDir, host, name), { force: true });
  }
}
