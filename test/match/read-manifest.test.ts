import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { readManifest } from '../../src/match/read-manifest.ts';
import { compileLessons } from '../../src/surfaces/loop/compile-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const CHANGE = { by: 'test', reason: 'made', at: '2026-01-01T00:00:00.000Z' };

describe('the manifest in its file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-manifest-'));
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('that is broken leaves the last good one in use, through any number of broken ones', async () => {
    const manifestFile = join(dir, 'manifest.json');
    const store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
    const compile = () => compileLessons({ store, settings: DEFAULT_SETTINGS, manifestFile });
    const count = () => readManifest(manifestFile)?.header.count;
    try {
      assert.equal(count(), undefined);
      await compile();
      await store.saveLesson(makeTestLesson({}), CHANGE);
      await compile();
      assert.equal(count(), 1);
      await compile();
      for (const broken of ['', '{"type":"mani', '{"type":"manifest","version":99}\n"lessons":[\n]}\n']) {
        writeFileSync(manifestFile, broken);
        assert.equal(count(), 1);
      }
      await compile();
      writeFileSync(manifestFile, 'broken again');
      assert.equal(count(), 1);
    } finally {
      await store.close();
    }
  });
});
