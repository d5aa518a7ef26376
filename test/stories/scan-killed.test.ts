import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { readScanned, type Scanned } from './scan-store.ts';
import { writeSessions } from './session-file.ts';

const ROOT = join(import.meta.dirname, '../..');
const SIZE = { files: 8, calls: 50, outputBytes: 6_000 };
const KILLS = Number(process.env.ONCEBITTEN_TEST_KILLS ?? 6);

describe('a scan', { timeout: 900_000 }, () => {
  let root: string;
  let sessions: string;
  let undisturbed: Scanned;
  let writtenBytes: number;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-killed-'));
    sessions = join(root, 'sessions');
    writeSessions(sessions, SIZE);
    assert.equal(await start(join(root, 'undisturbed')).ended, 0);
    writtenBytes = countWritten(join(root, 'undisturbed'));
    undisturbed = await readScanned(join(root, 'undisturbed'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const start = (dataDir: string) => {
    const args = ['scan', '--agent', 'claude-code', '--path', sessions, '--home', dataDir, '--json'];
    const child = spawn(process.execPath, [join(ROOT, 'dist/cli.mjs'), ...args], {
      env: { ...COMPILE_CACHE, HOME: root, PATH: process.env.PATH ?? '' },
      stdio: 'ignore',
    });
    return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
  };
  /** How much of it is in the store: of the same scan, always the same. */
  const countWritten = (dataDir: string): number =>
    ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(join(dataDir, `oncebitten.db${end}`), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  const same = (actual: Scanned): void => {
    assert.deepEqual(actual.calls, undisturbed.calls);
    assert.deepEqual(actual.signatures, undisturbed.signatures);
    assert.deepEqual(actual.lessons, undisturbed.lessons);
  };

  it('reads every call once', () => {
    assert.equal(undisturbed.calls.length, SIZE.files * SIZE.calls);
    assert.ok(undisturbed.lessons.length > 0);
  });

  it('that is killed at any moment and run again loses nothing and doubles nothing', async (t) => {
    let killed = 0;
    for (let n = 0; n < KILLS; n++) {
      const dataDir = join(root, `killed-${n}`);
      // Three in a row: a scan may be killed on its way through what another one left.
      for (let i = 0; i < 3; i++) {
        const { child, ended } = start(dataDir);
        const from = countWritten(dataDir);
        const enough = from + Math.random() * Math.max(writtenBytes - from, writtenBytes / 4);
        const timer = setInterval(() => countWritten(dataDir) >= enough && child.kill('SIGKILL'), 1);
        killed += (await ended) === null ? 1 : 0;
        clearInterval(timer);
      }
      assert.equal(await start(dataDir).ended, 0);
      same(await readScanned(dataDir));
    }
    t.diagnostic(`${killed} of ${KILLS * 3} were killed in time`);
    assert.ok(killed >= KILLS);
  });

  it('beside another one on the same store doubles nothing', async () => {
    const dataDir = join(root, 'twice');
    const codes = await Promise.all([start(dataDir), start(dataDir), start(dataDir)].map(({ ended }) => ended));
    assert.deepEqual(codes, [0, 0, 0]);
    same(await readScanned(dataDir));
  });
});
