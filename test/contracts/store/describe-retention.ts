/** What the contract says about retention: text first, facts later, in pieces, the same on every engine. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addCounts, NOTHING_REMOVED, type RetentionLimits, type RetentionPoint } from '../../../src/base/retention.ts';
import type { Store } from '../../../src/base/store.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeEpisode,
  makeFailure,
  makeLesson,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const LS = makeSignature('ls');
const TEXT = { message: 'm', inputSummary: 'i', outputSummary: 'o', program: 'gh', targetPath: '/x' };
const LIMITS: RetentionLimits = { textBefore: at(100), perProject: 1000, factsBefore: at(10) };

async function retainAll(store: Store, limits: RetentionLimits) {
  let counts = NOTHING_REMOVED;
  let from: RetentionPoint | undefined;
  for (let steps = 0; steps === 0 || from !== undefined; steps++) {
    assert.ok(steps < 1000, 'it comes to an end');
    const { next, ...removed } = await store.retain(limits, from);
    counts = addCounts(counts, removed);
    from = next;
  }
  return counts;
}

const withText = async (store: Store) =>
  (await store.listCalls({}))
    .filter((call) => (call.message ?? call.inputSummary ?? call.outputSummary) !== undefined)
    .map(({ callId }) => callId);

export function describeRetention(open: OpenTestStore): void {
  describe('retention', () => {
    it(
      'takes the text of old calls and keeps their facts',
      withStore(open, async ({ store }) => {
        const old = makeFailure(GH, { ...TEXT, callId: 'old', occurredAt: at(50), exitCode: 2, inputHash: 'h' });
        const young = makeFailure(GH, { ...TEXT, callId: 'young', occurredAt: at(100) });
        await store.saveCalls([old, young], 'observed');
        assert.equal((await store.countRetention(LIMITS)).texts, 1);
        assert.deepEqual(await retainAll(store, LIMITS), { ...NOTHING_REMOVED, texts: 1 });
        const [first, second] = await store.listCalls({});
        const { message: _, inputSummary: __, outputSummary: ___, ...facts } = old;
        assert.deepEqual({ ...facts, id: first?.id }, first);
        assert.equal(second?.inputSummary, 'i');
        assert.deepEqual(await retainAll(store, LIMITS), NOTHING_REMOVED);
      }),
    );

    it(
      'keeps the text of the newest calls of each project',
      withStore(open, async ({ store }) => {
        const calls = ['prj_a', 'prj_b'].flatMap((projectId) =>
          Array.from({ length: projectId === 'prj_a' ? 5 : 3 }, (_, i) =>
            makeCall({ ...TEXT, projectId, callId: `${projectId}${i}`, occurredAt: at(200 + i) }),
          ),
        );
        await store.saveCalls(calls, 'observed');
        const limits = { ...LIMITS, perProject: 3 };
        assert.equal((await store.countRetention(limits)).texts, 2);
        assert.equal((await retainAll(store, limits)).texts, 2);
        assert.deepEqual(
          (await withText(store)).sort(),
          ['prj_a2', 'prj_a3', 'prj_a4', 'prj_b0', 'prj_b1', 'prj_b2'].sort(),
        );
        assert.deepEqual(await retainAll(store, limits), NOTHING_REMOVED);
        assert.equal((await retainAll(store, { ...limits, perProject: 0 })).texts, 6);
      }),
    );

    it(
      'removes facts in the end, with what only they held up',
      withStore(open, async ({ store, query }) => {
        await store.saveSession(makeSession({ lastSeenAt: at(9) }));
        await store.saveSession(makeSession({ sessionId: 's2', lastSeenAt: at(10) }));
        await store.saveCalls(
          [
            makeFailure(GH, { callId: 'c1', occurredAt: at(8) }),
            makeFailure(LS, { callId: 'c2', occurredAt: at(9) }),
            makeFailure(GH, { callId: 'c3', occurredAt: at(10) }),
          ],
          'observed',
        );
        await store.saveEpisode(makeEpisode());
        await store.saveDelivery(makeDelivery({ deliveredAt: at(9) }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_2', deliveredAt: at(10) }));
        await store.saveLesson(makeLesson(), makeChange('new'));
        const expected = { ...NOTHING_REMOVED, calls: 2, sessions: 1, deliveries: 1, signatures: 1 };
        const { texts: _, ...counted } = await store.countRetention({ ...LIMITS, textBefore: at(0) });
        const { texts: __, ...wanted } = expected;
        assert.deepEqual(counted, wanted);
        assert.deepEqual(await retainAll(store, { ...LIMITS, textBefore: at(0) }), expected);
        const [left, ...others] = await store.listCalls({});
        assert.deepEqual([left?.callId, left?.precedingId, others.length], ['c3', undefined, 0]);
        assert.deepEqual(await query('select id, count, first from signatures'), [
          { id: GH.id, count: 1, first: at(10) },
        ]);
        assert.equal((await query('select * from episodes')).length, 0);
        assert.equal((await store.listLessons()).length, 1);
      }),
    );

    it(
      'takes old excerpts out of lessons and their history, and nothing else',
      withStore(open, async ({ store }) => {
        const evidence = [99, 100].map((n) => ({
          agent: 'claude-code',
          sessionId: 's1',
          at: at(n),
          excerpt: `excerpt ${n}`,
        }));
        const lesson = makeLesson({ evidence });
        await store.saveLesson(lesson, makeChange('new'));
        await store.saveLesson({ ...lesson, priority: 6 }, makeChange('raised'));
        assert.equal((await store.countRetention(LIMITS)).excerpts, 1);
        assert.equal((await retainAll(store, LIMITS)).excerpts, 1);
        const { excerpt: _, ...stripped } = evidence[0] as (typeof evidence)[number];
        const kept = { ...lesson, evidence: [stripped, evidence[1]] };
        assert.deepEqual(await store.findLesson('les_1'), { ...kept, priority: 6 });
        const history = await store.listLessonHistory('les_1');
        assert.deepEqual(
          history.map(({ before, after }) => [before?.evidence, after.evidence]),
          [
            [undefined, kept.evidence],
            [kept.evidence, kept.evidence],
          ],
        );
      }),
    );

    it(
      'does a large store in pieces that others can come between',
      withStore(open, async ({ store }) => {
        const calls = Array.from({ length: 1300 }, (_, i) =>
          makeFailure(GH, { ...TEXT, callId: `c${i}`, occurredAt: at(i < 700 ? 1 : 50) }),
        );
        await store.saveCalls(calls, 'observed');
        const step = await store.retain(LIMITS);
        assert.ok(step.next !== undefined && step.calls < 700, 'the first piece is not all');
        await store.saveCalls([makeFailure(GH, { ...TEXT, callId: 'new', occurredAt: at(300) })], 'observed');
        const { calls: removed, texts } = await retainAll(store, LIMITS);
        assert.deepEqual([removed + step.calls, texts], [700, 600]);
        assert.deepEqual(await withText(store), ['new']);
      }),
    );
  });
}
