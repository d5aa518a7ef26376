import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { expireLessons } from '../../src/loop/upkeep/expire-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-01-01T00:00:00.000Z';
const HOUR_MS = 3_600_000;
const afterHours = (hours: number): number => Date.parse(AT) + hours * HOUR_MS;
const ofSession = (id: string): Lesson =>
  makeTestLesson({
    slug: `of-${id}`,
    scope: { kind: 'session', id },
    evidence: [{ agent: 'claude-code', sessionId: id, at: AT }],
  });

describe('a lesson that is true in one session', () => {
  let dir: string;
  let store: Store;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-expire-'));
    store = await openSqliteStore(join(dir, 'x.db'));
    for (const lesson of [ofSession('one'), ofSession('two'), makeTestLesson({ slug: 'of-all' })])
      await store.saveLesson(lesson, { by: 'test', reason: 'made', at: AT });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const left = async (): Promise<readonly string[]> =>
    (await store.listLessons({ status: 'active' })).map(({ slug }) => slug).toSorted();

  it('is archived when the session ends, with the reason', async () => {
    const ended = [{ agent: 'claude-code', sessionId: 'one' }];
    const { changed, lessons } = await expireLessons(store, { nowMs: afterHours(1), ended });
    assert.equal(changed, true);
    assert.deepEqual(lessons.map(({ slug }) => slug).toSorted(), ['of-all', 'of-two']);
    assert.deepEqual(await left(), ['of-all', 'of-two']);
    const gone = await store.findLesson('of-one');
    const history = await store.listLessonHistory(gone?.id ?? '');
    assert.equal(gone?.status, 'archived');
    assert.equal(history.at(-1)?.reason, 'its session has ended');
  });

  it('stays when a session of another agent with that name ends', async () => {
    const ended = [{ agent: 'cursor', sessionId: 'one' }];
    assert.equal((await expireLessons(store, { nowMs: afterHours(1), ended })).changed, false);
  });

  it('is archived when nothing was heard of its session for a day', async () => {
    assert.equal((await expireLessons(store, { nowMs: afterHours(24) })).changed, false);
    assert.equal((await expireLessons(store, { nowMs: afterHours(25) })).changed, true);
    assert.deepEqual(await left(), ['of-all']);
    assert.equal((await expireLessons(store, { nowMs: afterHours(26) })).changed, false);
  });
});
