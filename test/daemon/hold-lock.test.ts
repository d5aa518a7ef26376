import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { holdLock } from '../../src/surfaces/daemon/locks.ts';

describe('the lock of the daemon', { timeout: 900_000 }, () => {
  let root: string;
  let file: string;
  let children: ChildProcess[];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-lock-'));
    file = join(root, 'run', 'daemon.lock');
    children = [];
  });
  afterEach(async () => {
    for (const child of children) await end(child);
    rmSync(root, { recursive: true });
  });

  const tryInOther = async (): Promise<{ readonly said: string; readonly child: ChildProcess }> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'lock-once.ts'), file], {
      env: { HOME: root },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [chunk] = await once(child.stdout, 'data');
    return { said: String(chunk).trim(), child };
  };
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  it('is refused to a second process while the first holds it', async () => {
    const lock = holdLock(file);
    assert.ok(lock !== undefined);
    assert.equal((await tryInOther()).said, 'refused');
    lock.release();
    assert.equal((await tryInOther()).said, 'held');
    assert.equal(holdLock(file), undefined);
  });

  it('is refused to a second holder in the same process, and freed by release', () => {
    const lock = holdLock(file);
    assert.equal(holdLock(file), undefined);
    lock?.release();
    const again = holdLock(file);
    assert.ok(again !== undefined);
    again.release();
  });

  it('is free when its holder was killed', async () => {
    const { said, child } = await tryInOther();
    assert.equal(said, 'held');
    await end(child);
    const lock = holdLock(file);
    assert.ok(lock !== undefined);
    lock.release();
  });

  it('goes to exactly one of several that come at once', async () => {
    const tries = await Promise.all([tryInOther(), tryInOther(), tryInOther(), tryInOther()]);
    assert.deepEqual(tries.map((one) => one.said).sort(), ['held', 'refused', 'refused', 'refused']);
  });

  it('is for its owner alone', () => {
    holdLock(file)?.release();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(root, 'run')).mode & 0o777, 0o700);
  });
});
