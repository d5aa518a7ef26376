import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../src/base/contracts/store.ts';
import { dropEvidence } from '../../src/distill/lessons/drop-evidence.ts';
import { dropOldBackups, listAutomaticBackups, listBackupFiles } from '../../src/keep/backup/backup-files.ts';
import { checkBackup } from '../../src/keep/backup/read-backup.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { forgetInBackups } from '../../src/loop/privacy/forget-data.ts';
import { type BackupParts, makeBackupJob } from '../../src/loop/upkeep/backup-job.ts';
import { makeCall, makeSession } from '../contracts/store/make-samples.ts';
import { makeTestClock } from '../fixtures/make-test-clock.ts';

const DAY_MS = 86_400_000;

describe('automatic backups', () => {
  let dir: string;
  let backupsDir: string;
  let file: string;
  let store: Store;
  let nowMs: number | undefined;
  let lines: string[];
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-backups-'));
    backupsDir = join(dir, 'backups');
    file = join(dir, 'oncebitten.db');
    store = await openSqliteStore(file);
    nowMs = Date.now();
    lines = [];
    for (const sessionId of ['s1', 's2']) {
      await store.saveSessions([makeSession({ sessionId })]);
      const calls = Array.from({ length: 500 }, (_, n) => makeCall({ sessionId, callId: `c${n}`, inputSummary: 'ls' }));
      await store.saveCalls(calls, 'observed');
    }
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const clock = makeTestClock(() => nowMs);
  const makeJob = (parts: Partial<BackupParts> = {}) =>
    makeBackupJob({
      ...{ backupsDir, clock, oncebitten: '1', log: (line: string) => void lines.push(line) },
      ...{ open: () => openSqliteStore(file), delayMs: 0, ...parts },
    });
  const list = () => listAutomaticBackups({ backupsDir });
  const settle = async (job: ReturnType<typeof makeJob>) => {
    for (let n = 0; n < 500 && !job.isBackedUp(); n++) await sleep(20);
  };
  /** A file that looks like a backup of some days ago. */
  const make = (name: string, days: number, bytes = 10): string => {
    mkdirSync(backupsDir, { recursive: true });
    const path = join(backupsDir, name);
    writeFileSync(path, Buffer.alloc(bytes));
    const at = new Date(Date.now() - days * DAY_MS);
    utimesSync(path, at, at);
    return path;
  };

  it('are made once a day, whole, while others write', async () => {
    const job = makeJob();
    assert.equal(job.isBackedUp(), false);
    job.step();
    await store.saveCalls([makeCall({ sessionId: 's3' })], 'observed');
    await settle(job);
    const [backup, ...others] = list();
    assert.deepEqual([backup?.kind, others.length, lines], ['daily', 0, []]);
    const { rows } = await checkBackup(backup?.file ?? '', () => {});
    assert.ok([1000, 1001].includes(rows.tool_outcomes ?? 0));
    for (const again of [job, makeJob()]) again.step();
    await job.end();
    assert.equal(list().length, 1);
  });

  it('are not made while the clock is not trusted, nor of a store on a server', async () => {
    const trusted = nowMs;
    nowMs = undefined;
    const job = makeJob();
    job.step();
    await job.end();
    assert.equal(job.isBackedUp(), false);
    nowMs = trusted;
    const other = makeJob({ open: undefined });
    other.step();
    await other.end();
    assert.deepEqual([existsSync(backupsDir), other.isBackedUp()], [false, true]);
  });

  it('leave nothing behind when the daemon ends in the middle', async () => {
    const job = makeJob();
    job.step();
    await job.end();
    assert.deepEqual(existsSync(backupsDir) ? readdirSync(backupsDir) : [], []);
    assert.deepEqual(lines, []);
  });

  it('say why there is none: a disk that takes nothing, a store that is too large', async () => {
    writeFileSync(backupsDir, '');
    const job = makeJob();
    job.step();
    for (let n = 0; n < 100 && lines.length === 0; n++) await sleep(20);
    assert.match(clock.readBackup()?.reason ?? '', /EEXIST|ENOTDIR/);
    rmSync(backupsDir);
    const large = makeJob({ maxBytes: 100 });
    large.step();
    for (let n = 0; n < 500 && clock.readBackup()?.bytes === undefined; n++) await sleep(20);
    assert.ok((clock.readBackup()?.bytes ?? 0) > 100);
    assert.deepEqual(readdirSync(backupsDir), []);
    const next = makeJob();
    next.step();
    await next.end();
    assert.deepEqual(readdirSync(backupsDir), [], 'not tried again on the same day');
    clock.noteBackup(undefined);
  });

  it('are kept by number and size, the oldest go first, and a person’s own stay', () => {
    const own = make('oncebitten-2020-01-01T00-00-00-000Z.jsonl.gz', 900, 500);
    const daily = Array.from({ length: 9 }, (_, n) => make(`oncebitten-${n}-daily.jsonl.gz`, n));
    const before = Array.from({ length: 4 }, (_, n) => make(`oncebitten-${n}-before-migration.jsonl.gz`, n + 20));
    dropOldBackups({ backupsDir });
    const left = () => list().map(({ file: one }) => one);
    assert.deepEqual(left(), [...daily.slice(0, 7), ...before.slice(0, 3)]);
    dropOldBackups({ backupsDir }, 85);
    assert.deepEqual(left(), [...daily.slice(0, 7), before[0]]);
    dropOldBackups({ backupsDir }, 85, new Date(Date.now() - 10 * DAY_MS).toISOString());
    assert.deepEqual(left(), daily.slice(0, 7));
    assert.ok(existsSync(own));
    assert.equal(listBackupFiles({ backupsDir }).find(({ kind }) => kind === 'own')?.file, own);
  });

  it('keep the largest copy from before a removal when smaller ones follow it', () => {
    const full = make('oncebitten-0-before-removal.jsonl.gz', 9, 900);
    const later = Array.from({ length: 4 }, (_, n) => make(`oncebitten-${n + 1}-before-removal.jsonl.gz`, n, 10));
    const daily = Array.from({ length: 3 }, (_, n) => make(`oncebitten-${n}-daily.jsonl.gz`, n + 0.5, 40));
    dropOldBackups({ backupsDir });
    assert.deepEqual(new Set(list().map((one) => one.file)), new Set([full, ...later.slice(0, 2), ...daily]));
    dropOldBackups({ backupsDir }, 955);
    assert.deepEqual(new Set(list().map((one) => one.file)), new Set([full, later[0], daily[0]]));
    dropOldBackups({ backupsDir }, 955, new Date(Date.now() - 5 * DAY_MS).toISOString());
    assert.equal(existsSync(full), false, 'its age still counts');
  });

  it('lose what is forgotten; one that cannot be changed goes', async () => {
    const job = makeJob();
    job.step();
    await settle(job);
    const broken = make('oncebitten-1-before-removal.jsonl.gz', 3);
    const own = make('oncebitten-2.jsonl.gz', 3);
    const damaged = make('damaged-1.db', 3);
    make('damaged-1.db-wal', 3);
    const [daily] = list();
    const at = daily?.at;
    const forget = (one: Store) =>
      one.forget({ kind: 'session', id: 's1' }, { at: new Date().toISOString(), dryRun: false, dropEvidence });
    const done = await forgetInBackups({ backupsDir }, forget);
    assert.deepEqual(done, { rewritten: [daily?.file], removed: [damaged, broken] });
    assert.deepEqual([existsSync(broken), existsSync(own)], [false, true]);
    assert.deepEqual([existsSync(damaged), existsSync(`${damaged}-wal`)], [false, false]);
    const checked = await checkBackup(daily?.file ?? '', () => {});
    assert.deepEqual([checked.rows.tool_outcomes, checked.rows.sessions], [500, 1]);
    assert.ok(checked.forgotten.has('session s1'));
    assert.equal(list()[0]?.at, at, 'it keeps its place');
    assert.deepEqual(
      readdirSync(backupsDir).filter((name) => name.startsWith('.')),
      [],
    );
  });
});
