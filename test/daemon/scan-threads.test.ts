import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { type ScanTotals, scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { readScanned } from '../stories/scan-store.ts';
import { writeSessions } from '../stories/session-file.ts';

/** More than a scan reads without threads. */
const SIZE = { files: 20, calls: 40, outputBytes: 15_000 };
const { Worker } = workerThreads;

describe('session files that are read in threads', { skip: availableParallelism() < 2, timeout: 900_000 }, () => {
  let root: string;
  let threads = 0;
  let execArgv: readonly string[] | undefined;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-threads-'));
    writeSessions(join(root, 'sessions'), SIZE);
    workerThreads.Worker = class extends Worker {
      constructor(file: string | URL, options?: WorkerOptions) {
        super(file, { ...options, ...(execArgv && { execArgv: [...execArgv] }) });
        threads++;
      }
    };
    syncBuiltinESMExports();
  });
  after(() => {
    workerThreads.Worker = Worker;
    syncBuiltinESMExports();
    rmSync(root, { recursive: true, force: true });
  });

  const scan = async (name: string, giveWay?: () => Promise<void>): Promise<ScanTotals> => {
    const { storeFile, manifestFile, switchesFile } = toDataHome(join(root, name));
    const files = listScanFiles({ agent: 'claude-code', path: join(root, 'sessions'), home: root, env: {} });
    const store = await openStore({ url: '', file: storeFile });
    const parts = { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile, files, onProgress: () => {} };
    threads = 0;
    try {
      return await scanSessions({ ...parts, ...(giveWay && { giveWay }) });
    } finally {
      await store.close();
    }
  };

  it('give the same calls and lessons as without', async () => {
    const bytes = listScanFiles({ agent: 'claude-code', path: join(root, 'sessions'), home: root, env: {} }).reduce(
      (sum, file) => sum + statSync(file.path).size,
      0,
    );
    assert.ok(bytes > 8 * 1024 * 1024);
    const { seconds: _, ...many } = await scan('many');
    assert.ok(threads > 0);
    const { seconds: __, ...one } = await scan('one', async () => {});
    assert.equal(threads, 0);
    assert.deepEqual(many, one);
    const [inThreads, inline] = [await readScanned(join(root, 'many')), await readScanned(join(root, 'one'))];
    assert.equal(inline.calls.length, SIZE.files * SIZE.calls);
    assert.ok(inline.lessons.length > 0);
    assert.deepEqual(inThreads, inline);
  });

  it('are all read but the one that is the death of its thread', async () => {
    const from = join(root, 'sessions/session-3.jsonl');
    const deadly = join(root, 'sessions/session-deadly.jsonl');
    copyFileSync(from, deadly);
    // It is one of the first: most are still to be read when the thread dies.
    utimesSync(deadly, statSync(from).atime, statSync(from).mtime);
    execArgv = ['--import', join(import.meta.dirname, 'reader-killer.ts')];
    const { unreadable, calls } = await scan('deadly');
    assert.deepEqual(
      unreadable.map(({ path }) => path),
      [deadly],
    );
    assert.match(unreadable[0]?.reason ?? '', /heap out of memory/);
    assert.equal(calls, SIZE.files * SIZE.calls);
    execArgv = undefined;
    rmSync(deadly);
  });
});
