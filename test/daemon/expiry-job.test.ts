import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeExpiryJob } from '../../src/loop/upkeep/expiry-job.ts';
import type { TrustedClock } from '../../src/loop/upkeep/trusted-clock.ts';
import { makeTestClock } from '../fixtures/make-test-clock.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const MADE = '2026-01-01T00:00:00.000Z';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('the age of lessons in the daemon', () => {
  let dir: string;
  let store: Store;
  let nowMs: number;
  let isTrusted: boolean;
  let clock: TrustedClock;
  let compiled: number;
  let settings: Settings;
  let lines: string[];
  const makeJob = (over: Store = store) =>
    makeExpiryJob({
      store: over,
      settings: () => settings,
      compile: async () => {
        compiled++;
      },
      log: (line) => lines.push(line),
      now: () => nowMs,
      clock,
    });
  const add = (slug: string, fields: Partial<Lesson>) =>
    store.saveLesson(
      makeTestLesson({ slug, origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' }, ...fields }),
      { by: 'test', reason: 'made', at: MADE },
    );
  const statuses = async () => Object.fromEntries((await store.listLessons()).map((one) => [one.slug, one.status]));

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-expiry-'));
    store = await openSqliteStore(join(dir, 'x.db'));
    nowMs = Date.parse(MADE);
    isTrusted = true;
    clock = makeTestClock(() => (isTrusted ? nowMs : undefined));
    compiled = 0;
    settings = DEFAULT_SETTINGS;
    lines = [];
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });

  it('archives drafts and unused lessons when they are due, in the history and in the manifest', async () => {
    await add('draft', { status: 'draft' });
    await add('active', {});
    await add('mine', { reviewedBy: 'user:ann', status: 'draft' });
    const job = makeJob();
    await job.step();
    assert.deepEqual(await statuses(), { draft: 'draft', active: 'active', mine: 'draft' });
    nowMs += 31 * DAY_MS;
    await job.step();
    assert.deepEqual(await statuses(), { draft: 'archived', active: 'active', mine: 'draft' });
    nowMs += 150 * DAY_MS;
    await job.step();
    assert.deepEqual(await statuses(), { draft: 'archived', active: 'archived', mine: 'draft' });
    assert.equal(compiled, 2);
    const gone = (await store.findLesson('draft')) ?? assert.fail();
    const last = (await store.listLessonHistory(gone.id)).at(-1);
    assert.deepEqual([last?.by, last?.reason], ['promote/expire-lesson', 'a draft that nobody reviewed in 30 days']);
    assert.equal(last?.before?.status, 'draft', 'undo works from it');
  });

  it('asks for the settings of now, and looks once an hour', async () => {
    await add('draft', { status: 'draft' });
    const job = makeJob();
    nowMs += 10 * DAY_MS;
    await job.step();
    settings = { ...settings, drafts: { expireDays: 5 } };
    await job.step();
    assert.equal((await statuses()).draft, 'draft');
    nowMs += HOUR_MS;
    await job.step();
    assert.equal((await statuses()).draft, 'archived');
  });

  it('has the manifest compiled when the time of a lesson has come, and when it is over', async () => {
    const limits = {
      from: new Date(nowMs + 10 * 60_000).toISOString(),
      until: new Date(nowMs + 2 * HOUR_MS).toISOString(),
    };
    await add('limited', { validity: { models: [], agentVersions: [], ...limits } });
    const job = makeJob();
    await job.step();
    assert.equal(compiled, 0);
    nowMs += 10 * 60_000;
    await job.step();
    assert.equal(compiled, 1, 'it did not wait for the hour');
    nowMs += 2 * HOUR_MS;
    await job.step();
    await job.step();
    assert.equal(compiled, 2);
    assert.equal((await statuses()).limited, 'active');
  });

  it('archives nothing for its age while the clock is not trusted', async () => {
    await add('draft', { status: 'draft' });
    await add('active', {});
    isTrusted = false;
    nowMs += 800 * DAY_MS;
    const job = makeJob();
    await job.step();
    assert.deepEqual(await statuses(), { draft: 'draft', active: 'active' });
    isTrusted = true;
    nowMs += HOUR_MS;
    await job.step();
    assert.equal(Object.values(await statuses()).filter((status) => status === 'archived').length, 1);
  });

  it('archives at most a fifth of the lessons a day, those that were unused longest first', async () => {
    for (let n = 0; n < 10; n++) {
      const createdAt = new Date(nowMs + n * HOUR_MS).toISOString();
      await add(`draft-${n}`, { status: 'draft', createdAt, updatedAt: createdAt });
    }
    const archived = async () =>
      Object.entries(await statuses()).flatMap(([slug, status]) => (status === 'archived' ? [slug] : []));
    nowMs += 60 * DAY_MS;
    const job = makeJob();
    await job.step();
    assert.deepEqual((await archived()).toSorted(), ['draft-0', 'draft-1']);
    assert.deepEqual(clock.readCapped('expiry')?.waiting, { lessons: 8 });
    nowMs += HOUR_MS;
    await job.step();
    await makeJob().step();
    assert.equal((await archived()).length, 2, 'not again on the same day');
    for (let day = 0; day < 8; day++) {
      nowMs += DAY_MS;
      await job.step();
    }
    assert.equal((await archived()).length, 10);
    assert.equal(clock.readCapped('expiry'), undefined);
  });

  it('goes on after a failure of the store', async () => {
    await add('draft', { status: 'draft' });
    let broken = true;
    const listLessons: Store['listLessons'] = (filter) =>
      broken ? Promise.reject(new Error('disk')) : store.listLessons(filter);
    const job = makeJob({ ...store, listLessons });
    nowMs += 31 * DAY_MS;
    await job.step();
    assert.deepEqual(lines, ['expiry: disk']);
    broken = false;
    nowMs += HOUR_MS;
    await job.step();
    assert.equal((await statuses()).draft, 'archived');
    job.end();
  });
});
