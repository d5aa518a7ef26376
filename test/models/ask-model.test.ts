import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { LanguageModel, ModelAnswer, Question } from '../../src/base/contracts/language-model.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import { listAsked } from '../../src/base/model/pack.ts';
import { DEFAULT_SETTINGS, type ModelSettings } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askAboutPacks, takeAnswerFiles } from '../../src/loop/language-models/ask-model.ts';
import { readPacks } from '../../src/loop/language-models/learn-packs.ts';
import type { Pack } from '../../src/loop/language-models/make-packs.ts';
import type { ScanFile } from '../../src/loop/scan/scan-files.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { GOOD_LESSON } from './answer-script.ts';
import { makeHistory, writePast } from './write-history.ts';

const USAGE = { inputTokens: 4_000, outputTokens: 500, usd: 0.01 };

/** Gives these answers one after the other, and keeps what it was asked. */
function makeModel(...answers: readonly (ModelAnswer | unknown)[]) {
  const asked: Question[] = [];
  const model: LanguageModel = {
    name: 'test',
    ask: async (question) => {
      const next = answers[asked.length] ?? answers.at(-1);
      asked.push(question);
      const isAnswer = typeof next === 'object' && next !== null && 'ok' in next;
      return isAnswer ? (next as ModelAnswer) : { ok: true, text: JSON.stringify(next), model: 'm-1', usage: USAGE };
    },
  };
  return { model, asked };
}

