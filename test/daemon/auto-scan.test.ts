import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { ScanStatus } from '../../src/loop/scan/scan-counts.ts';
import type { DaemonStatus } from '../../src/surfaces/daemon/ask-daemon.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { readCalls, waitUntil } from '../stories/daemon-files.ts';
import { sendEvent } from '../stories/send-event.ts';
import {
  appendCalls,
  makeCalls,
  renderCalls,
  type SessionPlace,
  writeSession,
  writeSessions,
} from '../stories/session-file.ts';

/** Between two looks of a daemon, and some. */
const LOOKS_MS = 12_000;

/** A daemon beside one session of three calls. */
async function openLive() {
  const shell = openShell();
  const path = join(shell.home, '.claude/projects/-shop/live.jsonl');
  const place: SessionPlace = { session: 'live', cwd: join(shell.home, 'shop') };
  writeSession(path, place, makeCalls('before', 3));
  await shell.json('daemon', 'start');
  const idsOf = async (session: string) =>
    (await readCalls(toDataHome(shell.dataDir), session)).map(({ callId }) => callId).sort();
  return {
    ...{ shell, path, place, idsOf },
    until: (session: string, wanted: readonly string[]) =>
      waitUntil(`${wanted} of ${session}`, async () => (await idsOf(session)).join() === wanted.toSorted().join()),
    scanOf: async () => (await shell.json<{ scan: ScanStatus }>('daemon', 'status')).scan,
    settings: (given: object) => writeFileSync(toDataHome(shell.dataDir).configFile, JSON.stringify(given)),
  };
}

const BEFORE = ['before-0', 'before-1', 'before-2'];

