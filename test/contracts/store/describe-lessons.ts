/** The contract of lessons, episodes, deliveries and scan state. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Delivery, DeliveryOutcome } from '../../../src/base/model/delivery.ts';
import { at, makeChange, makeDelivery, makeEpisode, makeLesson, makeScanState } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

export function describeLessons(open: OpenTestStore): void {
  describe('lessons', () => {
    it(
      'are found by id and by slug, exactly as saved',
      withStore(open, async ({ store }) => {
        const lesson = makeLesson({ summary: 'naïve ☃ "quoted"\nline', lastMatchedAt: at(4) });
        await store.saveLesson(lesson, makeChange('new'));
        assert.deepEqual(await store.findLesson(lesson.id), lesson);
        assert.deepEqual(await store.findLesson(lesson.slug), lesson);
      }),
    );

    it(
      'are undefined, or an empty list, if there are none',
      withStore(open, async ({ store }) => {
        assert.equal(await store.findLesson('les_1'), undefined);
        assert.deepEqual(await store.listLessons(), []);
        assert.deepEqual(await store.listLessonHistory('les_1'), []);
      }),
    );

    it(
      'are replaced by id, and each change is in the history with the lesson before and after',
      withStore(open, async ({ store }) => {
        const first = makeLesson({ reviewedBy: 'ann' });
        const second = makeLesson({ slug: 'renamed', priority: 9 });
        await store.saveLesson(first, makeChange('new'));
        await store.saveLesson(second, makeChange('raised'));
        await store.saveLesson(makeLesson({ id: 'les_2', slug: 'other' }), makeChange('new'));
        assert.deepEqual(await store.findLesson('les_1'), second);
        assert.equal(await store.findLesson(first.slug), undefined);
        const history = await store.listLessonHistory('les_1');
        assert.deepEqual(
          history.map(({ id: _, ...change }) => change),
          [
            { ...makeChange('new'), lessonId: 'les_1', after: first },
            { ...makeChange('raised'), lessonId: 'les_1', before: first, after: second },
          ],
        );
        assert.ok(history.every(({ id }) => id.startsWith('hst_')));
      }),
    );

    it(
      'have changes that are listed by author, newest first',
      withStore(open, async ({ store }) => {
        for (const [id, by] of ['ann', 'bob', 'ann', 'ann'].entries())
          await store.saveLesson(makeLesson({ id: `les_${id}`, slug: `s${id}` }), { ...makeChange(`${id}`), by });
        const reasons = async (by: string) => (await store.listChangesBy(by)).map(({ reason }) => reason);
        assert.deepEqual(await reasons('ann'), ['3', '2', '0']);
        assert.deepEqual(await reasons('nobody'), []);
        // An undo by anybody counts for everybody.
        await store.saveLesson(makeLesson({ id: 'les_9', slug: 's9' }), {
          ...makeChange('undo of hst_1: x'),
          by: 'bob',
        });
        assert.deepEqual(await reasons('ann'), ['undo of hst_1: x', '3', '2', '0']);
      }),
    );

    it(
      'have changes that belong to one command, or to one time if no command is named',
      withStore(open, async ({ store }) => {
        const save = (id: string, command?: string) =>
          store.saveLesson(makeLesson({ id, slug: id }), {
            ...makeChange(id),
            ...(command === undefined ? {} : { command }),
          });
        for (const [id, command] of [['les_a', 'cmd_1'], ['les_b', 'cmd_2'], ['les_c', 'cmd_1'], ['les_d'], ['les_e']])
          await save(id ?? '', command);
        const heads = await store.listChangesBy(makeChange('x').by);
        const of = async (reason: string) => {
          const head = heads.find((one) => one.reason === reason) ?? assert.fail();
          return (await store.listChangesOf(head)).map(({ lessonId }) => lessonId);
        };
        assert.deepEqual(await of('les_a'), ['les_a', 'les_c']);
        assert.deepEqual(await of('les_b'), ['les_b']);
        assert.deepEqual(await of('les_d'), ['les_d', 'les_e']);
      }),
    );

    it(
      'have a complete history if they are changed from several places at once',
      withStore(open, async ({ store }) => {
        const changes = Array.from({ length: 8 }, (_, i) =>
          store.saveLesson(makeLesson({ priority: i }), makeChange('x')),
        );
        await Promise.all(changes);
        const history = await store.listLessonHistory('les_1');
        assert.equal(history.filter((change) => change.before === undefined).length, 1);
        const seen = history.flatMap(({ before }) => before?.priority ?? []);
        const last = await store.findLesson('les_1');
        assert.deepEqual([...seen, last?.priority].sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
      }),
    );

    it(
      'leave no history when they cannot be saved',
      withStore(open, async ({ store, query }) => {
        await store.saveLesson(makeLesson(), makeChange('new'));
        const sameSlug = makeLesson({ id: 'les_2' });
        await assert.rejects(store.saveLesson(sameSlug, makeChange('new')), /saveLesson failed/);
        assert.equal(await store.findLesson('les_2'), undefined);
        assert.equal((await query('select * from lesson_history')).length, 1);
      }),
    );

    it(
      'are listed by priority, then confidence, then slug in byte order, of one status or of all',
      withStore(open, async ({ store }) => {
        const list: [slug: string, priority: number, confidence: number, status: 'active' | 'draft'][] = [
          ['b', 5, 0.5, 'active'],
          ['B', 5, 0.5, 'draft'],
          ['a-b', 5, 0.5, 'active'],
          ['aa', 5, 0.5, 'active'],
          ['sure', 5, 0.9, 'draft'],
          ['top', 10, 0.1, 'active'],
        ];
        for (const [slug, priority, confidence, status] of list) {
          await store.saveLesson(
            makeLesson({ id: `les_${slug}`, slug, priority, confidence, status }),
            makeChange('new'),
          );
        }
        const slugs = async (filter?: { status: 'active' }) => (await store.listLessons(filter)).map((one) => one.slug);
        assert.deepEqual(await slugs(), ['top', 'sure', 'B', 'a-b', 'aa', 'b']);
        assert.deepEqual(await slugs({ status: 'active' }), ['top', 'a-b', 'aa', 'b']);
      }),
    );
  });

  describe('a lesson and its source', () => {
    it(
      'are saved together, once, and only by a process that has seen all lessons',
      withStore(open, async ({ store, query }) => {
        const stamp = await store.readLessonStamp();
        const learned = { lesson: makeLesson(), change: makeChange('new'), episode: makeEpisode(), stamp };
        assert.equal(await store.saveLearned(learned), 'saved');
        assert.equal(await store.saveLearned(learned), 'known');
        const other = makeEpisode({ id: 'epi_2', sessionId: 's2' });
        assert.equal(await store.saveLearned({ ...learned, episode: other }), 'stale');
        assert.deepEqual(await store.hasEpisodes([other]), [false]);
        const { change: _, ...unchanged } = { ...learned, episode: other, stamp: await store.readLessonStamp() };
        assert.equal(await store.saveLearned(unchanged), 'saved');
        assert.deepEqual(await query('select count(*) as n from lesson_history'), [{ n: 1 }]);
      }),
    );

    it(
      'are made again if another lesson has the same slug',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson({ id: 'les_1', slug: 'npm-test-abcd' }), makeChange('new'));
        const [episode, stamp] = [makeEpisode(), await store.readLessonStamp()];
        const learn = (slug: string) =>
          store.saveLearned({ lesson: makeLesson({ id: 'les_2', slug }), change: makeChange('new'), episode, stamp });
        assert.equal(await learn('npm-test-abcd'), 'stale');
        assert.equal(await learn('npm-test-efgh'), 'saved');
      }),
    );

    it(
      'are learned by one process if many try at the same time',
      withStore(open, async ({ store }) => {
        const stamp = await store.readLessonStamp();
        const learn = (i: number) =>
          store.saveLearned({
            lesson: makeLesson({ id: `les_${i}`, slug: `s${i}` }),
            change: makeChange('new'),
            episode: makeEpisode({ id: `epi_${i}`, sessionId: `s${i}` }),
            stamp,
          });
        const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => learn(i)));
        assert.deepEqual(answers.filter((answer) => answer === 'saved').length, 1);
        assert.equal((await store.listLessons()).length, 1);
      }),
    );
  });

  describe('episodes', () => {
    it(
      'of the same failing and fixing call are one',
      withStore(open, async ({ store, query }) => {
        await store.saveFindings([], [makeEpisode()]);
        await store.saveFindings([], [makeEpisode({ id: 'epi_2', confidence: 0.8 })]);
        await store.saveFindings([], [makeEpisode({ id: 'epi_3', fixingCallId: 'c3' })]);
        const rows = await query('select id, confidence from episodes order by id');
        assert.deepEqual(rows, [
          { id: 'epi_1', confidence: 0.8 },
          { id: 'epi_3', confidence: 0.6 },
        ]);
      }),
    );

    it(
      'are known by their failing call and kind, whatever fixed it',
      withStore(open, async ({ store }) => {
        await store.saveFindings([], [makeEpisode()]);
        const { agent, sessionId, failingCallId, kind } = makeEpisode();
        const asked = { agent, sessionId, failingCallId, kind };
        assert.deepEqual(await store.hasEpisodes([asked]), [true]);
        for (const key of ['agent', 'sessionId', 'failingCallId', 'kind']) {
          assert.deepEqual(await store.hasEpisodes([{ ...asked, [key]: 'else' }]), [false], key);
        }
      }),
    );
  });
}

export function describeDeliveries(open: OpenTestStore): void {
  describe('deliveries', () => {
    it(
      'record when their lesson last matched, whoever saves the lesson meanwhile, and are not a change of it',
      withStore(open, async ({ store }) => {
        const lesson = makeLesson();
        await store.saveLesson(lesson, makeChange('new'));
        const stamp = await store.readLessonStamp();
        await store.saveDelivery(makeDelivery({ id: 'dlv_1', deliveredAt: at(5) }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_2', deliveredAt: at(3) }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_3', lessonId: 'les_gone' }));
        // At the start of a session it matched no call.
        await store.saveDelivery(makeDelivery({ id: 'dlv_4', kind: 'session-start', callId: '', deliveredAt: at(9) }));
        assert.equal((await store.findLesson('les_1'))?.lastMatchedAt, at(5));
        assert.equal(await store.readLessonStamp(), stamp);
        assert.equal((await store.listLessonHistory('les_1')).length, 1);
        await store.saveLesson({ ...lesson, priority: 9 }, makeChange('raised'));
        const { priority, lastMatchedAt } = (await store.findLesson('les_1')) ?? assert.fail();
        assert.deepEqual([priority, lastMatchedAt], [9, at(5)]);
      }),
    );

    it(
      'reported twice are one row, oldest first in a list',
      withStore(open, async ({ store }) => {
        const later = makeDelivery({ id: 'dlv_0', deliveredAt: at(3) });
        for (const delivery of [later, makeDelivery(), makeDelivery()]) await store.saveDelivery(delivery);
        assert.deepEqual(await store.listDeliveries({}), [makeDelivery(), later]);
      }),
    );

    it(
      'are judged once',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        assert.equal(await store.judgeDelivery('dlv_1', 'clean', at(1)), true);
        assert.equal(await store.judgeDelivery('dlv_1', 'ignored', at(2)), false);
        assert.equal(await store.judgeDelivery('dlv_9', 'clean', at(1)), false);
        await store.saveDelivery(makeDelivery());
        assert.deepEqual(await store.listDeliveries({}), [makeDelivery({ outcome: 'clean', outcomeAt: at(1) })]);
      }),
    );

    it(
      'get one verdict from many judges at once',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        const verdicts = Array.from({ length: 6 }, (_, i) => store.judgeDelivery('dlv_1', 'clean', at(i)));
        assert.equal((await Promise.all(verdicts)).filter(Boolean).length, 1);
      }),
    );

    it(
      'add up to the record of each lesson: shown at calls and judged',
      withStore(open, async ({ store }) => {
        const judge = async (id: string, outcome: DeliveryOutcome | undefined, more: Partial<Delivery> = {}) => {
          await store.saveDelivery(makeDelivery({ id, ...more }));
          if (outcome !== undefined) await store.judgeDelivery(id, outcome, at(Number(id.at(-1))));
        };
        await judge('dlv_1', 'clean');
        await judge('dlv_2', 'ignored');
        await judge('dlv_3', 'clean');
        await judge('dlv_4', 'incomplete');
        await judge('dlv_5', undefined);
        await judge('dlv_6', 'failed_anyway', { arm: 'holdout' });
        await judge('dlv_7', 'clean', { kind: 'session-start' });
        await judge('dlv_8', 'failed_anyway', { lessonId: 'les_2' });
        assert.deepEqual(await store.listTrackRecords(), [
          { lessonId: 'les_1', judged: 3, clean: 2, lastCleanAt: at(3), lastFailedAt: at(2) },
          { lessonId: 'les_2', judged: 1, clean: 0, lastFailedAt: at(8) },
        ]);
      }),
    );

    it(
      'count from the time that their lesson is measured from; all of them without one',
      withStore(open, async ({ store }) => {
        const change = makeChange('x');
        await store.saveLesson(makeLesson({ id: 'les_1', measure: { from: at(5), on: ['model-1'] } }), change);
        const same = { slug: 'two', contentHash: 'two', measure: { on: ['model-1'] } };
        await store.saveLesson(makeLesson({ id: 'les_2', ...same }), change);
        for (const lessonId of ['les_1', 'les_2', 'les_gone'])
          for (const n of [4, 5, 6, 7]) {
            const id = `dlv_${lessonId}_${n}`;
            await store.saveDelivery(makeDelivery({ id, lessonId, deliveredAt: at(n) }));
            await store.judgeDelivery(id, n === 4 ? 'ignored' : 'clean', at(n + 1));
          }
        const all = { judged: 4, clean: 3, lastCleanAt: at(8), lastFailedAt: at(5) };
        assert.deepEqual(await store.listTrackRecords(), [
          { lessonId: 'les_1', judged: 2, clean: 2, lastCleanAt: at(8) },
          { lessonId: 'les_2', ...all },
          { lessonId: 'les_gone', ...all },
        ]);
        const shown = (await store.listTrials()).map(({ lessonId, note }) => [lessonId, note.judged, note.again]);
        assert.deepEqual(shown, [
          ['les_1', 2, 0],
          ['les_2', 4, 1],
          ['les_gone', 4, 1],
        ]);
        // Times after "now" come from a clock that was ahead.
        assert.deepEqual(await store.listTrackRecords(at(7)), [
          { lessonId: 'les_1', judged: 1, clean: 1, lastCleanAt: at(7) },
          ...['les_2', 'les_gone'].map((lessonId) => ({
            ...{ lessonId, judged: 3, clean: 2, lastCleanAt: at(7), lastFailedAt: at(5) },
          })),
        ]);
        assert.deepEqual(
          (await store.listTrials(at(6))).map(({ note }) => note.judged),
          [1, 3, 3],
        );
        assert.equal((await store.readTrials({ lessonId: 'les_2', since: at(4), until: at(6) })).note.judged, 2);
      }),
    );

    it(
      'are filtered by all parts of a filter together',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery({ id: 'dlv_1' }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_2', agent: 'codex' }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_3', sessionId: 's2' }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_4', lessonId: 'les_2' }));
        await store.judgeDelivery('dlv_4', 'clean', at(1));
        const ids = async (filter: object) => (await store.listDeliveries(filter)).map((one) => one.id);
        assert.deepEqual(await ids({ agent: 'claude-code', sessionId: 's1', lessonId: 'les_1' }), ['dlv_1']);
        assert.deepEqual(await ids({ open: true }), ['dlv_1', 'dlv_2', 'dlv_3']);
        assert.deepEqual(await ids({ open: false }), ['dlv_4']);
      }),
    );
  });

  describe('scan state', () => {
    it(
      'is returned exactly, however large the file and its inode number',
      withStore(open, async ({ store }) => {
        const state = makeScanState({ memo: '{"cwd":"/home/ann/shop"}', tail: '0hoilpm1xu70lx', isOpen: true });
        assert.deepEqual(await store.listScanStates([state.path]), []);
        await store.saveScanStates([makeScanState({ offset: 0, lines: 0 })]);
        await store.saveScanStates([state]);
        assert.deepEqual(await store.listScanStates(['/elsewhere', state.path]), [state]);
        assert.deepEqual(await store.listScanStates(['/elsewhere']), []);
        assert.deepEqual(await store.listScanStates(), [state]);
      }),
    );
  });
}
