/** Removes data that a person wants forgotten from the store and from all files of the data directory. */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Store } from '../../base/contracts/store.ts';
import { SPOOL_SUFFIX } from '../../base/model/fact.ts';
import { toAllIds } from '../../base/model/project.ts';
import type { SessionKey } from '../../base/model/session.ts';
import type { Settings } from '../../base/model/settings.ts';
import {
  type DatedRecord,
  type ForgetReport,
  type ForgetRequest,
  type IsForgotten,
  makeIsForgotten,
} from '../../base/storage/forgotten.ts';
import { JOURNAL_SUFFIX } from '../../capture/journal/journal.ts';
import { listBySuffix, removeDrafts } from '../../capture/journal/spool-files.ts';
import { dropEvidence } from '../../distill/lessons/drop-evidence.ts';
import {
  type BackupFile,
  listAutomaticBackups,
  listBackupFiles,
  removeBackupDrafts,
  removeRewrites,
} from '../../keep/backup/backup-files.ts';
import { openBackup } from '../../keep/backup/read-backup.ts';
import { writeBackup } from '../../keep/backup/write-backup.ts';
import { removeRestoreDrafts } from '../../keep/store/engines/restore-source.ts';
import { openStore, restoreStore } from '../../keep/store/open-store.ts';
import { forgetClaims } from '../../match/claims.ts';
import { compileLessons } from '../compile-lessons.ts';
import type { DataHome } from '../home/data-home.ts';
import { writeOwnFile } from '../home/write-file.ts';
import { identifyProject } from '../projects/find-project.ts';
import { writeBriefs } from '../write-briefs.ts';
import { removeMarks } from './private-sessions.ts';

interface ForgetParts {
  readonly home: DataHome;
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly progress?: (line: string) => void;
}

interface ForgottenData {
  readonly report: ForgetReport;
  readonly backups: ForgottenBackups;
}

/** The daemon must be stopped, and its lock held. */
export async function forgetData(parts: ForgetParts, wished: ForgetRequest, at: string): Promise<ForgottenData> {
  const { home, store } = parts;
  const wish = await toWholeWish(store, wished);
  const { sessionKeys, projectIds } = await store.forget(wish, { at, dryRun: true, dropEvidence });
  const earlier = readUnfinished(home)?.removals ?? [];
  // Written before anything is removed, so that a removal that is killed can be finished from this file.
  saveUnfinished(home, { removals: [...earlier, { wish, at, sessionKeys, projectIds }], backups: [] });
  const finished = await finishForgetting(parts);
  const report = finished?.reports.at(-1);
  if (finished === undefined || report === undefined) throw new Error(`${home.forgettingFile} was removed meanwhile`);
  return { report, backups: finished.backups };
}

/** A removal that a person confirmed, with what is needed to finish it once the store no longer has the rows. */
interface Removal {
  readonly wish: ForgetRequest;
  readonly at: string;
  readonly sessionKeys: readonly SessionKey[];
  readonly projectIds: readonly string[];
}

interface Unfinished {
  readonly removals: readonly Removal[];
  /** Names of the automatic backups that no longer contain any of it. */
  readonly backups: readonly string[];
}

/** The wishes that were confirmed and not finished. */
export function listUnfinished(home: Pick<DataHome, 'forgettingFile'>): readonly ForgetRequest[] {
  return (readUnfinished(home)?.removals ?? []).map(({ wish }) => wish);
}

interface FinishHow {
  /** True in a daemon: its journal is open, and it drops forgotten facts when it reads them. */
  readonly isDaemon?: boolean;
  /** Asked between two backups; true leaves the rest for another run. */
  readonly isEnding?: () => boolean;
}

interface Finished {
  /** One for each removal, in their order. */
  readonly reports: readonly ForgetReport[];
  readonly backups: ForgottenBackups;
}

/**
 * Finishes every removal that was begun. Each part may be done twice, so a run that is killed is run again. Undefined
 * when there was nothing to finish, or when the caller is ending.
 */
