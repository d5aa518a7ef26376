import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { compileLessons } from '../../src/loop/compile-lessons.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const CHANGE = { by: 'test', reason: 'made', at: '2026-01-01T00:00:00.000Z' };

describe('processes that compile lessons at the same time', () => {
  let home: DataHome;
  let slow: Store;
  let fast: Store;
  beforeEach(async () => {
    home = toDataHome(mkdtempSync(join(tmpdir(), 'oncebitten-at-once-')));
    slow = await openStore({ url: '', file: home.storeFile });
    fast = await openStore({ url: '', file: home.storeFile });
  });
  afterEach(async () => {
    await Promise.all([slow.close(), fast.close()]);
    rmSync(home.dir, { recursive: true, force: true });
  });

  const compile = (store: Store) =>
    compileLessons({ store, settings: DEFAULT_SETTINGS, manifestFile: home.manifestFile });
  const saveBy = (store: Store, summary: string) =>
    store.saveLesson(makeTestLesson({ id: `les_${summary}`, slug: summary, summary }), CHANGE);
  const listCompiled = (): readonly string[] => {
    const { lessons } = JSON.parse(readFileSync(home.manifestFile, 'utf8')) as { lessons: readonly { slug: string }[] };
    return lessons.map(({ slug }) => slug).sort();
  };

  for (const times of [1, 2, 3, 4, 10]) {
    it(`keep the lessons of the last one, also when a slow one was overtaken ${times} times`, async () => {
      let overtaken = 0;
      // The slow process has read its lessons by the time it asks for their track records.
      const overtakenStore: Store = {
        ...slow,
        listTrackRecords: async (...args) => {
          if (overtaken < times) {
            await saveBy(fast, `fast-${overtaken++}`);
            await compile(fast);
          }
          return slow.listTrackRecords(...args);
        },
      };
      await saveBy(slow, 'slow');
      await compile(overtakenStore);
      const wanted = ['slow', ...Array.from({ length: overtaken }, (_, i) => `fast-${i}`)].sort();
      assert.deepEqual(listCompiled(), wanted);
    });
  }
});
