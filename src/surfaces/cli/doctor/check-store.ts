/** Doctor check of the store: engine, integrity, migrations and content. */

import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toReason, UserError } from '../../../base/errors.ts';
import { listBackupFiles } from '../../../keep/backup/backup-files.ts';
import { MIGRATIONS } from '../../../keep/migrations/migrations.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { MIGRATION_TABLE } from '../../../keep/store/engines/migrate-store.ts';
import { isBusy } from '../../../keep/store/engines/sqlite-dialect.ts';
import { findReadOnly } from '../../../loop/home/read-only-places.ts';
import { isDamaged } from '../../../loop/upkeep/restore-data.ts';
import type { CommandInput } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { toCount } from '../text.ts';
import { advice, type Finding, ok } from './check.ts';

const DAY_MS = 24 * 60 * 60_000;

export async function checkStore(input: CommandInput): Promise<Finding> {
  const { url } = readSettings(input.home.configFile, input.env).store;
  const file = input.home.storeFile;
  if (url === '' && !existsSync(file)) return advice('empty', 'run: oncebitten scan');
  const engine = url === '' ? readSqliteFacts(file) : { engine: 'PostgreSQL', server: toServer(url) };
  const { counts, files } = await readHome(input, async ({ store }) => ({
    counts: await store.countAll(),
    files: (await store.listScanStates()).length,
  })).catch((error: unknown) => {
    throw url !== '' || isDamaged(error) ? error : toUnreadable(file, error);
  });
  // Includes files that `start` and `scan` read without the daemon.
  const known = [
    `${toCount(files, 'session file')} read`,
    ...[toCount(counts.sessions, 'session'), toCount(counts.calls, 'call'), toCount(counts.lessons, 'active lesson')],
    `${toCount(counts.deliveries, 'record')} of shown lessons`,
  ].join(', ');
  const backup = findNewestBackup(input);
  const detail = [renderEngine(engine), known, ...(backup === undefined ? [] : [renderBackup(backup)])].join('; ');
  return ok(detail, { ...engine, ...counts, sessionFiles: files, ...(backup === undefined ? {} : { backup }) });
}

interface NewestBackup {
  readonly file: string;
  readonly ageMs: number;
}

function findNewestBackup({ home }: CommandInput): NewestBackup | undefined {
  const newest = listBackupFiles(home).find(({ file }) => file.endsWith('.gz'));
  return newest && { file: newest.file, ageMs: Math.max(0, Date.now() - Date.parse(newest.at)) };
}

function renderBackup({ ageMs }: NewestBackup): string {
  const days = Math.floor(ageMs / DAY_MS);
  return `the newest backup is ${days === 0 ? 'less than a day old' : `${days} days old`}`;
}

interface SqliteFacts {
  readonly engine: 'SQLite';
  readonly bytes: number;
  readonly migrations: number;
}

function readSqliteFacts(file: string): SqliteFacts {
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      const damage = database.prepare('PRAGMA quick_check(1)').all()[0]?.quick_check;
      if (damage !== 'ok') throw toDamage(file, new Error(String(damage)));
      return { engine: 'SQLite', bytes: readBytes(file), migrations: countMigrations(database) };
    } finally {
      database.close();
    }
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw isDamaged(cause) ? toDamage(file, cause) : toUnreadable(file, cause);
  }
}

/** Calls a store damaged only if SQLite says so, because a user must not move an intact store away. */
function toDamage(file: string, cause: unknown): UserError {
  return userError(
    file,
    `is damaged (${toReason(cause)})`,
    'restore a backup (list them: oncebitten data restore); or stop the daemon (oncebitten daemon stop), move the file away and learn again from the sessions: oncebitten scan',
    cause,
  );
}

/** SQLite writes a small file beside the store even to read it, so it fails on a disk that takes nothing. */
function toUnreadable(file: string, cause: unknown): UserError {
  const leave = 'do not move the store file';
  if (isBusy(cause))
    return userError(
      file,
      `is held by another process (${toReason(cause)})`,
      `run oncebitten doctor again when that process is done; ${leave}`,
      cause,
    );
  if (isFull(dirname(file), cause))
    return userError(
      file,
      `cannot be opened because the disk is full (${toReason(cause)})`,
      `make room, then run oncebitten doctor again; ${leave}`,
      cause,
    );
  const readOnly = findReadOnly(dirname(file)) ?? findReadOnly(file);
  if (readOnly !== undefined) return userError(readOnly.path, readOnly.reason, `${readOnly.next}; ${leave}`, cause);
  return userError(
    file,
    `cannot be opened (${toReason(cause)})`,
    `check its owner, its permissions and its disk, then run oncebitten doctor again; ${leave}`,
    cause,
  );
}

const PAGE_BYTES = 64 * 1024;

/** SQLite does not always say so: a file beside the store that cannot be made or grown is an I/O error to it. */
function isFull(dir: string, cause: unknown): boolean {
  for (let link = cause; link instanceof Error; link = link.cause)
    if (/ENOSPC|EDQUOT|database or disk is full/.test(link.message)) return true;
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize < PAGE_BYTES;
}

/** Includes the write-ahead log. */
function readBytes(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

function countMigrations(database: DatabaseSync): number {
  const [table] = database.prepare('select 1 from sqlite_master where name = ?').all(MIGRATION_TABLE);
  return table === undefined ? 0 : Number(database.prepare(`select count(*) as n from ${MIGRATION_TABLE}`).get()?.n);
}

function renderEngine(facts: SqliteFacts | { readonly engine: string; readonly server: string }): string {
  if ('server' in facts) return `${facts.engine} at ${facts.server}`;
  const kb = Math.ceil(facts.bytes / 1024);
  const all = Object.keys(MIGRATIONS).length;
  const schema =
    facts.migrations === all ? 'schema up to date' : `${facts.migrations} of ${all} schema migrations done`;
  return `${facts.engine}, ${kb} KB, intact, ${schema}`;
}

/** Never with the password. */
function toServer(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid address';
}
