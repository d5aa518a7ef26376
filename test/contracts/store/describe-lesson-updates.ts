/** The contract of changing lessons that others change too. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UserError } from '../../../src/base/errors.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { makeChange, makeEpisode, makeLesson } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

export function describeLessonUpdates(open: OpenTestStore): void {
  describe('updates of lessons', () => {
    it(
      'receive each current lesson, by id or slug, and save the result, with the change',
      withStore(open, async ({ store }) => {
        const lesson = makeLesson();
        await store.saveLesson(lesson, makeChange('new'));
        const saved = await store.updateLessons(['none', lesson.slug], ([unknown, found]) => {
          assert.deepEqual([unknown, found], [undefined, lesson]);
          return [{ lesson: { ...lesson, priority: 9 }, change: makeChange('raised') }];
        });
        assert.deepEqual(saved, [{ ...lesson, priority: 9 }]);
        assert.equal((await store.findLesson('les_1'))?.priority, 9);
        assert.deepEqual(
          (await store.listLessonHistory('les_1')).map(({ reason, before }) => [reason, before?.priority]),
          [
            ['new', undefined],
            ['raised', 5],
          ],
        );
      }),
    );

    it(
      'change nothing if nothing is returned',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson(), makeChange('new'));
        const stamp = await store.readLessonStamp();
        assert.deepEqual(await store.updateLessons(['les_1'], () => []), []);
        assert.equal(await store.readLessonStamp(), stamp);
      }),
    );

    it(
      'of several lessons are all or none, and an error of `change` is passed on',
      withStore(open, async ({ store }) => {
        for (const id of ['les_1', 'les_2']) await store.saveLesson(makeLesson({ id, slug: id }), makeChange('new'));
        const refusal = new UserError({ subject: 'les_2', reason: 'no', next: 'nothing' });
        await assert.rejects(
          store.updateLessons(['les_1', 'les_2'], () => {
            throw refusal;
          }),
          (error) => error === refusal,
        );
        // The second cannot be saved: its slug is taken.
        const both = store.updateLessons(['les_1', 'les_2'], ([first, second]) => [
          { lesson: { ...(first ?? makeLesson()), priority: 9 }, change: makeChange('x') },
          { lesson: { ...(second ?? makeLesson()), slug: 'les_1' }, change: makeChange('x') },
        ]);
        await assert.rejects(both, /updateLessons failed/);
        assert.equal((await store.findLesson('les_1'))?.priority, 5);
        assert.equal((await store.listLessonHistory('les_1')).length, 1);
      }),
    );

    it(
      'accept text that no engine can store',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson(), makeChange('new'));
        await store.updateLessons(['les_1'], ([lesson = makeLesson()]) => [
          { lesson: { ...lesson, summary: 'a\0b\ud800' }, change: makeChange('odd\0') },
        ]);
        assert.equal((await store.findLesson('les_1'))?.summary, 'ab\ufffd');
      }),
    );

    it(
      'from two stores at once lose none of fifty, and the history has them all in order',
      withStore(open, async ({ store, place }) => {
        const other = await openStore(place);
        try {
          await store.saveLesson(makeLesson({ occurrences: 0 }), makeChange('new'));
          const count = (one: typeof store, i: number) =>
            one.updateLessons(['les_1'], ([lesson = makeLesson()]) => [
              {
                lesson: { ...lesson, occurrences: lesson.occurrences + 1, tags: [...lesson.tags, `n:${i}`] },
                change: { ...makeChange(`${i}`), by: one === store ? 'daemon' : 'user:ann' },
              },
            ]);
          await Promise.all(Array.from({ length: 50 }, (_, i) => count(i % 2 === 0 ? store : other, i)));
          const lesson = (await store.findLesson('les_1')) ?? assert.fail();
          assert.equal(lesson.occurrences, 50);
          assert.equal(new Set(lesson.tags).size, 51);
          const history = await store.listLessonHistory('les_1');
          assert.equal(history.length, 51);
          assert.deepEqual(
            history.map(({ after }) => after.occurrences),
            Array.from({ length: 51 }, (_, i) => i),
          );
          assert.equal(`n:${history.at(-1)?.reason}`, lesson.tags.at(-1), 'the last writer is known');
        } finally {
          await other.close();
        }
      }),
    );

    it(
      "make a process that learned from earlier lessons learn again, whatever the lessons' times",
      withStore(open, async ({ store }) => {
        const lesson = makeLesson();
        await store.saveLesson(lesson, makeChange('new'));
        const stamp = await store.readLessonStamp();
        await store.updateLessons(['les_1'], () => [
          { lesson: { ...lesson, priority: 9 }, change: makeChange('same time') },
        ]);
        const grown = { lesson: { ...lesson, occurrences: 2 }, change: makeChange('seen again') };
        assert.equal(await store.saveLearned({ ...grown, episode: makeEpisode(), stamp }), 'stale');
        assert.equal((await store.findLesson('les_1'))?.priority, 9);
      }),
    );
  });
}
