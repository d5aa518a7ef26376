import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { compileLessons } from '../../src/loop/compile-lessons.ts';
import { readManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const CHANGE = { by: 'test', reason: 'made', at: '2026-01-01T00:00:00.000Z' };

describe('the manifest in its file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-manifest-'));
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('is replaced by the spare file if it is broken or truncated, which is never an older one', async () => {
    const manifestFile = join(dir, 'manifest.json');
    const store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
    const compile = () => compileLessons({ store, settings: DEFAULT_SETTINGS, manifestFile });
    const count = () => readManifest(manifestFile)?.header.count;
    try {
      assert.equal(count(), undefined);
      await compile();
      const lesson = makeTestLesson({});
      await store.saveLesson(lesson, CHANGE);
      await compile();
      const whole = readFileSync(manifestFile);
      const cut = [1, 18, 200].map((bytes) => whole.subarray(0, whole.length - bytes));
      for (const broken of ['', '{"type":"mani', '{"type":"manifest","version":99}\n"lessons":[\n]}\n', ...cut]) {
        writeFileSync(manifestFile, broken);
        assert.equal(count(), 1);
      }
      await store.saveLesson({ ...lesson, status: 'archived' }, CHANGE);
      await compile();
      writeFileSync(manifestFile, 'broken again');
      assert.equal(count(), 0);
    } finally {
      await store.close();
    }
  });
});
