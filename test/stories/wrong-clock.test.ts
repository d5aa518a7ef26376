/** A daemon whose clock is 800 days ahead, or behind: nothing is removed, archived or pruned, and it says so. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { readUpkeep, renderDistrust } from '../../src/loop/upkeep/trusted-clock.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { makeCall, makeDelivery, makeSession } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { kill, spawnDaemon, waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const CLOCK = join(import.meta.dirname, 'clock-shifter.ts');
const DAY_MS = 86_400_000;
const CALLS = 203;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

describe('a wrong clock', { timeout: 900_000 }, () => {
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  beforeEach(async () => {
    story = await openStory();
    home = toDataHome(story.dataDir);
    await story.cli('daemon', 'stop');
  });
  afterEach(() => story.close());

  const withStore = async <T>(use: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<T>): Promise<T> => {
    const store = await openSqliteStore(home.storeFile);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const fill = () =>
    withStore(async (store) => {
      const calls = Array.from({ length: CALLS }, (_, n) =>
        makeCall({ callId: `c${n}`, inputSummary: `ls ${n}`, occurredAt: ago(1) }),
      );
      await store.saveSessions([makeSession({ startedAt: ago(1), lastSeenAt: ago(0.1) })]);
      await store.saveCalls(calls, 'observed');
      const origin = { kind: 'episode', by: 'distill/x@1', trust: 'observed' } as const;
      const at = ago(1);
      const fields = { origin, priority: 9, createdAt: at, updatedAt: at };
      for (const [slug, status] of [
        ['critical', 'active'],
        ['draft', 'draft'],
      ] as const)
        await store.saveLesson(makeTestLesson({ ...fields, slug, status }), { by: 'test', reason: 'made', at });
      await store.saveDelivery(makeDelivery({ deliveredAt: ago(0.1) }));
    });
  const readState = () =>
    withStore(async (store) => {
      const calls = await store.listCalls({});
      const statuses = (await store.listLessons()).map(({ slug, status }) => `${slug} ${status}`).toSorted();
      const [delivery] = await store.listDeliveries({});
      const texts = calls.filter(({ inputSummary }) => inputSummary !== undefined).length;
      return { calls: calls.length, texts, statuses, outcome: delivery?.outcome };
    });
  const UNTOUCHED = { calls: CALLS, texts: CALLS, statuses: ['critical active', 'draft draft'], outcome: undefined };
  /** Runs a daemon with a shifted clock until it has judged its clock and had time to remove everything. */
  const runShifted = async (env: Readonly<Record<string, string>>) => {
    const daemon = spawnDaemon(home, { node: ['--import', CLOCK], env: { ...story.env, ...env } });
    await waitUntil('it answers', async () => (await askDaemon(home, 'status')) !== undefined);
    await waitUntil('it has judged its clock', () => readUpkeep(home) !== undefined);
    for (let n = 0; n < 3; n++) {
      await story.hook('PostToolUse.Bash', { session_id: 'other', tool_use_id: `t${n}` });
      await askDaemon(home, 'flush');
    }
    return daemon;
  };

  /** On a machine whose clock is wrong, the command line has the same clock as the daemon. */
  const cliShifted = async (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', CLOCK, CLI, ...args, '--json'], {
      cwd: story.project,
      env: { ...story.env, ...('CLOCK_SHIFT_FILES' in env ? env : {}) },
    });
    return JSON.parse(stdout);
  };

  for (const [what, env] of [
    ['of the daemon', { CLOCK_SHIFT_DAYS: '800' }],
    ['of the whole machine', { CLOCK_SHIFT_DAYS: '800', CLOCK_SHIFT_FILES: '1' }],
  ] as const) {
    it(`800 days ahead, ${what}, removes and archives nothing`, async () => {
      await fill();
      const claim = join(home.claimsDir, 'old');
      mkdirSync(home.claimsDir, { recursive: true });
      writeFileSync(claim, '');
      const daemon = await runShifted(env);
      const { calls, texts, ...others } = await readState();
      assert.deepEqual({ calls: calls - 3, texts: texts - 3, ...others }, UNTOUCHED);
      assert.ok(existsSync(claim));
      const status = (await cliShifted(env, 'daemon', 'status')) as { upkeep?: { why?: string }[] };
      assert.equal(status.upkeep?.[0]?.why, 'CLOCK_SHIFT_FILES' in env ? 'ahead' : 'files');
      const { checks } = (await cliShifted(env, 'doctor')) as {
        checks: { name: string; state: string; next?: string }[];
      };
      assert.equal(checks.find(({ name }) => name === 'clock')?.state, 'advice');
      kill(daemon.pid, 'SIGTERM');
      await daemon.ended;
      const right = (await story.cli('daemon', 'status').catch(({ stdout }) => JSON.parse(stdout))) as object;
      assert.equal('upkeep' in right, false, 'nothing is said once the clock is right');
      // The clock is right again: what was written meanwhile, dated in the future, does no harm.
      await story.cli('daemon', 'start');
      await story.hook('PostToolUse.Bash', { session_id: 'other', tool_use_id: 'again' });
      await story.settle();
      const after = await readState();
      assert.deepEqual({ ...after, calls: after.calls - 4, texts: after.texts - 4 }, UNTOUCHED);
    });
  }

  it('that was set back removes nothing, and a person can say that it is right', async () => {
    await fill();
    writeFileSync(home.upkeepFile, JSON.stringify({ trustedAt: new Date(Date.now() + 800 * DAY_MS).toISOString() }));
    await story.cli('daemon', 'start');
    await waitUntil('it is noticed', () => readUpkeep(home)?.distrusted?.why === 'behind');
    assert.deepEqual(await readState(), UNTOUCHED);
    await assert.rejects(story.cli('retention'));
    const record = readFileSync(home.upkeepFile, 'utf8');
    assert.equal(((await story.cli('retention', '--dry-run')) as { clockTrusted: boolean }).clockTrusted, false);
    assert.equal(readFileSync(home.upkeepFile, 'utf8'), record, 'a dry run writes nothing');
    await story.cli('retention', '--trust-clock');
    assert.equal(readUpkeep(home)?.distrusted, undefined);
    assert.ok(Math.abs(Date.parse(readUpkeep(home)?.trustedAt ?? '') - Date.now()) < 60_000);
  });

  it('is told with the time that it shows now, not the time at which it was first distrusted', () => {
    const distrusted = { since: '2020-01-01T00:00:00.000Z', clock: '2020-01-01T00:00:00.000Z', why: 'behind' } as const;
    const upkeep = { trustedAt: '2029-01-01T00:00:00.000Z', distrusted };
    assert.match(renderDistrust(upkeep, Date.parse('2026-11-16T10:20:00Z')) ?? '', /says 2026-11-16 10:20/);
    assert.equal(renderDistrust(upkeep, Date.parse('2029-01-01T10:00:00Z')), undefined);
  });

  it('is known without a record, from the newest row of the store', async () => {
    await fill();
    const daemon = await runShifted({ CLOCK_SHIFT_DAYS: '40', CLOCK_SHIFT_FILES: '1' });
    assert.equal(JSON.parse(readFileSync(home.upkeepFile, 'utf8')).distrusted?.why, 'ahead');
    kill(daemon.pid);
    await daemon.ended;
  });

  it('leaves files for the next start: old ones go once the clock is trusted', async () => {
    const old = join(home.claimsDir, 'old');
    mkdirSync(home.claimsDir, { recursive: true });
    writeFileSync(old, '');
    utimesSync(old, new Date(ago(30)), new Date(ago(30)));
    rmSync(home.upkeepFile, { force: true });
    await story.cli('daemon', 'start');
    await waitUntil('it has judged its clock', () => readUpkeep(home) !== undefined);
    assert.ok(existsSync(old), 'nothing was known of the clock when it started');
    await story.cli('daemon', 'stop');
    await story.cli('daemon', 'start');
    await waitUntil('it is gone', () => !existsSync(old));
  });
});