describe('asking a model', () => {
  let root: string;
  let store: Store;
  let packs: readonly Pack[];
  let files: readonly ScanFile[];
  const parts = () => ({ store, settings: DEFAULT_SETTINGS, ...toDataHome(join(root, 'data')), log: () => {} });

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-ask-'));
    store = await openStore({ url: '', file: toDataHome(join(root, 'data')).storeFile });
    files = ['shop', 'mall'].map((name) => {
      const path = writePast(root, { session: name, cwd: `/home/dev/${name}` }, makeHistory(name));
      const { size, mtimeMs } = statSync(path);
      return { agent: 'claude-code', path, size, mtimeMs };
    });
    await scanSessions({ ...parts(), files, onProgress: () => {} });
    packs = await readPacks(parts(), { files, by: 'project' });
    assert.equal(packs.length, 2);
  });
  afterEach(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  });

  const ask = (model: LanguageModel, models: Partial<ModelSettings> = {}, nowMs = Date.now()) => {
    const settings = { ...DEFAULT_SETTINGS, models: { ...DEFAULT_SETTINGS.models, ...models } };
    return askAboutPacks({ ...parts(), settings, model, now: () => nowMs }, packs);
  };

  it('sends the prompt and the pack, and keeps cost and outcome', async () => {
    const { model, asked } = makeModel({ add: [GOOD_LESSON] });
    const report = await ask(model);
    assert.deepEqual([report.asked, report.answers, report.tokens, report.usd], [2, 2, 9_000, 0.02]);
    assert.match(asked[0]?.prompt ?? '', /^<!-- oncebitten-pack v\d+ -->\n.*# Pack \w+-\w+\n/s);
    const [row] = await store.listPacks();
    assert.deepEqual([row?.state, row?.provider, row?.model, row?.usd], ['answered', 'test', 'm-1', 0.01]);
    assert.ok(row?.outcomes?.every(({ lessonId }) => lessonId !== undefined));
  });

  it('asks about each pack once', async () => {
    await ask(makeModel({ add: [] }).model);
    const { model, asked } = makeModel({ add: [] });
    assert.equal((await ask(model)).asked, 0);
    assert.equal(asked.length, 0);
  });

  it('asks about a pack again whose process died an hour ago', async () => {
    const [first] = packs;
    assert.ok(first);
    const { id, promptVersion, projectId } = first.index;
    const claim = (askedMs: number) =>
      store.savePack({
        ...{ pack: id, promptVersion, projectId, provider: 'test', episodes: listAsked(first.index) },
        ...{ state: 'asked', askedAt: new Date(askedMs).toISOString() },
      });
    const count = async () => (await readPacks(parts(), { files, by: 'project' })).length;
    await claim(Date.now() - 59 * 60_000);
    assert.equal(await count(), 1);
    await claim(Date.now() - 61 * 60_000);
    assert.equal(await count(), 2);
    assert.equal((await ask(makeModel({ add: [] }).model)).asked, 2);
  });

  it('asks again once, with the errors, if an answer does not follow the schema', async () => {
    const { model, asked } = makeModel({ add: [{ summary: 'x' }] }, { add: [GOOD_LESSON] });
    const report = await ask(model);
    assert.match(asked[1]?.prompt ?? '', /# Your answer could not be used\n\n- add\[0\]: summary: /);
    assert.equal(report.active + report.merged, 2);
    const spent = (await store.listPacks()).map(({ inputTokens }) => inputTokens);
    assert.deepEqual(spent.toSorted(), [4_000, 8_000]);
  });

  it('keeps the right parts of an answer that stays wrong', async () => {
    const report = await ask(makeModel({ add: [GOOD_LESSON, { summary: 'x' }] }).model);
    assert.deepEqual(report.dropped, [{ reason: 'does not follow the schema', count: 2 }]);
    assert.equal(report.active + report.merged, 2);
  });

  it('stops at a failure that every other pack would meet, and may ask again later', async () => {
    const login: ModelAnswer = { ok: false, kind: 'not-logged-in', reason: 'log in first' };
    const report = await ask(makeModel(login).model);
    assert.deepEqual([report.asked, report.answers, report.tokens], [1, 0, 0]);
    assert.equal((await store.listPacks())[0]?.state, 'failed');
    assert.equal((await ask(makeModel({ add: [] }).model)).asked, 2);
  });

  it("stays within the day's budget, and goes on the next day", async () => {
    const now = Date.UTC(2026, 5, 1);
    const first = await ask(makeModel({ add: [] }).model, { dailyTokens: 6_000 }, now);
    assert.deepEqual([first.asked, first.overBudget], [1, 1]);
    assert.equal((await ask(makeModel({ add: [] }).model, { dailyTokens: 6_000 }, now + 3_600_000)).asked, 0);
    assert.equal((await ask(makeModel({ add: [] }).model, { dailyTokens: 6_000 }, now + 90_000_000)).asked, 1);
  });

  it('asks nothing once the money of the day is spent', async () => {
    const first = await ask(makeModel({ add: [] }).model, { dailyUsd: 0.01 });
    assert.deepEqual([first.asked, first.overBudget], [1, 1]);
  });

  it('takes a broken file for no answer, so that its pack can be asked about', async () => {
    const broken = packs.map(({ index }) => ({ index, text: '{"add": [{' }));
    assert.equal((await takeAnswerFiles(parts(), broken, Date.now())).active, 0);
    assert.equal((await readPacks(parts(), { files, by: 'project' })).length, 2);
    await takeAnswerFiles(
      parts(),
      packs.map(({ index }) => ({ index, text: '{"add": []}' })),
      Date.now(),
    );
    assert.equal((await readPacks(parts(), { files, by: 'project' })).length, 0);
  });

  it('sends a doubted lesson to review, and retires none', async () => {
    await ask(makeModel({ add: [GOOD_LESSON] }).model);
    const [lesson] = (await store.listLessons()).filter(({ status }) => status === 'active');
    assert.ok(lesson);
    const doubting = packs.map((pack) => ({
      ...pack,
      index: { ...pack.index, id: `${pack.index.id}-b`, lessons: { k1: lesson.id } },
    }));
    const settings = DEFAULT_SETTINGS;
    const { model } = makeModel({ retire: [{ lesson: 'k1', reason: 'frob sync --all works now' }] });
    const report = await askAboutPacks({ ...parts(), settings, model, now: Date.now }, doubting);
    assert.equal(report.doubted, 1);
    const now = await store.findLesson(lesson.id);
    assert.deepEqual([now?.status, now?.needsReview], ['active', true]);
  });
});