export async function finishForgetting(parts: ForgetParts, how: FinishHow = {}): Promise<Finished | undefined> {
  const { home, store } = parts;
  removeRewrites(home);
  const unfinished = readUnfinished(home);
  if (unfinished === undefined) return undefined;
  const { removals } = unfinished;
  if (removals.some(({ wish }) => wish.kind === 'all')) forgetFolders(home);
  forgetLogs(home);
  removeOldCopies(home.storeFile);
  removeRestoreDrafts(home.storeFile);
  if (how.isDaemon !== true) removeBackupDrafts(home, Number.POSITIVE_INFINITY);
  const done = [...unfinished.backups];
  const options = {
    done,
    ...how,
    ...(parts.progress && { progress: parts.progress }),
    onDone: (name: string) => {
      done.push(name);
      saveUnfinished(home, { removals, backups: done });
    },
  };
  const change = async (backup: Store): Promise<void> => {
    for (const { wish, at } of removals) await backup.forget(wish, { at, dryRun: false, dropEvidence });
  };
  const first = await forgetInBackups(home, change, options);
  if (how.isEnding?.() === true) return undefined;
  const reports: ForgetReport[] = [];
  for (const removal of removals) reports.push(await forgetInStore(store, removal));
  // A backup that was written while the others were changed still has the rows.
  const second = await forgetInBackups(home, change, { ...options, isEnding: () => false });
  if (how.isDaemon !== true) forgetFacts(home.spoolDir, makeIsForgotten(await store.listForgotten()));
  for (const key of removals.flatMap(({ sessionKeys }) => sessionKeys)) {
    forgetClaims(home.claimsDir, key);
    removeMarks(home.pastDir, key);
  }
  await writeBriefs(store, home, new Set(removals.flatMap(({ projectIds }) => projectIds)));
  await compileLessons(parts);
  rmSync(home.forgettingFile, { force: true });
  const backups = {
    rewritten: [...first.rewritten, ...second.rewritten],
    removed: [...first.removed, ...second.removed],
  };
  return { reports, backups };
}

/** Runs once, because data captured after the removal must stay. */
async function forgetInStore(store: Store, { wish, at, sessionKeys, projectIds }: Removal): Promise<ForgetReport> {
  const forgottenMs = new Map(
    (await store.listForgotten()).map((one) => [`${one.kind} ${one.id}`, Date.parse(one.at)]),
  );
  const ids = wish.kind === 'all' ? [''] : wish.kind === 'session' ? [wish.id] : wish.ids;
  const isDone = ids.every((id) => (forgottenMs.get(`${wish.kind} ${id}`) ?? 0) >= Date.parse(at));
  if (!isDone) return store.forget(wish, { at, dryRun: false, dropEvidence });
  return {
    projects: 0,
    sessions: 0,
    calls: 0,
    signatures: 0,
    episodes: 0,
    deliveries: 0,
    lessons: 0,
    lessonsChanged: 0,
    transcripts: 0,
    sessionKeys,
    projectIds,
  };
}

/** A project is all its ids. A backup from before two ids were joined does not know that they are one project. */
async function toWholeWish(store: Store, wish: ForgetRequest): Promise<ForgetRequest> {
  return wish.kind === 'project' ? { ...wish, ids: toAllIds(await store.listProjectAliases(), wish.ids) } : wish;
}

function readUnfinished({ forgettingFile }: Pick<DataHome, 'forgettingFile'>): Unfinished | undefined {
  return existsSync(forgettingFile) ? (JSON.parse(readFileSync(forgettingFile, 'utf8')) as Unfinished) : undefined;
}

function saveUnfinished({ forgettingFile }: DataHome, unfinished: Unfinished): void {
  writeOwnFile(forgettingFile, `${JSON.stringify(unfinished)}\n`);
}

