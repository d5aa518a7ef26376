import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { expireLessons } from '../../src/loop/upkeep/expire-lessons.ts';
import { restoreLesson } from '../../src/promote/lesson-states.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-01-01T00:00:00.000Z';
const by = (name: string): Lesson['origin'] => ({ kind: 'episode', by: `distill/${name}@1`, trust: 'observed' });
const LESSONS: readonly Lesson[] = [
  makeTestLesson({ slug: 'of-former', origin: by('shell-word'), sessions: 1 }),
  makeTestLesson({ slug: 'came-again', origin: by('shell-word'), sessions: 2 }),
  makeTestLesson({ slug: 'confirmed', origin: by('guessed-path'), sessions: 1, reviewedBy: 'ann' }),
  makeTestLesson({ slug: 'of-present', origin: by('corrected-command'), sessions: 1 }),
  makeTestLesson({ slug: 'of-plugin', origin: { kind: 'episode', by: 'mine/shell-word@1', trust: 'observed' } }),
];

describe('a lesson of a detector that no longer exists', () => {
  it('is archived with the reason, unless it came again or a person confirmed it, and can be restored', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'oncebitten-left-over-'));
    const store = await openSqliteStore(join(dir, 'x.db'));
    try {
      for (const lesson of LESSONS) await store.saveLesson(lesson, { by: 'test', reason: 'made', at: AT });
      const { lessons, changed } = await expireLessons(store, { nowMs: undefined });
      assert.equal(changed, true);
      assert.deepEqual(lessons.map(({ slug }) => slug).toSorted(), [
        'came-again',
        'confirmed',
        'of-plugin',
        'of-present',
      ]);
      const gone = await store.findLesson('of-former');
      assert.equal(gone?.status, 'archived');
      assert.match(gone?.archival?.reason ?? '', /no longer learns/);
      const again = gone && restoreLesson(gone, { by: 'ann', at: AT });
      assert.ok(again !== undefined && 'lesson' in again && again.lesson.status === 'active');
      await store.updateLessons([again.lesson.id], () => [
        { lesson: again.lesson, change: { by: 'ann', reason: 'restored', at: AT } },
      ]);
      assert.equal((await expireLessons(store, { nowMs: undefined })).changed, false);
    } finally {
      await store.close();
      rmSync(dir, { recursive: true });
    }
  });
});
