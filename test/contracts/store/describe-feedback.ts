/** The contract of feedback: saved with the change of its lesson, and forgotten with its subject. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { Feedback, FeedbackVerdict } from '../../../src/base/model/feedback.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { giveFeedback } from '../../../src/promote/confidence.ts';
import { at, makeCall, makeChange, makeDelivery, makeLesson, makeSession } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const really = { at: at(500), dryRun: false, dropEvidence };
const settings = { minConfidence: 0.5 };

function makeFeedback(fields: Partial<Feedback> = {}): Feedback {
  return {
    ...{ id: 'fbk_1', lessonId: 'les_1', from: 'user', by: 'user:ann', verdict: 'helpful' },
    ...{ moved: 0.1, isFlagging: false, command: 'cmd_1', at: at(5) },
    ...fields,
  };
}

export function describeFeedback(open: OpenTestStore): void {
  describe('feedback', () => {
    it(
      'is returned as it was saved, oldest first, by lesson and by delivery',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson(), makeChange('new'));
        const full = makeFeedback({
          ...{ id: 'fbk_2', deliveryId: 'dlv_1', from: 'agent', by: 'agent:codex', verdict: 'not-helpful' },
          ...{ note: 'naïve ☃', moved: -0.075, isFlagging: true, at: at(4) },
        });
        for (const feedback of [makeFeedback(), full]) await store.updateFeedback('les_1', () => ({ feedback }));
        assert.deepEqual(await store.listFeedback(), [full, makeFeedback()]);
        assert.deepEqual(await store.listFeedback({ deliveryId: 'dlv_1' }), [full]);
        assert.deepEqual(await store.listFeedback({ lessonId: 'les_2' }), []);
      }),
    );

    it(
      'is decided on with the lesson, its feedback and its changes; both are saved or neither',
      withStore(open, async ({ store }) => {
        const lesson = makeLesson();
        await store.saveLesson(lesson, { ...makeChange('new'), command: 'cmd_0' });
        await store.updateFeedback(lesson.slug, (one) => {
          assert.deepEqual(one.lesson, lesson);
          assert.deepEqual(one.feedback, []);
          assert.deepEqual(
            one.history.map(({ reason, command }) => [reason, command]),
            [['new', 'cmd_0']],
          );
          return {
            feedback: makeFeedback(),
            update: { lesson: { ...lesson, confidence: 0.7 }, change: makeChange('said') },
          };
        });
        assert.equal((await store.findLesson('les_1'))?.confidence, 0.7);
        assert.equal((await store.listLessonHistory('les_1')).at(-1)?.reason, 'said');
        // A second row of the same person about the same delivery would count twice.
        const twice = store.updateFeedback('les_1', () => ({
          feedback: makeFeedback({ id: 'fbk_2' }),
          update: { lesson: { ...lesson, confidence: 0.9 }, change: makeChange('twice') },
        }));
        await assert.rejects(twice, /updateFeedback failed/);
        assert.equal((await store.findLesson('les_1'))?.confidence, 0.7);
      }),
    );

    it(
      'changes nothing if nothing is decided, the lesson is unknown, or `decide` throws',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson(), makeChange('new'));
        const stamp = await store.readLessonStamp();
        assert.equal(await store.updateFeedback('les_1', () => undefined), undefined);
        assert.equal(await store.updateFeedback('none', () => assert.fail('asked about nothing')), undefined);
        const refusal = new UserError({ subject: 'les_1', reason: 'no', next: 'nothing' });
        await assert.rejects(
          store.updateFeedback('les_1', () => {
            throw refusal;
          }),
          (error) => error === refusal,
        );
        assert.equal(await store.readLessonStamp(), stamp);
      }),
    );

    it(
      'given several times at once counts each author once',
      withStore(open, async ({ store, place }) => {
        await store.saveLesson(makeLesson({ confidence: 0.2 }), makeChange('new'));
        const other = await openStore(place);
        const say = (n: number, one: Store) => give(one, 'helpful', `user:${n % 3}`, `fbk_${n}`);
        await Promise.all(Array.from({ length: 9 }, (_, n) => say(n, n % 2 === 0 ? store : other)));
        await other.close();
        assert.equal((await store.listFeedback()).length, 3);
        assert.equal((await store.findLesson('les_1'))?.confidence, 0.5);
      }),
    );

    it(
      'is removed with its delivery, its lesson, and everything; its note with words that the lesson loses',
      withStore(open, async ({ store }) => {
        await fill(store);
        await store.forget({ kind: 'session', id: 's1' }, really);
        assert.deepEqual(
          (await store.listFeedback()).map(({ id, note }) => [id, note]),
          [['fbk_lesson', undefined]],
        );
        await fill(store);
        await store.forget({ kind: 'project', ids: ['prj_a'] }, really);
        assert.deepEqual(await store.listFeedback({ deliveryId: 'dlv_1' }), []);
        await fill(store);
        await store.forget({ kind: 'all' }, really);
        assert.deepEqual(await store.listFeedback(), []);
      }),
    );
  });
}

function give(store: Store, verdict: FeedbackVerdict, by: string, id: string) {
  const voice = { id, from: 'user', by, verdict, command: `cmd_${id}`, at: at(9) } as const;
  return store.updateFeedback('les_1', (one) => giveFeedback(one, voice, settings));
}

/** A lesson with evidence in two sessions: forgetting one takes its words, not the lesson. */
async function fill(store: Store): Promise<void> {
  const from = (sessionId: string) => ({
    ...{ agent: 'claude-code', sessionId, at: at(1), excerpt: `x\nfixed by: ${sessionId}` },
  });
  const summary = '`gh` has no `--x`: use `kraken`';
  await store.saveLesson(
    makeLesson({ summary, scope: { kind: 'user' }, evidence: [from('s1'), from('s2')] }),
    makeChange('new'),
  );
  await store.saveSessions([makeSession()]);
  await store.saveCalls([makeCall()], 'observed');
  await store.saveDelivery(makeDelivery());
  const ids = [makeFeedback({ id: 'fbk_delivery', deliveryId: 'dlv_1' }), makeFeedback({ id: 'fbk_lesson' })];
  for (const one of ids)
    await store.updateFeedback('les_1', ({ feedback: said }) => {
      const id = said.find(({ deliveryId }) => deliveryId === one.deliveryId)?.id ?? one.id;
      return { feedback: { ...one, id, note: 'kraken again' } };
    });
}
