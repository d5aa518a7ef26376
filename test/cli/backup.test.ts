import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { RowCounts } from '../../src/base/storage/backup.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { runRestore as restore } from '../../src/surfaces/cli/data/backup.ts';
import { makeCall, makeSession } from '../contracts/store/make-samples.ts';
import { openShell, type Shell } from './open-shell.ts';

interface Backup {
  readonly file: string;
  readonly rows: RowCounts;
}
interface Restored {
  readonly restored: boolean;
  readonly savedTo?: string;
  readonly damaged?: string;
  readonly now: RowCounts | null;
  readonly backup: { readonly rows: RowCounts };
  readonly unforgotten: number;
  readonly troubles: readonly string[];
}

describe('backup and restore', { timeout: 900_000 }, () => {
  let shell: Shell;
  let backups: string;
  before(() => {
    shell = openShell();
    backups = join(shell.dataDir, 'backups');
  });
  after(() => shell.close());

  const add = (summary: string, program: string) =>
    shell.json(
      'lessons',
      'add',
      '--summary',
      summary,
      '--fix',
      'use --name-only',
      '--program',
      program,
      '--with=--stat',
    );
  const summaries = async () =>
    (await shell.list<{ summary: string }>('lessons', 'list')).map(({ summary }) => summary).sort();
  const speaks = () => readFileSync(join(shell.dataDir, 'manifest.json'), 'utf8');
  const fails = async (args: readonly string[], reason: RegExp): Promise<void> => {
    const { code, stderr } = await shell.run(args);
    assert.equal(code, 1);
    assert.match(stderr, reason);
    assert.match(stderr, /\n {2}next: /);
  };

  it('says where there is none, and how to make one', async () => {
    const { code, stdout } = await shell.run(['data', 'restore']);
    assert.equal(code, 0);
    assert.match(stdout, /no backups.*: oncebitten data backup --home/);
  });

  let first: Backup;
  it('writes a file for its owner alone, while the daemon runs', async () => {
    await shell.json('daemon', 'start');
    await add('no stat', 'gh pr diff');
    first = await shell.json<Backup>('data', 'backup');
    assert.equal(first.rows.lessons, 1);
    assert.match(first.file, /backups\/oncebitten-\d{4}-[\dTZ-]+\.jsonl\.gz$/);
    assert.deepEqual([statSync(backups).mode & 0o777, statSync(first.file).mode & 0o777], [0o700, 0o600]);
    assert.equal((await shell.json<{ running?: boolean; pid?: number }>('daemon', 'status')).pid !== undefined, true);
  });

  it('refuses to write where something is, or nothing can be', async () => {
    const out = join(shell.home, 'mine.gz');
    writeFileSync(out, 'mine');
    await fails(['backup', '--out', out], /already exists\n {2}next: .*--force/);
    assert.equal(readFileSync(out, 'utf8'), 'mine');
    await shell.json('data', 'backup', '--out', out, '--force');
    assert.equal(readFileSync(out)[0], 0x1f);
    await fails(['backup', '--out', shell.home], /is a folder/);
    await fails(['backup', '--out', join(shell.home, 'no', 'where.gz')], /its folder does not exist/);
    assert.deepEqual(
      readdirSync(shell.home).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  it('shows what would be, and asks', async () => {
    await add('later', 'git log');
    const { restored, now, backup } = await shell.json<Restored>('data', 'restore', first.file, '--dry-run');
    assert.deepEqual([restored, now?.lessons, backup.rows.lessons], [false, 2, 1]);
    const { stdout } = await shell.run(['data', 'restore', first.file, '--dry-run']);
    assert.match(stdout, / is intact: written at /);
    assert.match(stdout, /\nlessons +2 +1\n/);
    await fails(['restore', first.file], /no terminal to ask for confirmation\n {2}next: .*--dry-run.*--yes/);
    const asked: string[] = [];
    const answer = await restore({
      home: toDataHome(shell.dataDir),
      arguments: [first.file],
      options: {},
      env: {},
      cwd: shell.home,
      readStdin: async () => '',
      readLines: async function* () {},
      ask: async (question) => {
        asked.push(question);
        return 'n';
      },
      progress: () => {},
    });
    assert.match(asked[0] ?? '', /lessons +2 +1[\s\S]*Type yes/);
    assert.deepEqual(answer.json, { restored: false });
    assert.deepEqual(await summaries(), ['later', 'no stat']);
  });

  it('refuses files that are not whole, and changes nothing', async () => {
    const bad = join(shell.home, 'bad.gz');
    writeFileSync(bad, readFileSync(first.file).subarray(0, 200));
    await fails(['restore', bad, '--yes'], /bad\.gz: was cut short/);
    await fails(
      ['restore', join(shell.home, 'none.gz'), '--yes'],
      /does not exist\n {2}next: .*: oncebitten data restore --home/,
    );
    assert.deepEqual(await summaries(), ['later', 'no stat']);
    assert.equal(readdirSync(backups).length, 1);
  });

  it('puts it in the place of the store, keeps what was there, and the daemon goes on', async () => {
    const done = await shell.json<Restored>('data', 'restore', first.file, '--yes');
    assert.deepEqual([done.restored, done.troubles], [true, []]);
    assert.deepEqual(await summaries(), ['no stat']);
    assert.doesNotMatch(speaks(), /later/);
    assert.notEqual((await shell.json<{ pid?: number }>('daemon', 'status')).pid, undefined);
    const undone = await shell.json<Restored>('data', 'restore', done.savedTo ?? '', '--yes');
    assert.equal(undone.restored, true);
    assert.deepEqual(await summaries(), ['later', 'no stat']);
    assert.match(speaks(), /later/);
    assert.deepEqual(
      readdirSync(shell.dataDir).filter((name) => name.includes('.restore-')),
      [],
    );
  });

  it('is named by doctor once there is one', async () => {
    const { stdout } = await shell.run(['doctor']);
    assert.match(stdout, /store: SQLite.*; the newest backup is less than a day old/);
  });

  it('puts a backup in the place of a store that is damaged, and keeps that', async () => {
    await shell.json('daemon', 'stop');
    const store = join(shell.dataDir, 'oncebitten.db');
    const broken = Buffer.from('this was a database once\n'.repeat(400));
    writeFileSync(store, broken);
    const { now } = await shell.json<Restored>('data', 'restore', first.file, '--dry-run');
    assert.equal(now, null);
    const { damaged = '' } = await shell.json<Restored>('data', 'restore', first.file, '--yes');
    assert.deepEqual(readFileSync(damaged), broken);
    assert.deepEqual(await summaries(), ['no stat']);

    // Its pages are wrong, but it opens.
    const good = readFileSync(store);
    truncateSync(store, Math.floor(good.length / 8192) * 4096);
    const second = await shell.json<Restored>('data', 'restore', first.file, '--yes');
    assert.ok(second.damaged !== undefined && statSync(second.damaged).size < good.length);
    assert.deepEqual(await summaries(), ['no stat']);
  });

  it('begins a new data directory', async () => {
    const other = join(shell.home, 'other');
    const { code, stderr } = await shell.run(['data', 'restore', first.file, '--yes'], { home: other });
    assert.deepEqual([code, stderr], [0, '']);
    const { stdout } = await shell.run(['lessons', 'list'], { home: other });
    assert.match(stdout, /no-stat/);
    assert.equal(existsSync(join(other, 'backups')), false);
  });

  it('holds what is forgotten later: forget says so, restore too, and forget --all removes it', async () => {
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveSessions([makeSession({ sessionId: 'secret' })]);
    await store.saveCalls([makeCall({ sessionId: 'secret' })], 'observed');
    await store.close();
    const { file } = await shell.json<Backup>('data', 'backup');
    const { stdout } = await shell.run(['data', 'forget', '--session', 'secret', '--yes']);
    assert.match(stdout, /^Forgotten: session secret[\s\S]*backups of your own may still contain/);
    assert.ok(stdout.includes(file));
    assert.equal((await shell.json<Restored>('data', 'restore', file, '--dry-run')).unforgotten, 1);
    assert.match(
      (await shell.run(['data', 'restore', file, '--dry-run'])).stdout,
      /forgotten \w+( times)? after this backup\. It comes back/,
    );
    await shell.json('data', 'forget', '--all', '--yes');
    assert.equal(existsSync(backups), false);
  });
});
