/** Backup and restore on a disk without room: a real, small file system where that may be mounted. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readTablesAt } from '../../src/keep/backup/backup-rows.ts';
import { MIGRATIONS } from '../../src/keep/migrations/migrations.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { makeBackupLines, makeHeader, writeLines } from '../contracts/store/backup-file.ts';
import { makeRows } from '../contracts/store/make-rows.ts';

const skip = mayMount() ? false : 'file systems cannot be mounted here';

describe('on a disk that is full', { skip, timeout: 900_000 }, () => {
  let shell: Shell;
  let large: string;
  let stick: string;
  before(async () => {
    shell = openShell();
    mkdirSync(shell.dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'tmpfs', shell.dataDir]);
    stick = join(shell.home, 'stick');
    mkdirSync(stick);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', stick]);
    await shell.json(
      'lessons',
      'add',
      '--summary',
      'no stat',
      '--fix',
      'x',
      '--program',
      'gh pr diff',
      '--with=--stat',
    );
    const tables = (await readTablesAt(Object.keys(MIGRATIONS).at(-1) ?? '')) ?? new Map();
    const lines = makeBackupLines(makeHeader(), makeRows(tables, 2_000, ['word '.repeat(100)]));
    large = writeLines(join(shell.home, 'large.gz'), lines);
  });
  after(async () => {
    for (const dir of [shell.dataDir, stick]) execFileSync('umount', ['-l', dir]);
    await shell.close();
  });

  const lessons = async () => (await shell.list<unknown>('lessons', 'list')).length;
  const names = () => readdirSync(shell.dataDir, { recursive: true }).map(String);

  it('a backup says so and leaves nothing behind', async () => {
    fill(join(stick, 'filler'));
    const { code, stderr } = await shell.run(['data', 'backup', '--out', join(stick, 'one.gz')]);
    assert.equal(code, 1);
    assert.match(stderr, /one\.gz: the disk is full\n {2}next: free some space/);
    assert.deepEqual(readdirSync(stick), ['filler']);
    assert.equal(await lessons(), 1);
  });

  for (const [what, change, words] of [
    ['full', () => fill(join(shell.dataDir, 'filler')), /disk is full/],
    ['read-only', () => execFileSync('mount', ['-o', 'remount,ro', shell.dataDir]), /read-only/],
  ] as const)
    it(`doctor calls it ${what}, and no whole store damaged`, async () => {
      await shell.json('daemon', 'stop');
      change();
      try {
        const { stdout } = await shell.run(['doctor', '--json']);
        const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] };
        const text = JSON.stringify(checks.filter(({ name }) => ['data directory', 'disk', 'store'].includes(name)));
        assert.doesNotMatch(text, /is damaged|move the file away|restore a backup/);
        assert.match(checks.find(({ name }) => name === 'store')?.detail ?? 'none', words);
      } finally {
        execFileSync('mount', ['-o', 'remount,rw', shell.dataDir]);
        rmSync(join(shell.dataDir, 'filler'), { force: true });
      }
      assert.equal(await lessons(), 1);
    });

  it('a restore says so, and the store is as it was', async () => {
    const { code, stderr } = await shell.run(['data', 'restore', large, '--yes']);
    assert.equal(code, 1);
    assert.match(stderr, /disk is full/);
    assert.equal(await lessons(), 1);
    assert.deepEqual(
      names().filter((name) => /restore-\d|\.tmp/.test(name)),
      [],
    );
  });
});

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    const dir = execFileSync('mktemp', ['-d']).toString().trim();
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', dir], { stdio: 'ignore' });
    execFileSync('umount', [dir]);
    rmSync(dir, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/** To the last byte: ever smaller pieces until none fits. */
function fill(file: string): void {
  for (let size = 1 << 20; size >= 1; size >>= 2) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch {
      // A smaller one may fit.
    }
  }
}
