import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeLoop } from '../../src/loop/learn.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { scanSessions, scanTranscript } from '../../src/loop/scan/scan-sessions.ts';
import { appendCalls, type FileCall, makeCalls, writeSession } from '../stories/session-file.ts';

const PLACE = { session: 'session-1', cwd: '/home/dev/shop', atMs: Date.UTC(2026, 0, 2) };
const FAILED: FileCall = { id: 'bad', command: 'gh pr diff 1 --stat', error: 'Exit code 1\nunknown flag: --stat' };
const FIXED: FileCall = { id: 'good', command: 'gh pr diff 1 --name-only' };

describe('what was learned from a session file that is written anew', () => {
  let root: string;
  let count = 0;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-anew-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const ways = {
    'by a scan': async (store: Store, path: string) => {
      const files = listScanFiles({ agent: 'claude-code', path, home: root, env: {} });
      await scanSessions({ ...toParts(store), files, onProgress: () => {} });
    },
    'while its session lives': async (store: Store, path: string) => {
      await scanTranscript({ store, loop: makeLoop(toParts(store)), agent: 'claude-code', path });
    },
  };
  const toParts = (store: Store) => {
    const { manifestFile, switchesFile } = toDataHome(join(root, 'data'));
    return { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile };
  };
  const readLines = async (store: Store) => {
    const [lesson, ...others] = await store.listLessons();
    const [finding] = await store.listFindings();
    assert.deepEqual([others.length, lesson?.occurrences, lesson?.evidence.length], [0, 1, 1]);
    assert.match(lesson?.evidence[0]?.excerpt ?? '', /--stat/);
    assert.deepEqual(finding?.lines, lesson?.evidence[0]?.lines);
    return lesson?.evidence[0]?.lines;
  };

  for (const [how, read] of Object.entries(ways))
    it(`is found in its new lines, ${how}`, async () => {
      const path = join(root, `${count}.jsonl`);
      const store = await openStore({ url: '', file: join(root, `${count++}.db`) });
      try {
        writeSession(path, PLACE, [FAILED, FIXED]);
        await read(store, path);
        const [from = 0, to = 0] = (await readLines(store)) ?? [];
        appendCalls(path, PLACE, makeCalls('later', 2));
        await read(store, path);
        assert.deepEqual(await readLines(store), [from, to]);
        // Three calls of two lines each come before, and the file is longer than it was.
        writeSession(path, PLACE, [...makeCalls('earlier', 3), FAILED, FIXED, ...makeCalls('later', 3)]);
        await read(store, path);
        assert.deepEqual(await readLines(store), [from + 6, to + 6]);
        writeSession(path, PLACE, makeCalls('other', 12));
        await read(store, path);
        assert.equal(await readLines(store), undefined);
      } finally {
        await store.close();
      }
    });

  for (const [how, read] of Object.entries(ways)) {
    it(`is found in its new line where only words tell of it, ${how}`, async () => {
      const path = join(root, `${count}.jsonl`);
      const store = await openStore({ url: '', file: join(root, `${count++}.db`) });
      const report = renderReport(
        '#lesson\ntool: Bash\ntrigger: deploy now\nmistake: it waits\nfix: deploy --now\n#/lesson',
      );
      try {
        for (const before of [1, 4, 2]) {
          writeSession(path, PLACE, makeCalls(`b${before}`, before));
          appendFileSync(path, report);
          appendCalls(path, PLACE, makeCalls('later', 3));
          await read(store, path);
          const [lesson] = await store.listLessons();
          assert.deepEqual(lesson?.evidence[0]?.lines, [2 * before + 1, 2 * before + 1], `${before}`);
        }
      } finally {
        await store.close();
      }
    });

    it(`names no line once the file is empty, ${how}`, async () => {
      const path = join(root, `${count}.jsonl`);
      const store = await openStore({ url: '', file: join(root, `${count++}.db`) });
      try {
        writeSession(path, PLACE, [FAILED, FIXED]);
        await read(store, path);
        assert.notEqual(await readLines(store), undefined);
        truncateSync(path, 0);
        await read(store, path);
        assert.equal(await readLines(store), undefined);
      } finally {
        await store.close();
      }
    });
  }
});

function renderReport(text: string): string {
  const { session: sessionId, cwd, atMs } = PLACE;
  const message = { role: 'assistant', content: [{ type: 'text', text }] };
  const timestamp = new Date(atMs + 60_000).toISOString();
  return `${JSON.stringify({ type: 'assistant', uuid: 'said', sessionId, cwd, timestamp, version: '2.1.0', message })}\n`;
}
