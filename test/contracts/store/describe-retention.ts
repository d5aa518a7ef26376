/** The contract of retention: text first, facts later, in steps, the same on every engine. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import { NOTHING_REMOVED } from '../../../src/base/storage/retention.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeEpisode,
  makeFailure,
  makeFinding,
  makeLesson,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { makeLimits, retainAll, storeThen } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const LS = makeSignature('ls');
const TEXT = { message: 'm', inputSummary: 'i', outputSummary: 'o', program: 'gh', targetPath: '/x' };
const LIMITS = makeLimits({ textBefore: at(100), factsBefore: at(10) });

const withText = async (store: Store) =>
  (await store.listCalls({}))
    .filter((call) => (call.message ?? call.inputSummary ?? call.outputSummary) !== undefined)
    .map(({ callId }) => callId);

export function describeRetention(open: OpenTestStore): void {
  describe('retention', () => {
    it(
      'removes the text of old calls and keeps their facts',
      withStore(open, async ({ store, query }) => {
        const old = makeFailure(GH, { ...TEXT, callId: 'old', occurredAt: at(50), exitCode: 2, inputHash: 'h' });
        const young = makeFailure(GH, { ...TEXT, callId: 'young', occurredAt: at(100) });
        await store.saveCalls([old, young], 'observed');
        await storeThen({ query });
        assert.equal((await store.countRetention(LIMITS)).texts, 1);
        assert.deepEqual(await retainAll(store, LIMITS), { ...NOTHING_REMOVED, texts: 1 });
        const [first, second] = await store.listCalls({});
        const { message: _, inputSummary: __, outputSummary: ___, ...facts } = old;
        const textRemoved = { setting: 'retention.textDays', value: 30 };
        assert.deepEqual({ ...facts, id: first?.id, textRemoved }, first);
        assert.equal(second?.inputSummary, 'i');
        assert.deepEqual(await retainAll(store, LIMITS), NOTHING_REMOVED);
      }),
    );

    it(
      'keeps the text of the newest calls of each project',
      withStore(open, async ({ store, query }) => {
        const calls = ['prj_a', 'prj_b'].flatMap((projectId) =>
          Array.from({ length: projectId === 'prj_a' ? 5 : 3 }, (_, i) =>
            makeCall({ ...TEXT, projectId, callId: `${projectId}${i}`, occurredAt: at(200 + i) }),
          ),
        );
        await store.saveCalls(calls, 'observed');
        await storeThen({ query });
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
      'finally removes facts, with everything that depends only on them',
      withStore(open, async ({ store, query }) => {
        await store.saveSessions([makeSession({ lastSeenAt: at(9) })]);
        await store.saveSessions([makeSession({ sessionId: 's2', lastSeenAt: at(10) })]);
        await store.saveCalls(
          [
            makeFailure(GH, { callId: 'c1', occurredAt: at(8) }),
            makeFailure(LS, { callId: 'c2', occurredAt: at(9) }),
            makeFailure(GH, { callId: 'c3', sessionId: 's2', occurredAt: at(10) }),
          ],
          'observed',
        );
        await storeThen({ query });
        await store.saveFindings([], [makeEpisode()]);
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
      'removes old excerpts from archived lessons and their history, and keeps those of other lessons',
      withStore(open, async ({ store }) => {
        const evidence = [99, 100].map((n) => ({
          agent: 'claude-code',
          sessionId: 's1',
          at: at(n),
          excerpt: `excerpt ${n}`,
        }));
        const lesson = makeLesson({ evidence, updatedAt: at(98) });
        await store.saveLesson(lesson, makeChange('new'));
        assert.equal((await store.countRetention(LIMITS)).excerpts, 0);
        assert.equal((await retainAll(store, LIMITS)).excerpts, 0);
        assert.deepEqual((await store.findLesson('les_1'))?.evidence, evidence);
        const archived = { ...lesson, status: 'archived' } as const;
        await store.saveLesson({ ...archived, updatedAt: at(101) }, makeChange('archived'));
        assert.equal((await retainAll(store, LIMITS)).excerpts, 0, 'it was archived a moment ago');
        await store.saveLesson(archived, makeChange('as if long ago'));
        assert.equal((await store.countRetention(LIMITS)).excerpts, 1);
        assert.equal((await retainAll(store, LIMITS)).excerpts, 1);
        const { excerpt: _, ...stripped } = evidence[0] as (typeof evidence)[number];
        const left = [stripped, evidence[1]];
        assert.deepEqual((await store.findLesson('les_1'))?.evidence, left);
        const history = await store.listLessonHistory('les_1');
        assert.deepEqual(
          history.map(({ before, after }) => [before?.evidence, after.evidence]),
          [
            [undefined, left],
            [left, left],
            [left, left],
          ],
        );
      }),
    );

    it(
      'counts age from the import of a call, also for the number of calls a project keeps and for facts',
      withStore(open, async ({ store, query }) => {
        const calls = [1, 2, 3, 4].map((n) => makeCall({ ...TEXT, callId: `c${n}`, occurredAt: at(n) }));
        await store.saveSessions([makeSession({ lastSeenAt: at(4) })]);
        await store.saveCalls(calls, 'observed');
        await query(`update tool_outcomes set created_at = '${at(5_000)}'`);
        await query(`update sessions set created_at = '${at(5_000)}'`);
        const limits = makeLimits({
          ...{ textBefore: at(4_000), factsBefore: at(3_000), perProject: 1, settledBefore: at(4_500), now: at(6_000) },
        });
        assert.deepEqual(await store.countRetention(limits), NOTHING_REMOVED);
        assert.deepEqual(await retainAll(store, limits), NOTHING_REMOVED);
        const later = { ...limits, settledBefore: at(5_500) };
        assert.equal((await store.countRetention(later)).texts, 3);
        assert.equal((await retainAll(store, later)).texts, 3);
        const [first] = await store.listCalls({});
        assert.deepEqual(first?.textRemoved, { setting: 'retention.perProject', value: 1 });
        const much = { ...limits, textBefore: at(5_500), factsBefore: at(5_500) };
        const { calls: gone, sessions } = await retainAll(store, much);
        assert.deepEqual([gone, sessions], [4, 1]);
      }),
    );

    it(
      'counts the age of text that is added again from that time',
      withStore(open, async ({ store, query }) => {
        const call = makeCall({ ...TEXT, callId: 'c1', occurredAt: at(50) });
        await store.saveCalls([call], 'observed');
        await storeThen({ query });
        assert.equal((await retainAll(store, LIMITS)).texts, 1);
        await store.saveCalls([call], 'observed');
        const [again] = await store.listCalls({});
        assert.deepEqual([again?.inputSummary, again?.textRemoved], ['i', undefined]);
        const now = new Date().toISOString();
        assert.equal((await retainAll(store, { ...LIMITS, now })).texts, 0);
      }),
    );

    it(
      'keeps the calls that taught a lesson as long as the lesson is not archived',
      withStore(open, async ({ store, query }) => {
        const lesson = makeLesson({ updatedAt: at(0) });
        await store.saveLesson(lesson, makeChange('new'));
        await store.saveCalls(
          ['failing', 'fixing', 'other'].map((callId) => makeFailure(GH, { ...TEXT, callId, occurredAt: at(5) })),
          'observed',
        );
        await storeThen({ query });
        const calls = { failingCallId: 'failing', fixingCallId: 'fixing' };
        await store.saveFindings([makeFinding({ ...calls, lessonId: lesson.id })]);
        const counted = await store.countRetention(LIMITS);
        assert.deepEqual([counted.calls, counted.texts], [1, 0]);
        assert.equal((await retainAll(store, LIMITS)).calls, 1);
        assert.deepEqual((await withText(store)).sort(), ['failing', 'fixing']);
        await store.saveLesson({ ...lesson, status: 'archived' }, makeChange('archived'));
        assert.equal((await retainAll(store, { ...LIMITS, factsBefore: at(0) })).texts, 2);
      }),
    );

    it(
      'neither keeps nor removes a call for a date in the future',
      withStore(open, async ({ store, query }) => {
        await store.saveCalls(
          ['told', 'stored'].map((callId) =>
            makeCall({ ...TEXT, callId, occurredAt: at(callId === 'told' ? 900 : 1) }),
          ),
          'observed',
        );
        await query(`update tool_outcomes set created_at = '${at(1)}' where call_id = 'told'`);
        await query(`update tool_outcomes set created_at = '${at(900)}' where call_id = 'stored'`);
        const limits = { ...LIMITS, now: at(200), factsBefore: at(0), settledBefore: at(0) };
        assert.equal((await retainAll(store, limits)).texts, 1);
        assert.deepEqual(await withText(store), ['stored']);
        const later = { ...limits, now: at(400), textBefore: at(300) };
        assert.equal((await retainAll(store, later)).texts, 1, 'as old as the day it was looked at');
      }),
    );

    it(
      'removes no more of a kind than allowed, oldest first',
      withStore(open, async ({ store, query }) => {
        const calls = [1, 2, 3, 50, 51, 52].map((n) => makeCall({ ...TEXT, callId: `c${n}`, occurredAt: at(n) }));
        await store.saveCalls(calls, 'observed');
        for (const n of [1, 2, 3]) {
          await store.saveSessions([makeSession({ sessionId: `empty${n}`, lastSeenAt: at(n) })]);
          await store.saveDelivery(makeDelivery({ id: `dlv_${n}`, deliveredAt: at(n) }));
        }
        await storeThen({ query });
        const { texts, excerpts: _, ...rows } = await store.countRemovable();
        assert.deepEqual([texts, rows], [6, { calls: 6, sessions: 3, deliveries: 3 }]);
        const most = { texts: 2, excerpts: 1, calls: 1, sessions: 1, deliveries: 2 };
        const removed = await store.retain({ ...LIMITS, most }, { phase: 1, at: [] });
        assert.deepEqual([removed.calls, removed.next?.phase], [1, 1]);
        const all = await retainAll(store, { ...LIMITS, most: { ...most, calls: 0, texts: 2 } });
        assert.deepEqual([all.calls, all.texts, all.sessions, all.deliveries], [0, 2, 1, 2]);
        assert.deepEqual(await withText(store), ['c50', 'c51', 'c52']);
      }),
    );

    it(
      'handles a large store in steps that others can work between',
      withStore(open, async ({ store, query }) => {
        const calls = Array.from({ length: 1300 }, (_, i) =>
          makeFailure(GH, { ...TEXT, callId: `c${i}`, occurredAt: at(i < 700 ? 1 : 50) }),
        );
        await store.saveCalls(calls, 'observed');
        await storeThen({ query });
        const { next } = await store.retain(LIMITS);
        const step = await store.retain(LIMITS, next);
        assert.ok(step.next !== undefined && step.calls < 700, 'the first piece is not all');
        await store.saveCalls([makeFailure(GH, { ...TEXT, callId: 'new', occurredAt: at(300) })], 'observed');
        const { calls: removed, texts } = await retainAll(store, LIMITS);
        assert.deepEqual([removed + step.calls, texts], [700, 600]);
        assert.deepEqual(await withText(store), ['new']);
      }),
    );
  });
}
