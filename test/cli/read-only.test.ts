/** A data directory that is read-only is called that, by every command that needs to write there and by doctor. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from './open-shell.ts';

/** The superuser may write anywhere: then somebody else has to try. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const cli = join(ROOT, 'dist/cli.mjs');
const canRun =
  spawnSync(process.execPath, ['-e', 'require("fs").readFileSync(process.argv[1])', cli], NOBODY).status === 0;
const skip = canRun ? false : 'another user cannot reach this folder';

describe('a read-only data directory', { skip }, () => {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-read-only-'));
  const dataDir = join(root, 'home/.oncebitten');
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [cli, ...args, '--json'], {
      ...NOBODY,
      cwd: root,
      encoding: 'utf8',
      env: { HOME: join(root, 'home'), PATH: process.env.PATH ?? '', ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0' },
    });
  const give = (path: string): void => {
    if (NOBODY.uid !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
  };

  before(() => {
    chmodSync(root, 0o755);
    mkdirSync(dataDir, { recursive: true });
    for (const path of [join(root, 'home'), dataDir]) give(path);
    assert.equal(run('lessons', 'add', '--summary', 's', '--program', 'gh').status, 0);
    chmodSync(dataDir, 0o555);
  });
  after(() => {
    chmodSync(dataDir, 0o755);
    rmSync(root, { recursive: true, force: true });
  });

  for (const command of [
    'start',
    'scan',
    'daemon start',
    'install claude-code --force',
    'lessons add --summary x --program gh',
    'lessons list',
    'config set minScore 0.9',
    'pause --for 1h',
    'backup',
  ])
    it(`is called read-only by ${command}`, () => {
      const { status, stdout, stderr } = run(...command.split(' '));
      assert.deepEqual([status, stdout], [1, '']);
      const { error } = JSON.parse(stderr);
      assert.equal(error.subject, dataDir);
      assert.match(error.reason, /^is read-only for you: it belongs to you, with mode 555$/);
      assert.match(error.next, /chmod u\+w .*--home DIR/);
    });

  it('is called read-only by doctor', () => {
    const { checks } = JSON.parse(run('doctor').stdout) as { checks: readonly { name: string; detail: string }[] };
    assert.match(checks.find(({ name }) => name === 'data directory')?.detail ?? '', /is read-only for you/);
  });

  it('is not blamed for anything else', () => {
    const { stderr } = run('config', 'set', 'minScroe', '1');
    assert.match(JSON.parse(stderr).error.reason, /is not known/);
    assert.ok(readdirSync(dataDir).length > 0);
  });
});
