/** The contract of promotions. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { Promotion } from '../../../src/base/model/promotion.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { at, makeChange, makeLesson, makePromotion, makeSession } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const really = { at: at(500), dryRun: false, dropEvidence };

export function describePromotions(open: OpenTestStore): void {
  describe('promotions', () => {
    it(
      'are returned as they were saved, oldest first, by lesson, project and state',
      withStore(open, async ({ store }) => {
        const full = makePromotion({
          ...{ id: 'prm_2', state: 'applied', text: 'naïve ☃', hash: 'h', before: 'was\r\n', made: ['.claude'] },
          ...{ file: 'CLAUDE.md', projectId: 'prj_b' },
        });
        await save(store, full);
        await save(store, makePromotion());
        assert.deepEqual(await store.listPromotions(), [makePromotion(), full]);
        assert.deepEqual(await store.listPromotions({ state: 'applied' }), [full]);
        assert.deepEqual(await store.listPromotions({ projectId: 'prj_a' }), [makePromotion()]);
        assert.deepEqual(await store.listPromotions({ lessonId: 'les_2' }), []);
        await store.joinProjects('prj_b', 'prj_a', { at: at(1), dryRun: false });
        assert.equal((await store.listPromotions({ projectId: 'prj_a' })).length, 2);
      }),
    );

    it(
      'that change lose their old fields, and the history of the lesson records it',
      withStore(open, async ({ store }) => {
        await save(store, makePromotion({ state: 'applied', hash: 'h', made: [] }), 'applied');
        await save(store, makePromotion({ state: 'rolled_back' }), 'rolled back');
        assert.deepEqual(await store.listPromotions(), [makePromotion({ state: 'rolled_back' })]);
        const reasons = (await store.listLessonHistory('les_1')).map(({ reason }) => reason);
        assert.deepEqual(reasons, ['new', 'applied', 'new', 'rolled back']);
      }),
    );

    it(
      'are decided on with all promotions, and nothing is saved if `change` throws',
      withStore(open, async ({ store }) => {
        await save(store, makePromotion());
        const refusal = new UserError({ subject: 'les_1', reason: 'no', next: 'nothing' });
        const stamp = await store.readLessonStamp();
        await assert.rejects(
          store.updatePromotions(['none', 'les_1'], ([unknown, lesson], promotions) => {
            assert.deepEqual([unknown, lesson?.id, promotions.length], [undefined, 'les_1', 1]);
            throw refusal;
          }),
          (error) => error === refusal,
        );
        assert.equal(await store.readLessonStamp(), stamp);
        assert.deepEqual(await store.updatePromotions(['les_1'], () => []), []);
      }),
    );

    it(
      'of one lesson are decided on one after the other, whoever asks',
      withStore(open, async ({ store, place }) => {
        await store.saveLesson(makeLesson(), makeChange('new'));
        const other = await openStore(place);
        const add = (one: Store, n: number) =>
          one.updatePromotions(['les_1'], ([lesson = makeLesson()], promotions) => [
            {
              lesson,
              change: makeChange(`${n}`),
              promotion: makePromotion({ id: `prm_${n}`, text: `${promotions.length}` }),
            },
          ]);
        await Promise.all(Array.from({ length: 6 }, (_, n) => add(n % 2 === 0 ? store : other, n)));
        const counts = (await store.listPromotions()).map(({ text }) => text).sort();
        assert.deepEqual(counts, ['0', '1', '2', '3', '4', '5']);
        await other.close();
      }),
    );

    it(
      'are forgotten with their lesson, their project, and everything',
      withStore(open, async ({ store }) => {
        const fill = async (): Promise<void> => {
          await save(store, makePromotion(), 'x', { scope: { kind: 'user' }, evidence: [] });
          await save(store, makePromotion({ id: 'prm_2', projectId: 'prj_b', state: 'applied', hash: 'h' }), 'x', {
            ...{ scope: { kind: 'user' as const }, evidence: [], origin: { kind: 'user', by: 'ann', trust: 'stated' } },
          });
        };
        await fill();
        await store.forget({ kind: 'project', ids: ['prj_a'] }, really);
        assert.deepEqual(
          (await store.listPromotions()).map(({ id }) => id),
          ['prm_2'],
        );
        await fill();
        await store.forget({ kind: 'all' }, really);
        assert.deepEqual(await store.listPromotions(), []);
      }),
    );

    it(
      'of a lesson that loses words lose theirs; the text in a file is still recognized',
      withStore(open, async ({ store }) => {
        const from = (sessionId: string) => ({
          agent: 'claude-code',
          sessionId,
          at: at(1),
          excerpt: `x\nfixed by: ${sessionId}`,
        });
        const summary = '`gh` has no `--x`: use `kraken`';
        const lesson = { summary, scope: { kind: 'user' as const }, evidence: [from('s1'), from('s2')] };
        await save(
          store,
          makePromotion({ state: 'applied', hash: 'h', before: 'kraken', text: 'kraken' }),
          'x',
          lesson,
        );
        await save(store, makePromotion({ id: 'prm_2', text: 'kraken' }), 'x', lesson);
        await store.saveSessions([makeSession()]);
        await store.forget({ kind: 'session', id: 's1' }, really);
        assert.deepEqual(await store.listPromotions(), [makePromotion({ state: 'applied', hash: 'h', text: '' })]);
      }),
    );
  });
}

async function save(store: Store, promotion: Promotion, reason = 'x', fields: Parameters<typeof makeLesson>[0] = {}) {
  const lesson = makeLesson(fields);
  await store.saveLesson(lesson, makeChange('new'));
  await store.updatePromotions([lesson.id], () => [{ promotion, lesson, change: makeChange(reason) }]);
}