/** Earlier versions copied the file before its tables changed: `oncebitten.db.before-<from>-<to>`. */
function removeOldCopies(storeFile: string): void {
  const [folder, start] = [dirname(storeFile), `${basename(storeFile)}.before-`];
  for (const name of readdirSync(folder).filter((one) => one.startsWith(start)))
    rmSync(join(folder, name), { force: true });
}

/** Counts waiting facts that would be removed. */
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
    const dated = findDated(line);
    return dated !== undefined && !isForgotten(dated);
  });
  return { kept, gone: lines.length - kept.length };
}

/** Reads a fact of any version. Undefined for an incomplete line, which no reader would use. */
function findDated(line: string): DatedRecord | undefined {
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

/** Removes the logs of all hosts, because logs may name folders and files. */
function forgetLogs(home: DataHome): void {
  const runDir = dirname(home.runDir);
  for (const host of readdirSync(runDir)) {
    for (const name of ['daemon.log', 'daemon.log.old', 'trouble.json'])
      rmSync(join(runDir, host, name), { force: true });
  }
}

export interface ForgottenBackups {
  readonly rewritten: readonly string[];
  readonly removed: readonly string[];
}

interface RewriteOptions {
  /** Names of backups that an interrupted run has already rewritten. */
  readonly done?: readonly string[];
  /** Called with the name of each backup that no longer contains the rows. */
  readonly onDone?: (name: string) => void;
  /** Asked before each backup; true leaves the rest for another run. */
  readonly isEnding?: () => boolean;
  readonly progress?: (line: string) => void;
}

/**
 * Removes forgotten data from every automatic backup: restores the backup into a separate file, changes it like the store,
 * and writes it again. A backup that cannot be changed is deleted, because it must not bring the data back.
 */
export async function forgetInBackups(
  home: Pick<DataHome, 'backupsDir'>,
  change: (store: Store) => Promise<unknown>,
  { done = [], onDone = () => {}, isEnding = () => false, progress = () => {} }: RewriteOptions = {},
): Promise<ForgottenBackups> {
  const rewritten: string[] = [];
  const removed = removeDamaged(home);
  const backups = listAutomaticBackups(home).filter(({ file }) => !done.includes(basename(file)));
  for (const [n, backup] of backups.entries()) {
    if (isEnding()) break;
    progress(`Removing it from automatic backups: ${n + 1} of ${backups.length}`);
    try {
      await rewrite(home, backup, change);
      rewritten.push(backup.file);
    } catch {
      rmSync(backup.file, { force: true });
      removed.push(backup.file);
    }
    onDone(basename(backup.file));
  }
  return { rewritten, removed };
}

/** Stores that `restore` set aside because SQLite could not read them: no row can be removed from such a file. */
function removeDamaged(home: Pick<DataHome, 'backupsDir'>): string[] {
  const damaged = listBackupFiles(home).filter(({ kind }) => kind === 'damaged');
  for (const { file } of damaged) for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  return damaged.map(({ file }) => file);
}

async function rewrite(
  { backupsDir }: Pick<DataHome, 'backupsDir'>,
  { file }: BackupFile,
  change: (store: Store) => Promise<unknown>,
): Promise<void> {
  const { atime, mtime } = statSync(file);
  // Named like drafts of backups, so that the cleanup removes it after a kill.
  const folder = join(backupsDir, `.${basename(file)}.${randomUUID()}.tmp`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    const place = { url: '', file: join(folder, 'store.db') };
    const { header, tables, parts } = await openBackup(file);
    const columns = new Map([...tables].map(([table, names]) => [table, [...names.keys()]]));
    await restoreStore(place, { name: file, migration: header.migration, columns, parts }, { onRows: () => {} });
    const store = await openStore(place);
    try {
      await change(store);
      await writeBackup(store, { file, at: header.at, oncebitten: header.oncebitten, onRows: () => {} });
    } finally {
      await store.close();
    }
    // Keep its times, so that its order among the backups stays.
    utimesSync(file, atime, mtime);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
