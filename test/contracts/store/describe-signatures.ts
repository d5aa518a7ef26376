/** The contract of what follows from failures: counters of signatures, the error log, repeats. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeFailure,
  makeLesson,
  makeProject,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { type OpenTestStore, type TestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const LS = makeSignature('ls');

export function describeSignatures(open: OpenTestStore): void {
  describe('signatures', () => {
    it(
      'count failures, sessions and projects, with the first and the last time',
      withStore(open, async (test) => {
        await test.store.saveCalls(
          [
            makeFailure(GH, { callId: 'c1', occurredAt: at(5) }),
            makeFailure(GH, { callId: 'c2', occurredAt: at(1) }),
            makeFailure(GH, { callId: 'c1', sessionId: 's2', projectId: 'prj_b', occurredAt: at(3) }),
            makeFailure(LS, { callId: 'c3', occurredAt: at(2) }),
          ],
          'observed',
        );
        assert.deepEqual(await readCounters(test), [
          { id: GH.id, count: 3, sessions: 2, projects: 2, first: at(1), last: at(5) },
          { id: LS.id, count: 1, sessions: 1, projects: 1, first: at(2), last: at(2) },
        ]);
      }),
    );

    it(
      'count a call once that is reported twice',
      withStore(open, async (test) => {
        for (const how of ['hearsay', 'observed', 'observed'] as const) {
          await test.store.saveCalls([makeFailure(GH), makeFailure(GH)], how);
        }
        await test.store.saveCalls([makeFailure(GH, { exitCode: 2 })], 'observed');
        assert.deepEqual(
          (await readCounters(test)).map((row) => row.count),
          [1],
        );
      }),
    );

    it(
      'lose a call that turns out to be another failure, or none, and are removed with their last call',
      withStore(open, async (test) => {
        await test.store.saveCalls([makeFailure(GH), makeFailure(GH, { callId: 'c2' })], 'hearsay');
        await test.store.saveCalls([makeFailure(LS), makeCall({ callId: 'c2' })], 'observed');
        assert.deepEqual(
          (await readCounters(test)).map(({ id, count, first }) => ({ id, count, first })),
          [{ id: LS.id, count: 1, first: at(0) }],
        );
      }),
    );

    it(
      'are not added for hearsay about a known call',
      withStore(open, async (test) => {
        await test.store.saveCalls([makeCall()], 'observed');
        await test.store.saveCalls([makeFailure(GH)], 'hearsay');
        assert.deepEqual(await readCounters(test), []);
      }),
    );

    it(
      'count correctly if several sessions fail at once',
      withStore(open, async (test) => {
        const sessions = Array.from({ length: 12 }, (_, i) => `s${i}`);
        const toBatch = (sessionId: string) => [
          makeFailure(GH, { sessionId }),
          makeFailure(LS, { sessionId, callId: 'c2' }),
        ];
        await Promise.all(
          sessions.map((id, i) => test.store.saveCalls(i % 2 ? toBatch(id) : toBatch(id).reverse(), 'observed')),
        );
        assert.deepEqual(
          (await readCounters(test)).map((row) => [row.count, row.sessions]),
          [
            [12, 12],
            [12, 12],
          ],
        );
      }),
    );

    it(
      'come back with the calls that have them',
      withStore(open, async ({ store }) => {
        await store.saveCalls([makeFailure(GH)], 'observed');
        assert.deepEqual((await store.listCalls({}))[0]?.signature, GH);
      }),
    );
  });

  describe('the error log', () => {
    it(
      'has one row for each session and signature',
      withStore(open, async ({ store, query }) => {
        const twice = [makeFailure(GH, { occurredAt: at(1) }), makeFailure(GH, { callId: 'c2', occurredAt: at(4) })];
        const other = [
          makeFailure(GH, { sessionId: 's2' }),
          makeCall({ callId: 'c3' }),
          makeCall({ callId: 'c4', outcome: 'denied' }),
        ];
        await store.saveCalls([...twice, ...other], 'observed');
        const rows = await query(
          'select session_id, tool, type, message, signature, count, first, last, analyzed from error_log order by session_id',
        );
        const same = { tool: 'shell', type: 'exit-code', message: 'no such file x', signature: GH.id, analyzed: 0 };
        assert.deepEqual(rows, [
          { session_id: 's1', ...same, count: 2, first: at(1), last: at(4) },
          { session_id: 's2', ...same, count: 1, first: at(0), last: at(0) },
        ]);
      }),
    );
  });

  describe('counts', () => {
    it(
      'are all zero in an empty store',
      withStore(open, async ({ store }) => {
        assert.deepEqual([...new Set(Object.values(await store.countAll()))], [0]);
      }),
    );

    it(
      'count all rows; a repeat is a failure whose signature failed before in its session or project',
      withStore(open, async ({ store }) => {
        await store.saveProjects([makeProject()]);
        await store.saveSessions([makeSession()]);
        await store.saveCalls(
          [
            makeFailure(GH, { callId: 'c1', occurredAt: at(2) }),
            makeFailure(GH, { callId: 'c2', occurredAt: at(1), sessionId: 's2' }),
            makeFailure(GH, { callId: 'c3' }),
            makeFailure(GH, { callId: 'c4', projectId: 'prj_b' }),
            makeFailure(LS, { callId: 'c5' }),
            makeCall({ callId: 'c6', outcome: 'failure' }),
            makeCall({ callId: 'c7', outcome: 'cancelled', signature: GH }),
            makeCall({ callId: 'c8', outcome: 'denied' }),
            makeCall({ callId: 'c9', outcome: 'partial' }),
            makeFailure(GH, { callId: 'masked', masked: true }),
            makeFailure(GH, { callId: 'hook', tool: 'other', rawTool: 'hook:Stop' }),
          ],
          'observed',
        );
        await store.saveLesson(makeLesson(), makeChange('new'));
        await store.saveLesson(makeLesson({ id: 'les_2', slug: 'b', status: 'draft' }), makeChange('new'));
        await store.saveDelivery(makeDelivery());
        const known = { projects: 1, sessions: 1, lessons: 1, drafts: 1, deliveries: 1 };
        assert.deepEqual(await store.countAll(), {
          ...known,
          calls: 10,
          failures: 6,
          masked: 1,
          hookFailures: 1,
          cancelled: 1,
          denied: 1,
        });
        const counted = { sessions: 2, calls: 10, failures: 6, masked: 1, hookFailures: 1, repeats: 3 };
        const { cost, days, ...told } = await store.countFailures();
        assert.deepEqual(told, { ...counted, avoidable: 0 });
        assert.deepEqual(days, [{ day: at(0).slice(0, 10), failures: 6, repeats: 3 }]);
        assert.equal(cost.solved, 0);
      }),
    );
  });
}

function readCounters({ query }: TestStore) {
  return query('select id, count, sessions, projects, first, last from signatures order by id');
}
