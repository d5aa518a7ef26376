/** The contract of history queries: counts, the most frequent failures, sessions. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Store } from '../../../src/base/contracts/store.ts';
import type { HistoryFilter } from '../../../src/base/statistics/history.ts';
import { at, makeCall, makeFailure, makeSession, makeSignature } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const LS = makeSignature('ls');
const DAY = 24 * 60;

async function fill(store: Store): Promise<void> {
  await store.saveSessions([makeSession({ model: 'opus', lastSeenAt: at(DAY + 1) })]);
  await store.saveSessions([makeSession({ sessionId: 's2', projectId: 'prj_b', model: 'sonnet', lastSeenAt: at(9) })]);
  await store.saveSessions([
    makeSession({ sessionId: 'silent', projectId: 'prj_b', startedAt: at(4), lastSeenAt: at(5) }),
  ]);
  const inB = { sessionId: 's2', projectId: 'prj_b' };
  await store.saveCalls(
    [
      makeFailure(GH, { callId: 'c1', occurredAt: at(1) }),
      makeFailure(GH, { callId: 'c2', masked: true, occurredAt: at(2) }),
      makeCall({ callId: 'c3', outcome: 'denied', occurredAt: at(3) }),
      makeCall({ callId: 'c4', outcome: 'cancelled', contextId: 'sub', occurredAt: at(4) }),
      makeCall({ callId: 'c5', occurredAt: at(DAY + 1) }),
      makeFailure(LS, { ...inB, callId: 'c6', occurredAt: at(6) }),
      makeFailure(GH, { ...inB, callId: 'c7', occurredAt: at(7) }),
      makeFailure(LS, { ...inB, callId: 'c8', rawTool: 'hook:Stop', occurredAt: at(8) }),
    ],
    'observed',
  );
}

export function describeHistory(open: OpenTestStore): void {
  describe('history', () => {
    it(
      'counts calls by session, project and day, and hooks separately',
      withStore(open, async ({ store }) => {
        await fill(store);
        const none = { failures: 0, masked: 0, denied: 0, cancelled: 0, hookFailures: 0 };
        const s1 = { agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', model: 'opus' };
        const s2 = { agent: 'claude-code', sessionId: 's2', projectId: 'prj_b', model: 'sonnet' };
        const first = { calls: 4, failures: 1, masked: 1, denied: 1, cancelled: 1, hookFailures: 0 };
        assert.deepEqual(await store.countHistory({}), [
          { ...s1, day: '2026-01-01', ...first, first: at(1), last: at(4) },
          { ...s2, day: '2026-01-01', ...none, calls: 2, failures: 2, hookFailures: 1, first: at(6), last: at(8) },
          { ...s1, day: '2026-01-02', ...none, calls: 1, first: at(DAY + 1), last: at(DAY + 1) },
        ]);
      }),
    );

    it(
      'is filtered by all parts of a filter together',
      withStore(open, async ({ store }) => {
        await fill(store);
        const calls = async (filter: HistoryFilter) =>
          (await store.countHistory(filter)).reduce((sum, cell) => sum + cell.calls, 0);
        assert.equal(await calls({ agent: 'codex' }), 0);
        assert.equal(await calls({ projectIds: ['prj_b'] }), 2);
        assert.equal(await calls({ projectIds: [] }), 0);
        assert.equal(await calls({ model: 'opus' }), 5);
        assert.equal(await calls({ model: 'opus', projectIds: ['prj_b'] }), 0);
        assert.equal(await calls({ since: at(4) }), 4);
        assert.equal(await calls({ until: at(4) }), 3);
        assert.equal(await calls({ since: at(4), until: at(7) }), 2);
      }),
    );

    it(
      'says how many sessions made no call',
      withStore(open, async ({ store }) => {
        await fill(store);
        const silent = (filter: HistoryFilter) => store.countSilentSessions(filter);
        assert.equal(await silent({}), 1);
        assert.equal(await silent({ projectIds: ['prj_b'], since: at(5), until: at(6) }), 1);
        for (const filter of [
          { agent: 'codex' },
          { projectIds: ['prj_a'] },
          { since: at(6) },
          { until: at(4) },
          { model: 'opus' },
        ])
          assert.equal(await silent(filter), 0, JSON.stringify(filter));
      }),
    );

    it(
      'lists the most frequent failures, without those of hooks',
      withStore(open, async ({ store }) => {
        await fill(store);
        const message = 'no such file x';
        assert.deepEqual(await store.listTopSignatures({ limit: 9 }), [
          { signature: GH.id, program: 'gh', message, count: 3, masked: 1, sessions: 2, last: at(7) },
          { signature: LS.id, program: 'ls', message, count: 1, masked: 0, sessions: 1, last: at(6) },
        ]);
        assert.equal((await store.listTopSignatures({ limit: 1 })).length, 1);
        const [top] = await store.listTopSignatures({ model: 'sonnet', until: at(7), limit: 9 });
        assert.deepEqual([top?.signature, top?.count], [LS.id, 1]);
      }),
    );
  });

  describe('sessions, listed', () => {
    it(
      'come newest first with the counts of their calls',
      withStore(open, async ({ store }) => {
        await fill(store);
        const sessions = await store.listSessions({ limit: 9 });
        assert.deepEqual(
          sessions.map(({ sessionId, calls, failures, masked, denied, cancelled }) =>
            [sessionId, calls, failures, masked, denied, cancelled].join(' '),
          ),
          ['s1 5 1 1 1 1', 's2 2 2 0 0 0', 'silent 0 0 0 0 0'],
        );
        assert.equal((await store.listSessions({ limit: 1 })).length, 1);
        assert.equal((await store.listSessions({ projectIds: ['prj_b'], limit: 9 })).length, 2);
        assert.equal((await store.listSessions({ agent: 'codex', limit: 9 })).length, 0);
      }),
    );

    it(
      'are found by their parent',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession()]);
        await store.saveSessions([makeSession({ sessionId: 'child', parentSessionId: 's1' })]);
        await store.saveSessions([makeSession({ sessionId: 'child', agent: 'codex', parentSessionId: 's1' })]);
        const children = await store.listSessions({ parent: { agent: 'codex', sessionId: 's1' }, limit: 9 });
        assert.deepEqual(
          children.map(({ agent, sessionId }) => [agent, sessionId]),
          [['codex', 'child']],
        );
      }),
    );

    it(
      'are found by the beginning of their id, whatever characters it has',
      withStore(open, async ({ store }) => {
        const ids = ['ab', 'aB', 'a%', 'a_c', 'å😀b', "a'b"];
        for (const sessionId of ids) await store.saveSessions([makeSession({ sessionId })]);
        const prefix = fc.oneof(
          fc.constantFrom('', 'a', 'a%', '%', 'a_', 'å😀', "a'"),
          fc.string({ unit: 'grapheme' }),
        );
        await fc.assert(
          fc.asyncProperty(prefix, async (idPrefix) => {
            const found = await store.listSessions({ idPrefix, limit: 99 });
            const wanted = ids.filter((id) => id.startsWith(idPrefix));
            assert.deepEqual(found.map(({ sessionId }) => sessionId).sort(), wanted.sort());
          }),
          { numRuns: 40 },
        );
      }),
    );
  });
}
