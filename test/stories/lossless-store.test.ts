/** Stores of other versions, and broken ones: nothing is overwritten, nothing is lost, and a person is told. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { UserError } from '../../src/base/errors.ts';
import { listBackupFiles } from '../../src/keep/backup/backup-files.ts';
import { checkBackup } from '../../src/keep/backup/read-backup.ts';
import { MIGRATIONS } from '../../src/keep/migrations/migrations.ts';
import { MIGRATION_TABLE, migrateUp } from '../../src/keep/store/engines/migrate-store.ts';
import { openSqliteEngine, openSqliteStore, toBackupsDir } from '../../src/keep/store/engines/sqlite.ts';
import { findDaemonFault } from '../../src/loop/home/daemon-fault.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { DaemonStatus } from '../../src/surfaces/daemon/ask-daemon.ts';
import { findPid, kill, listWaiting, readCalls, settle, waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const OLD = Object.fromEntries(Object.entries(MIGRATIONS).slice(0, 3));

describe('a store of an older version', () => {
  let dir: string;
  let file: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-old-'));
    file = join(dir, 'oncebitten.db');
    await migrate(OLD);
    run("insert into projects (id, name, basis, roots, created_at) values ('p', 'shop', 'path', '[]', 't')");
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const migrate = async (migrations: typeof OLD): Promise<void> => {
    const engine = await openSqliteEngine(file);
    await migrateUp(engine, migrations);
    await engine.db.destroy();
  };
  const run = (sql: string, path = file): unknown[] => {
    const database = new DatabaseSync(path);
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  };

  it('is copied before its tables change', async () => {
    const store = await openSqliteStore(file);
    assert.deepEqual(
      (await store.listProjects()).map(({ name }) => name),
      ['shop'],
    );
    await store.close();
    const [backup, ...others] = listBackups();
    assert.ok(backup);
    assert.deepEqual([backup.kind, others.length, statSync(backup.file).mode & 0o777], ['before-migration', 0, 0o600]);
    const { header, rows } = await checkBackup(backup.file, () => {});
    assert.deepEqual([header.migration.slice(0, 4), rows.projects], ['0003', 1]);
    assert.equal(run(`select * from ${MIGRATION_TABLE}`).length, Object.keys(MIGRATIONS).length);
  });

  it('is copied once, and not at all when nothing changes', async () => {
    for (let n = 0; n < 3; n++) await (await openSqliteStore(file)).close();
    assert.equal(listBackups().length, 1);
  });

  it('keeps the newest three copies', async () => {
    const names = Object.keys(MIGRATIONS);
    for (let n = 4; n <= 8; n++)
      await migrate(Object.fromEntries(names.slice(0, n).map((name) => [name, MIGRATIONS[name] ?? { up }])));
    const versions = await Promise.all(
      listBackups().map(async ({ file: one }) => (await checkBackup(one, () => {})).header),
    );
    assert.deepEqual(
      versions.map(({ migration }) => migration.slice(0, 4)),
      ['0007', '0006', '0005'],
    );
  });

  it('stays as it was when a change fails, and says so', async () => {
    const before = dump();
    const failing = { ...OLD, '0004-made': { up }, '0005-broken': { up: () => Promise.reject(new Error('no luck')) } };
    await assert.rejects(migrate(failing), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.reason, /were not changed: no luck/);
      return true;
    });
    assert.deepEqual(dump(), before);
    await (await openSqliteStore(file)).close();
  });

  it('is not changed when there is no room for the copy', async () => {
    const before = dump();
    // A file in the way is as good as a full disk.
    rmSync(toBackupsDir(file), { recursive: true, force: true });
    writeFileSync(toBackupsDir(file), '');
    await assert.rejects(openSqliteStore(file), UserError);
    assert.deepEqual(dump(), before);
  });

  const listBackups = () => listBackupFiles({ backupsDir: toBackupsDir(file) });
  const up = (db: Parameters<NonNullable<(typeof OLD)[string]>['up']>[0]) =>
    db.schema.createTable('made').addColumn('id', 'text').execute();
  const dump = () => run('select name, sql from sqlite_master order by name').concat(run('select * from projects'));
});

describe('a daemon whose store it cannot use', { timeout: 900_000 }, () => {
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  before(async () => {
    story = await openStory();
    home = toDataHome(story.dataDir);
    const lesson = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with=--stat'];
    await story.cli('lessons', 'add', ...lesson);
  });
  after(() => story.close());

  const tell = (id: string, env = {}) => story.hook('PostToolUse.Bash', { session_id: 'store', tool_use_id: id }, env);
  const ask = async (session: string) => {
    const payload = { session_id: session, tool_use_id: 'x', tool_input: { command: 'gh pr diff 1 --stat' } };
    return (await story.hook('PreToolUse.Bash', payload)).stdout;
  };
  const hears = async (text: RegExp) =>
    waitUntil(`the daemon says ${text}`, async () =>
      ((await story.cli('daemon', 'status')) as DaemonStatus).troubles.some((one) => text.test(one.text)),
    );
  const restart = async () => {
    await story.cli('daemon', 'stop');
    await story.cli('daemon', 'start');
  };
  const ids = async () => (await readCalls(home, 'store')).map((call) => call.callId).sort();

  it('of a newer version answers from the manifest and keeps everything, until the newer daemon comes', async () => {
    await tell('old');
    await settle(home);
    // The daemon may be writing.
    const database = new DatabaseSync(home.storeFile, { timeout: 20_000 });
    database.exec(`insert into ${MIGRATION_TABLE} values ('9999-from-the-future', '2026-01-01T00:00:00.000Z')`);
    await restart();
    await hears(/was written by a newer Oncebitten/);
    assert.match(findDaemonFault(home) ?? '', /newer Oncebitten/);
    const pid = findPid(home);
    for (const id of ['new-1', 'new-2']) await tell(id);
    assert.match(await ask('newer'), /name-only/);
    assert.equal(findPid(home), pid, 'it keeps running');
    assert.ok(listWaiting(home).length > 0);
    // Killed as well: what it kept is on the disk.
    kill(pid);
    await tell('new-3', { ONCEBITTEN_NO_DAEMON: '1' });
    // The daemon of the newer version is one that knows the row.
    database.exec(`delete from ${MIGRATION_TABLE} where name like '9999%'`);
    database.close();
    await story.cli('daemon', 'start');
    await settle(home);
    assert.deepEqual(await ids(), ['new-1', 'new-2', 'new-3', 'old']);
    assert.equal(findDaemonFault(home), undefined);
  });

  it('that is broken says so, with the way back, and overwrites nothing', async () => {
    await story.cli('daemon', 'stop');
    const good = readFileSync(home.storeFile);
    const { file: backup } = (await story.cli('backup')) as { file: string };
    const broken = Buffer.from('this was a database once\n'.repeat(400));
    writeFileSync(home.storeFile, broken);
    await story.cli('daemon', 'start');
    await hears(/not a database/);
    await tell('broken-1');
    assert.match(await ask('broken'), /name-only/);
    await assert.rejects(story.cli('lessons', 'list'), ({ stderr }: { stderr: string }) => {
      assert.match(stderr, /not a database/);
      assert.ok(stderr.includes(backup));
      assert.match(stderr, /oncebitten doctor/);
      return true;
    });
    assert.deepEqual(readFileSync(home.storeFile), broken);
    await story.cli('daemon', 'stop');
    writeFileSync(home.storeFile, good);
    await story.cli('daemon', 'start');
    await settle(home);
    assert.deepEqual(await ids(), ['broken-1', 'new-1', 'new-2', 'new-3', 'old']);
  });

  it('that was cut short keeps what came since, and the file as it is', async () => {
    await story.cli('daemon', 'stop');
    const good = readFileSync(home.storeFile);
    truncateSync(home.storeFile, Math.floor(good.length / 2));
    await story.cli('daemon', 'start');
    await tell('cut-1');
    await hears(/malformed|not a database/);
    await story.cli('daemon', 'stop');
    assert.ok(listWaiting(home).length > 0);
    for (const name of readdirSync(home.dir).filter((one) => /\.db(-wal|-shm)?$/.test(one)))
      rmSync(join(home.dir, name));
    writeFileSync(home.storeFile, good);
    await story.cli('daemon', 'start');
    await settle(home);
    assert.ok((await ids()).includes('cut-1'));
  });
});
