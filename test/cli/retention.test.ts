import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { NOTHING_REMOVED, type RetentionCounts, toRemovalLimit } from '../../src/base/storage/retention.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeRetentionJob } from '../../src/loop/upkeep/retention-job.ts';
import { makeFailure, makeFinding, makeSession, makeSignature } from '../contracts/store/make-samples.ts';
import { makeTestClock } from '../fixtures/make-test-clock.ts';
import { findBytes } from './find-bytes.ts';
import { openShell, type Shell } from './open-shell.ts';

const GH = makeSignature('gh');
const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

describe('retention', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const withStore = async <T>(use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const fill = async () => {
    await withStore((store) =>
      store.saveCalls(
        [
          makeFailure(GH, { callId: 'ancient', message: 'oldword', occurredAt: ago(401) }),
          makeFailure(GH, { callId: 'old', message: 'oldword', outputSummary: 'oldword', occurredAt: ago(31) }),
          makeFailure(GH, { callId: 'young', message: 'youngword', occurredAt: ago(29) }),
        ],
        'observed',
      ),
    );
    await withStore(async (store) => {
      await store.saveSessions([makeSession({ startedAt: ago(31), lastSeenAt: ago(29) })]);
      await store.saveFindings([makeFinding({ failingCallId: 'old', verdict: 'dropped' })]);
    });
    // As if hooks had told of them at the time: age counts from the import, too.
    const database = new DatabaseSync(join(shell.dataDir, 'oncebitten.db'));
    database.exec('update tool_outcomes set created_at = occurred_at, text_at = null');
    database.close();
    writeFileSync(join(shell.dataDir, 'upkeep.json'), JSON.stringify({ trustedAt: ago(0) }));
  };
  const messages = () => withStore(async (store) => (await store.listCalls({})).map(({ message }) => message));

  it('makes no store where there is none', async () => {
    const home = join(shell.home, 'nowhere');
    for (const args of [['retention'], ['retention', '--dry-run']]) {
      const { code, stdout } = await shell.run(args, { home });
      assert.deepEqual([code, stdout.startsWith('0 calls'), existsSync(home)], [0, true, false]);
    }
  });

  it('as a dry run tells what would go', async () => {
    await fill();
    const { stdout } = await shell.run(['data', 'retention', '--dry-run']);
    assert.match(stdout, /^1 call would lose their text \(older than 30 days, .*newest 10000/);
    assert.match(stdout, /^1 call, 0 sessions and 0 records of shown lessons, older than 400 days, would/m);
    assert.deepEqual(await messages(), ['oldword', 'oldword', 'youngword']);
  });

  it('as a dry run tells in one plain sentence that the clock is not trusted', async () => {
    const record = join(shell.dataDir, 'upkeep.json');
    writeFileSync(record, JSON.stringify({ trustedAt: new Date(Date.now() + 800 * 86_400_000).toISOString() }));
    const { stdout } = await shell.run(['data', 'retention', '--dry-run']);
    writeFileSync(record, JSON.stringify({ trustedAt: ago(0) }));
    const [sentence] = /^.*clock says.*$/m.exec(stdout) ?? [];
    assert.equal(sentence?.match(/\bbut\b/gi)?.length, 1, stdout);
  });

  it('removes it, and the bytes of it', async () => {
    const { removed } = await shell.json<{ removed: { texts: number; calls: number } }>('data', 'retention');
    assert.deepEqual([removed.texts, removed.calls], [1, 1]);
    assert.deepEqual(await messages(), [undefined, 'youngword']);
    assert.deepEqual(findBytes(shell.dataDir, 'oldword'), []);
    assert.notDeepEqual(findBytes(shell.dataDir, 'youngword'), []);
  });

  it('leaves the reason in every view of the call', async () => {
    const textRemoved = { setting: 'retention.textDays', value: 30 };
    const { items: calls } = await shell.json<{ items: { message?: string; textRemoved?: unknown }[] }>(
      'sessions',
      'failures',
      '--each',
    );
    assert.deepEqual(
      calls.map((call) => [call.message, call.textRemoved]),
      [
        ['youngword', undefined],
        [undefined, textRemoved],
      ],
    );
    for (const args of [['failures', '--each'], ['session', 's1'], ['findings']]) {
      const { stdout } = await shell.run(args);
      assert.match(stdout.replaceAll(/\s+/g, ' '), /text removed after 30 days, setting retention\.textDays/, args[0]);
    }
    assert.match((await shell.run(['sessions', 'show', 's1'])).stdout, /^ +\d+ .*\(text removed\)$/m);
  });

  it('is done by the daemon when it starts', async () => {
    await fill();
    await shell.json('daemon', 'start');
    for (let tries = 0; tries < 100 && (await messages()).includes('oldword'); tries++) await sleep(50);
    assert.deepEqual(await messages(), [undefined, 'youngword']);
    await shell.json('daemon', 'stop');
  });

  it('obeys the settings', async () => {
    writeFileSync(join(shell.dataDir, 'config.jsonc'), '{ "retention": { "enabled": false, "textDays": 7 } }');
    await fill();
    await shell.json('daemon', 'start');
    await sleep(500);
    assert.equal((await messages()).includes('oldword'), true);
    assert.match((await shell.run(['data', 'retention', '--dry-run'])).stdout, /retention\.enabled is false/);
    const { code, stderr } = await shell.run(['data', 'retention']);
    assert.deepEqual([code, /2 texts of 3/.test(stderr), /--yes/.test(stderr)], [1, true, true]);
    assert.equal((await messages()).includes('oldword'), true, 'two of three need a word');
    const done = await shell.json<{ removed: { texts: number }; backup: string }>('data', 'retention', '--yes');
    assert.equal(done.removed.texts, 2);
    assert.equal((await messages()).includes('oldword'), false);
    const { items } = await shell.json<{ items: { file: string; kind: string }[] }>('data', 'restore');
    assert.deepEqual(
      items.map(({ file, kind }) => [file, kind]),
      [[done.backup, 'before-removal']],
    );
    for (let n = 0; n < 4; n++) {
      const again = await shell.json<{ removed: RetentionCounts; backup?: string }>('data', 'retention', '--yes');
      assert.deepEqual([again.removed, again.backup], [NOTHING_REMOVED, undefined]);
    }
    await shell.json('data', 'restore', basename(done.backup), '--yes');
    assert.deepEqual((await messages()).toSorted(), ['oldword', 'oldword', 'youngword']);
  });
});

describe('the retention job', () => {
  const NONE: RetentionCounts = NOTHING_REMOVED;
  const ROWS = { texts: 10, excerpts: 0, calls: 10, sessions: 0, deliveries: 0 };
  const open = (retain: Store['retain'], due: Partial<RetentionCounts> = {}) => {
    const state = { nowMs: 0, isTrusted: true, isBackedUp: true, logged: [] as string[] };
    const clock = makeTestClock(() => (state.isTrusted ? state.nowMs : undefined));
    const store = { retain, countRetention: async () => ({ ...NONE, ...due }), countRemovable: async () => ROWS };
    const settings = () => DEFAULT_SETTINGS;
    const log = (line: string) => void state.logged.push(line);
    const makeJob = () =>
      makeRetentionJob({ store, settings, clock, isBackedUp: () => state.isBackedUp, log, timer: () => state.nowMs });
    return { state, clock, makeJob };
  };

  it('goes on piece by piece, once a day, and tries again after a failure', async () => {
    const steps: string[] = [];
    const { state, makeJob } = open(async (_limits, from) => {
      if (steps.length === 4) {
        steps.push('fails');
        throw new Error('disk full');
      }
      steps.push(from === undefined ? 'first' : 'next');
      const counts = { ...NONE, texts: 1 };
      return from === undefined ? { ...counts, next: { phase: 1, at: [] } } : counts;
    });
    const job = makeJob();
    const runs = async () => [await job.step(), await job.step(), await job.step()];
    assert.deepEqual(await runs(), [true, false, false]);
    state.nowMs += 25 * 3_600_000;
    assert.deepEqual(await runs(), [true, false, false]);
    state.nowMs += 25 * 3_600_000;
    assert.equal(await job.step(), false);
    state.nowMs += 2 * 3_600_000;
    assert.equal(await job.step(), true);
    job.end();
    assert.equal(await job.step(), false);
    assert.deepEqual(steps, ['first', 'next', 'first', 'next', 'fails', 'first']);
    assert.deepEqual(state.logged, [
      'retention: 2 texts, 0 calls removed',
      'retention: 2 texts, 0 calls removed',
      'retention: disk full',
    ]);
  });

  it('does nothing while the clock is not trusted', async () => {
    let steps = 0;
    const { state, makeJob } = open(async () => ({ ...NONE, texts: steps++ }));
    state.isTrusted = false;
    const job = makeJob();
    assert.equal(await job.step(), false);
    assert.equal(steps, 0);
    state.isTrusted = true;
    state.nowMs += 2 * 3_600_000;
    await job.step();
    assert.equal(steps, 1);
  });

  it('removes at most a fifth of the rows of a kind, and not again on that day, whoever starts', async () => {
    const caps: (number | undefined)[] = [];
    const { state, clock, makeJob } = open(
      async (limits, from) => {
        caps.push(limits.most?.texts);
        return { ...NONE, texts: 1, ...(from === undefined ? { next: { phase: 1, at: [] } } : {}) };
      },
      { texts: 7 },
    );
    const job = makeJob();
    state.isBackedUp = false;
    assert.equal(await job.step(), false, 'not without a backup');
    state.isBackedUp = true;
    state.nowMs += 3_600_000;
    assert.deepEqual([await job.step(), await job.step()], [true, false]);
    assert.deepEqual(caps, [2, 1]);
    assert.deepEqual(clock.readCapped('retention')?.waiting, { texts: 5 });
    assert.equal(await makeJob().step(), false);
    assert.equal(caps.length, 2);
    state.nowMs += 25 * 3_600_000;
    assert.equal(await makeJob().step(), true);
  });

  it('may remove one row of a small store', () => {
    assert.deepEqual([1, 3, 9, 10, 100].map(toRemovalLimit), [1, 1, 1, 2, 20]);
  });
});
