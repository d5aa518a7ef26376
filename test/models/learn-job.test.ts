import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AskLimits, LanguageModel } from '../../src/base/contracts/language-model.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS, type ModelSettings } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeLearnJob } from '../../src/loop/language-models/learn-job.ts';
import { makeLoop } from '../../src/loop/learn.ts';
import { scanTranscript } from '../../src/loop/scan/scan-sessions.ts';
import { GOOD_LESSON } from './answer-script.ts';
import { makeHistory, writePast } from './write-history.ts';

describe('the questions after the end of a session', () => {
  let root: string;
  let store: Store;
  let asked: AskLimits[];
  let lines: string[];
  const toParts = (models: Partial<ModelSettings>) => {
    const settings = { ...DEFAULT_SETTINGS, models: { ...DEFAULT_SETTINGS.models, ...models } };
    return { store, settings, ...toDataHome(join(root, 'data')), log: () => {} };
  };
  const model: LanguageModel = {
    name: 'test',
    ask: async (_, limits) => {
      asked.push(limits);
      return { ok: true, text: JSON.stringify({ add: [GOOD_LESSON] }) };
    },
  };
  const on: Partial<ModelSettings> = { provider: 'openai', auto: true };
  const open = (models: Partial<ModelSettings>, isOnBattery = false, given = model) =>
    makeLearnJob({
      answers: () => toParts(models),
      openModel: () => given,
      onLearned: () => lines.push('learned'),
      log: (line) => lines.push(line),
      isOnBattery: () => isOnBattery,
    });
  const endSession = async (session: string) => {
    const path = writePast(root, { session, cwd: `/home/dev/${session}` }, makeHistory(session));
    await scanTranscript({ store, loop: makeLoop(toParts({})), agent: 'claude-code', path });
    return { agent: 'claude-code', path };
  };

  beforeEach(async () => {
    [asked, lines] = [[], []];
    root = mkdtempSync(join(tmpdir(), 'oncebitten-job-'));
    store = await openStore({ url: '', file: toDataHome(join(root, 'data')).storeFile });
  });
  afterEach(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('are one pack, and what it teaches is told on', async () => {
    const job = open(on);
    job.hear(await endSession('shop'));
    job.step();
    job.step();
    await job.settle();
    assert.equal(asked.length, 1);
    assert.match(lines.join('\n'), /^learned\nlearn: asked test, \d+ tokens; 1 active lessons, 0 drafts$/);
    assert.equal((await store.listPacks())[0]?.state, 'answered');
  });

  it('are asked by one of two processes', async () => {
    const file = await endSession('shop');
    const jobs = [open(on), open(on)];
    for (const job of jobs) {
      job.hear(file);
      job.step();
    }
    await Promise.all(jobs.map((job) => job.settle()));
    assert.equal(asked.length, 1);
  });

  it('are not asked unless they are switched on, nor on battery', async () => {
    const file = await endSession('shop');
    for (const job of [open({ ...on, auto: false }), open({ ...on, provider: 'none' }), open(on, true)]) {
      job.hear(file);
      job.step();
      await job.settle();
    }
    assert.equal(asked.length, 0);
  });

  it('leave the daemon as it is if the model fails', async () => {
    const failing = { name: 'test', ask: async () => ({ ok: false, kind: 'too-slow', reason: 'no answer' }) as const };
    const job = open(on, false, failing);
    job.hear(await endSession('shop'));
    job.step();
    await job.settle();
    assert.deepEqual(lines, ['learn: test gave no answer: no answer']);
  });

  it('are broken off when the daemon ends', async () => {
    const patient: LanguageModel = {
      name: 'test',
      ask: (_, { signal }) =>
        new Promise((done) => {
          signal?.addEventListener('abort', () => done({ ok: false, kind: 'failed', reason: 'broken off' }));
        }),
    };
    const job = open(on, false, patient);
    job.hear(await endSession('shop'));
    job.step();
    setTimeout(() => job.end(), 300);
    await job.settle();
    assert.equal((await store.listPacks())[0]?.state, 'failed');
  });
});