// They mostly wait, each for a daemon of its own.
describe('sessions that no hook tells of', { concurrency: true }, () => {
  describe('a daemon, without any hook', { timeout: 900_000, concurrency: 1 }, () => {
    let live: Awaited<ReturnType<typeof openLive>>;
    before(async () => {
      live = await openLive();
    });
    after(() => live.shell.close());

    it('reads the sessions that are there soon after its start, and says so', async () => {
      const { shell, until, scanOf } = live;
      await until('live', BEFORE);
      await waitUntil('the scan is over', async () => (await scanOf()).last !== undefined);
      const { last, isUnderWay } = await scanOf();
      assert.deepEqual([isUnderWay, last?.files, last?.filesRead, last?.calls, last?.unreadable], [false, 1, 1, 3, 0]);
      const { stdout } = await shell.run(['daemon', 'status']);
      assert.match(stdout, /^Last scan\b.*\b1 session file, 1 .*\b3 calls\b/m);
      assert.match((await shell.run(['doctor'])).stdout, /daemon: .*Last scan, at/);
    });

    it('stores what a session file grows by, half-written lines when they are whole', async () => {
      const { path, place, until, scanOf } = live;
      const known = [...BEFORE, 'more-0'];
      const text = renderCalls(place, makeCalls('more', 2));
      appendFileSync(path, text.slice(0, -40));
      await until('live', known);
      appendFileSync(path, text.slice(-40));
      await until('live', [...known, 'more-1']);
      assert.ok((await scanOf()).grown.calls >= 2);
    });

    it('learns from a mistake and its correction that come one after the other', async () => {
      const { shell, path, place, idsOf } = live;
      const error = 'Exit code 1\nunknown flag: --stat';
      appendCalls(path, place, [{ id: 'wrong', command: 'gh pr diff 12 --stat', error }]);
      await waitUntil('the mistake', async () => (await idsOf('live')).includes('wrong'));
      appendCalls(path, place, [{ id: 'right', command: 'gh pr diff 12 --name-only', output: 'a.ts' }]);
      await waitUntil('the correction', async () => (await idsOf('live')).includes('right'));
      // The calls are stored before anything is learned from them.
      await waitUntil('the lesson', async () =>
        (await shell.list<{ summary: string }>('lessons', 'list')).some(({ summary }) =>
          /gh pr diff.*--stat/.test(summary),
        ),
      );
    });

    it('finds a session that is new', async () => {
      const { path, place, until } = live;
      const young = { session: 'young', cwd: place.cwd };
      writeSession(join(path, '../young.jsonl'), young, makeCalls('young', 2));
      await until('young', ['young-0', 'young-1']);
    });
  });

  describe('a daemon that may not read', { timeout: 900_000, concurrency: 1 }, () => {
    let live: Awaited<ReturnType<typeof openLive>>;
    before(async () => {
      live = await openLive();
      await live.until('live', BEFORE);
    });
    after(() => live.shell.close());

    it('reads nothing of what happens while it is paused, and nothing that is private', async () => {
      const { shell, path, place, idsOf, until, settings } = live;
      const hidden = join(shell.home, 'hidden');
      mkdirSync(hidden, { recursive: true });
      settings({ privateProjects: [hidden] });
      writeSession(join(path, '../hidden.jsonl'), { session: 'hidden', cwd: hidden }, makeCalls('hidden', 2));
      await shell.json('pause');
      appendCalls(path, place, makeCalls('paused', 2));
      const known = await idsOf('live');
      await sleep(LOOKS_MS);
      assert.deepEqual(await idsOf('live'), known);
      await shell.json('resume');
      appendCalls(path, { ...place, atMs: Date.now() + 1_000 }, makeCalls('after', 1));
      await until('live', [...known, 'after-0']);
      assert.deepEqual(await idsOf('hidden'), []);
    });
  });

  describe('a daemon that is told never to read', { timeout: 900_000, concurrency: 1 }, () => {
    let live: Awaited<ReturnType<typeof openLive>>;
    before(async () => {
      live = await openLive();
      await live.until('live', BEFORE);
    });
    after(() => live.shell.close());

    it('reads nothing by itself when the settings say never', async () => {
      const { path, place, idsOf, settings } = live;
      settings({ autoScanIntervalHours: 0 });
      await sleep(LOOKS_MS);
      const known = await idsOf('live');
      appendCalls(path, place, makeCalls('unseen', 1));
      await sleep(LOOKS_MS);
      assert.deepEqual(await idsOf('live'), known);
      settings({});
      await waitUntil('it is read', async () => (await idsOf('live')).includes('unseen-0'));
    });
  });

  describe('a daemon that finds much to read', { timeout: 900_000, concurrency: 1 }, () => {
    const SIZE = { files: 90, calls: 60, outputBytes: 8_000 };
    let shell: Shell;
    before(async () => {
      shell = openShell();
      writeSessions(join(shell.home, '.claude/projects/-shop'), SIZE);
      await shell.json('daemon', 'start');
    });
    after(() => shell.close());

    const isUnderWay = async () =>
      (await askDaemon<DaemonStatus>(toDataHome(shell.dataDir), 'status'))?.scan?.isUnderWay;

    it('stores live events first', async () => {
      const home = toDataHome(shell.dataDir);
      await waitUntil('it reads', async () => (await isUnderWay()) === true);
      const payload = {
        ...{ session_id: 'hooked', cwd: shell.home, hook_event_name: 'PostToolUse', tool_use_id: 'live-call' },
        ...{ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: { stdout: '', stderr: '' } },
      };
      assert.ok(await sendEvent({ doorFile: home.doorFile, event: 'PostToolUse', payload }));
      assert.deepEqual(await askDaemon(home, 'flush'), { flushed: true });
      assert.equal(await isUnderWay(), true);
      assert.equal((await readCalls(home, 'hooked')).length, 1);
    });

    it('ends when it is told to, and goes on where it was at its next start', async () => {
      const { calls, files } = SIZE;
      await shell.json('daemon', 'stop');
      // It did not read on to the end before it stopped.
      assert.ok((await readCalls(toDataHome(shell.dataDir))).length < files * calls);
      await shell.json('daemon', 'start');
      await waitUntil(
        'all is read',
        async () => (await readCalls(toDataHome(shell.dataDir))).length === files * calls + 1,
      );
    });
  });
});
