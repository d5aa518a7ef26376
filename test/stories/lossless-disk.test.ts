/** A disk that is full, and one that cannot be written: a real, small file system where that may be mounted. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findDaemonFault, readDaemonFaults } from '../../src/loop/home/daemon-fault.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { DaemonStatus } from '../../src/surfaces/daemon/ask-daemon.ts';
import { findPid, kill, readCalls, settle, waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };
const COLD = { ONCEBITTEN_NO_DAEMON: '1' };
const MISTAKE = { tool_name: 'Bash', tool_input: { command: 'gh pr diff 1 --stat' } };
const skip = mayMount() ? false : 'file systems cannot be mounted here';

describe('on a disk of its own', { skip, timeout: 900_000 }, () => {
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  const filler = () => join(story.dataDir, 'filler');
  before(async () => {
    story = await openStory({ install: false });
    home = toDataHome(story.dataDir);
    mkdirSync(story.dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', story.dataDir]);
    await story.cli('install', 'claude-code', '--force');
    const lesson = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with=--stat'];
    await story.cli('lessons', 'add', ...lesson);
  });
  after(async () => {
    rmSync(filler(), { force: true });
    await story.cli('daemon', 'stop');
    execFileSync('umount', ['-l', story.dataDir]);
    await story.close();
  });

  const tell = (id: string, env = {}) =>
    story.hook(
      'PostToolUse.Bash',
      { session_id: 'disk', tool_use_id: id, tool_name: 'Bash', tool_input: { command: `echo ${id}` } },
      env,
    );
  const ask = (session: string, env = {}) =>
    story.hook('PreToolUse.Bash', { session_id: session, tool_use_id: 'x', ...MISTAKE }, env);
  const status = async () => (await story.cli('daemon', 'status')) as DaemonStatus;
  const ids = async () => (await readCalls(home, 'disk')).map((call) => call.callId).sort();

  it('answers and forgets nothing while the disk is full, says so, and stores it all when there is room', async () => {
    await tell('before');
    fill(filler());
    const told = Array.from({ length: 40 }, (_, n) => `full-${n}`);
    for (const id of told) assert.deepEqual(await tell(id), SILENT);
    assert.match((await ask('full')).stdout, /name-only/);
    assert.deepEqual(await ask('full'), SILENT, 'once, also now');
    await waitUntil('the daemon says that the disk is full', async () =>
      (await status()).troubles.some(({ text }) => /the disk is full/.test(text)),
    );

    rmSync(filler());
    await settle(home);
    assert.deepEqual(await ids(), ['before', ...told].sort());
    assert.deepEqual((await status()).troubles, []);
    assert.equal(findDaemonFault(home), undefined);
  });

  it('keeps the manifest it has when nothing new has room', async () => {
    const manifest = readFileSync(home.manifestFile, 'utf8');
    fill(filler());
    await assert.rejects(
      story.cli('lessons', 'add', '--summary', 'x', '--fix', 'y', '--program', 'npm run', '--with=--watch'),
    );
    assert.equal(readFileSync(home.manifestFile, 'utf8'), manifest);
    assert.match((await ask('manifest')).stdout, /name-only/);
    rmSync(filler());
  });

  it('goes through without a daemon too, and the daemon comes back when there is room', async () => {
    const pid = findPid(home);
    fill(filler());
    kill(pid);
    assert.deepEqual(await tell('cold', COLD), SILENT);
    assert.match((await ask('cold', COLD)).stdout, /name-only/);
    for (let n = 0; n < 3; n++) assert.deepEqual(await tell(`cold-${n}`), SILENT);
    rmSync(filler());
    await story.cli('daemon', 'start');
    await tell('after');
    await settle(home);
    assert.ok((await ids()).includes('after'));
    assert.deepEqual(readDaemonFaults(home), []);
  });

  it('goes through where nothing can be written, and a person is told what is wrong', async () => {
    // A daemon that is leaving has its lock file open a moment longer, and a hook may have started another.
    await waitUntil('nobody has a file open there', async () => {
      await story.cli('daemon', 'stop');
      return remount(story.dataDir, 'ro');
    });
    try {
      assert.deepEqual(await tell('read-only'), SILENT);
      assert.deepEqual(await ask('read-only'), SILENT, 'silence over nagging: it could not remember');
      await assert.rejects(story.cli('daemon', 'start'), ({ stderr }: { stderr: string }) => {
        const { error } = JSON.parse(stderr);
        assert.equal(error.subject, story.dataDir);
        assert.match(error.reason, /is read-only: its file system is mounted read-only/);
        assert.match(error.next, /--home DIR/);
        return true;
      });
    } finally {
      assert.ok(remount(story.dataDir, 'rw'));
    }
    await story.cli('daemon', 'start');
    await tell('writable');
    await settle(home);
    assert.ok((await ids()).includes('writable'));
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

/** False when the system refuses: as long as a file is open for writing it may not become read-only. */
function remount(dir: string, how: 'ro' | 'rw'): boolean {
  return spawnSync('mount', ['-o', `remount,${how}`, dir]).status === 0;
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
