import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { type FileCall, makeCalls, writeSession } from '../stories/session-file.ts';

const START_MS = Date.UTC(2026, 0, 2);

/** In every file a mistake with its fix, and one call like it that worked. */
function listFileCalls(n: number): readonly FileCall[] {
  const own: readonly FileCall[] = [
    { id: `f${n}`, command: `gh pr diff ${n} --stat`, error: 'Exit code 1\nunknown flag: --stat' },
    { id: `g${n}`, command: `gh pr diff ${n} --name-only` },
    { id: `w${n}`, command: `gh pr diff ${n} --stat --web` },
  ];
  return n === 3 ? [...own.slice(0, 2), ...makeCalls('c3', 298)] : [...own.slice(2), ...makeCalls(`c${n}`, 299)];
}

describe('a scan that dies', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-killed-'));
    for (let n = 1; n <= 6; n++) {
      const path = join(root, 'sessions', `${n}.jsonl`);
      const place = { session: `s${n}`, cwd: '/home/dev/shop', atMs: START_MS + n * 3_600_000 };
      writeSession(path, place, listFileCalls(n));
      utimesSync(path, START_MS / 1000 + n, START_MS / 1000 + n);
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const scan = async (store: Store, toLoop: (loop: Loop) => Loop = (loop) => loop): Promise<void> => {
    const { manifestFile, switchesFile } = toDataHome(join(root, 'data'));
    const parts = { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile };
    const files = listScanFiles({ agent: 'claude-code', path: join(root, 'sessions'), home: root, env: {} });
    await scanSessions({ ...parts, files, loop: toLoop(makeLoop(parts)), onProgress: () => {} });
  };
  /** At its `nth` piece, before it has kept the calls or just after, and before it has learned from them. */
  const dieAt =
    (store: Store, nth: number, isKept: boolean) =>
    (loop: Loop): Loop => {
      let pieces = 0;
      return {
        ...loop,
        async takeDigest(digest, facts) {
          if (++pieces < nth) return loop.takeDigest(digest, facts);
          if (isKept) await store.saveCalls(digest.calls.observed, 'observed');
          throw new Error('killed');
        },
      };
    };
  const learn = async (name: string, killedAt: readonly number[], isKept = false) => {
    const store = await openStore({ url: '', file: join(root, `${name}.db`) });
    try {
      for (const nth of killedAt) await assert.rejects(scan(store, dieAt(store, nth, isKept)), /killed/);
      await scan(store);
      const lessons = await store.listLessons();
      return lessons.map(({ summary, status, tested, occurrences }) => ({ summary, status, tested, occurrences }));
    } finally {
      await store.close();
    }
  };

  it('and goes on later has learned what one that did not die has, tried on the same calls', async () => {
    const whole = await learn('whole', []);
    assert.deepEqual(
      whole.map(({ tested }) => tested),
      [{ hits: 1, falseAlarms: 3 }],
    );
    for (const killedAt of [[1], [2], [3], [2, 1], [1, 1, 2]])
      for (const isKept of [false, true]) {
        const name = `killed-${killedAt.join('-')}-${isKept}`;
        assert.deepEqual(await learn(name, killedAt, isKept), whole, name);
      }
  });
});
