/** The contract of delivery counts: all engines count alike, and only what was asked for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Store } from '../../../src/base/contracts/store.ts';
import type { Delivery } from '../../../src/base/model/delivery.ts';
import type { DeliveryCell } from '../../../src/base/statistics/delivery-counts.ts';
import { NO_SUMS } from '../../../src/base/statistics/estimates.ts';
import { toRank } from '../../../src/keep/store/deliveries/delivery-stats.ts';
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
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');

export function describeStats(open: OpenTestStore): void {
  describe('deliveries in numbers', () => {
    it(
      'are listed newest first with their project, by lesson, session, project, agent, arm, time and beginning of the id',
      withStore(open, async ({ store }) => {
        await fill(store);
        const list = async (query: Parameters<Store['countDeliveries']>[0], limit = 9) =>
          (await store.listPlacedDeliveries({ ...query, limit })).map(({ id }) => id);
        assert.deepEqual(await list({}), ['dlv_5', 'dlv_4', 'dlv_3', 'dlv_2', 'dlv_1']);
        assert.deepEqual(await list({}, 2), ['dlv_5', 'dlv_4']);
        assert.deepEqual(await list({ lessonId: 'les_2' }), ['dlv_4']);
        assert.deepEqual(await list({ sessionId: 's2' }), ['dlv_5', 'dlv_4']);
        assert.deepEqual(await list({ agent: 'codex' }), ['dlv_5', 'dlv_4']);
        assert.deepEqual(await list({ arm: 'holdout' }), ['dlv_3']);
        assert.deepEqual(await list({ since: at(40) }), ['dlv_5', 'dlv_4']);
        assert.deepEqual(await list({ idPrefix: 'dlv_2' }), ['dlv_2']);
        assert.deepEqual(await list({ idPrefix: 'DLV_2' }), []);
        assert.deepEqual(await list({ projectIds: [] }), []);
        const placed = await store.listPlacedDeliveries({ limit: 9 });
        // The project of the call; of the session if the call is unknown; none if neither is known.
        assert.deepEqual(
          placed.map(({ projectId }) => projectId),
          ['prj_b', 'prj_b', 'prj_a', 'prj_c', 'prj_a'],
        );
        const [first] = await store.listPlacedDeliveries({ idPrefix: 'dlv_1', limit: 1 });
        assert.deepEqual(first, { ...FIRST, projectId: 'prj_a' });
      }),
    );

    it(
      'of a joined project are those of all its ids, under the one it was joined into',
      withStore(open, async ({ store }) => {
        await fill(store);
        await store.joinProjects('prj_b', 'prj_a', { at: at(1), dryRun: false });
        assert.equal((await store.listPlacedDeliveries({ projectIds: ['prj_b'], limit: 9 })).length, 4);
        const cells = await store.countDeliveries({}, 'project');
        assert.deepEqual([...new Set(cells.map(({ key }) => key))], ['prj_a', 'prj_c']);
      }),
    );

    it(
      'are counted by mode, arm and outcome, with repetitions and the outcomes of their own calls',
      withStore(open, async ({ store }) => {
        await fill(store);
        const base: Omit<DeliveryCell, 'bytes'> = {
          ...{ key: 'claude-code', lessonId: 'les_1', kind: 'call', mode: 'note', arm: 'shown', count: 1 },
          ...{ again: 0, failed: 0, ownWorked: 0, ownFailed: 0, followed: 0, cameBack: 0 },
          after: {
            failingAttempts: NO_SUMS,
            callsToSuccess: NO_SUMS,
            secondsToSuccess: NO_SUMS,
            tokensToSuccess: NO_SUMS,
          },
        };
        const withheld = { arm: 'holdout', outcome: 'ignored', bytes: 0, again: 1, failed: 1, ownWorked: 1 } as const;
        assert.deepEqual(
          sorted(await store.countDeliveries({ lessonId: 'les_1' }, 'agent')),
          sorted([
            { ...base, ...withheld, followed: 1 },
            { ...base, outcome: 'clean', bytes: 312, ownFailed: 1, followed: 1 },
            { ...base, bytes: 100 },
            { ...base, key: 'codex', kind: 'session-start', bytes: 50 },
          ]),
        );
        const count = async (by: 'project' | 'agent' | 'day') =>
          sum(await store.countDeliveries({ projectIds: ['prj_a', 'prj_b'] }, by));
        assert.deepEqual(await count('project'), { prj_a: 2, prj_b: 2 });
        assert.deepEqual(await count('agent'), { 'claude-code': 2, codex: 2 });
        assert.deepEqual(await count('day'), { '2026-01-01': 3, '2026-01-02': 1 });
      }),
    );

    it(
      'are summed with the calls after notes: failing attempts, calls and seconds, and mistakes of later sessions',
      withStore(open, async ({ store }) => {
        const GH = makeSignature('gh');
        await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
        for (const [n, sessionId] of ['a', 'b'].entries()) {
          await store.saveSessions([makeSession({ sessionId })]);
          await store.saveDelivery(makeDelivery({ id: `dlv_${sessionId}`, sessionId, deliveredAt: at(n * 100) }));
          const later = (second: number) => ({ callId: `c${second}`, at: at(n * 100 + second) });
          const worked = { verdict: 'clean', outcome: 'worked' } as const;
          const failed = { verdict: 'ignored', outcome: 'failed' } as const;
          const attempts = n === 0 ? [{ ...later(2), ...worked }] : [2, 4].map((s) => ({ ...later(s), ...failed }));
          await store.saveAttempts(`dlv_${sessionId}`, attempts, { rule: 'every' });
        }
        await store.saveCalls([makeFailure(GH, { sessionId: 'b', callId: 'x', occurredAt: at(102) })], 'observed');
        const cells = await store.countDeliveries({}, 'agent');
        const [clean, ignored] = ['clean', 'ignored'].map((one) => cells.find(({ outcome }) => outcome === one));
        assert.deepEqual(clean?.after.failingAttempts, { n: 1, sum: 0, squares: 0 });
        assert.equal(clean?.after.callsToSuccess.n, 1);
        assert.deepEqual(ignored?.after.failingAttempts, { n: 1, sum: 2, squares: 4 });
        assert.equal(ignored?.after.secondsToSuccess.n, 0, 'no attempt has worked yet');
        assert.deepEqual([clean?.followed, clean?.cameBack], [1, 1], 'the later session failed that way');
        assert.deepEqual([ignored?.followed, ignored?.cameBack], [1, 0]);
      }),
    );

    it(
      'judged before repetitions were recorded count by their verdict; incomplete ones do not count',
      withStore(open, async ({ store }) => {
        await fill(store);
        await store.judgeDelivery('dlv_2', 'failed_anyway', at(50));
        await store.judgeDelivery('dlv_4', 'incomplete', at(50));
        const cells = await store.countDeliveries({}, 'agent');
        const came = cells.filter(({ outcome }) => outcome === 'failed_anyway' || outcome === 'incomplete');
        assert.deepEqual(came.map(({ outcome, again, failed }) => [outcome, again, failed]).sort(), [
          ['failed_anyway', 1, 1],
          ['incomplete', 0, 0],
        ]);
      }),
    );

    it(
      'are zero in an empty store',
      withStore(open, async ({ store }) => {
        assert.deepEqual(await store.countDeliveries({}, 'day'), []);
        assert.equal(await store.readLatency({}), undefined);
        assert.deepEqual(await store.countMissed({ projectIds: ['prj_a'] }), []);
        assert.deepEqual(await store.countFeedback({ agent: 'codex' }), []);
        assert.deepEqual(await store.listRecurrences({}), []);
      }),
    );

    it(
      "have the latency of each call once, whatever the number of lessons, and none of a session's start",
      withStore(open, async ({ store }) => {
        const same = { callId: 'c1', latencyUs: 400 };
        await store.saveDelivery(makeDelivery({ id: 'dlv_1', ...same }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_2', lessonId: 'les_2', ...same }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_3', kind: 'session-start', callId: '', latencyUs: 9_000 }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_4', callId: 'c2', arm: 'holdout', latencyUs: 700.5 }));
        assert.deepEqual(await store.readLatency({}), {
          calls: 2,
          p50Us: 400,
          p95Us: 700.5,
          p99Us: 700.5,
          maxUs: 700.5,
        });
        assert.equal((await store.readLatency({ lessonId: 'les_2' }))?.calls, 1);
      }),
    );

    it(
      'have exact quantiles, whatever the numbers are',
      { timeout: 900_000 },
      withStore(open, async ({ store }) => {
        let run = 0;
        const arbitrary = fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1, maxLength: 40 });
        await fc.assert(
          fc.asyncProperty(arbitrary, async (values) => {
            const sessionId = `run-${run++}`;
            for (const [n, latencyUs] of values.entries())
              await store.saveDelivery(makeDelivery({ id: `${sessionId}-${n}`, sessionId, callId: `${n}`, latencyUs }));
            const order = values.toSorted((a, b) => a - b);
            const pick = (percent: number) => order[toRank(percent, order.length) - 1];
            assert.deepEqual(await store.readLatency({ sessionId }), {
              ...{ calls: values.length, p50Us: pick(50), p95Us: pick(95), p99Us: pick(99), maxUs: pick(100) },
            });
          }),
          { numRuns: 15 },
        );
      }),
    );

    it(
      'are listed with failures without a warning, by reason',
      withStore(open, async ({ store }) => {
        const miss = (callId: string, reason: 'budget' | 'trigger', projectId = 'prj_a') => ({
          ...{ agent: 'claude-code', sessionId: 's1', contextId: '', callId, projectId, lessonId: 'les_1', reason },
          at: at(Number(callId)),
        });
        await store.saveMissed([miss('1', 'budget'), miss('2', 'trigger'), miss('3', 'trigger', 'prj_b')]);
        await store.saveSkipped([{ ...miss('4', 'budget'), reason: 'deadline' }]);
        assert.deepEqual(await store.countMissed({}), [
          { reason: 'trigger', count: 2 },
          { reason: 'budget', count: 1 },
        ]);
        assert.deepEqual(await store.countMissed({ projectIds: ['prj_b'], since: at(2) }), [
          { reason: 'trigger', count: 1 },
        ]);
        assert.deepEqual(await store.countMissed({ lessonId: 'les_2' }), []);
      }),
    );

    it(
      'are listed with their feedback',
      withStore(open, async ({ store }) => {
        await fill(store);
        const say = (id: string, lessonId: string, deliveryId: string | undefined, said: number) =>
          store.updateFeedback(lessonId, () => ({
            feedback: {
              ...{ id, lessonId, from: 'user', by: `user:${id}`, verdict: 'helpful', moved: 0, isFlagging: false },
              ...{ command: 'cmd_1', at: at(said) },
              ...(deliveryId === undefined ? {} : { deliveryId }),
            },
          }));
        await say('fbk_1', 'les_1', 'dlv_1', 1);
        await say('fbk_2', 'les_1', undefined, 50);
        await say('fbk_3', 'les_2', 'dlv_4', 60);
        const count = async (query: Parameters<Store['countFeedback']>[0]) =>
          (await store.countFeedback(query)).map((one) => [one.from, one.verdict, one.count]);
        assert.deepEqual(await count({}), [['user', 'helpful', 3]]);
        assert.deepEqual(await count({ lessonId: 'les_1' }), [['user', 'helpful', 2]]);
        assert.deepEqual(await count({ since: at(50) }), [['user', 'helpful', 2]]);
        assert.deepEqual(await count({ agent: 'codex' }), [['user', 'helpful', 1]]);
        assert.deepEqual(await count({ projectIds: ['prj_a'] }), [['user', 'helpful', 1]]);
        assert.deepEqual(await store.countFeedback({ lessonId: 'les_1' }, ['fbk_2', 'fbk_3']), [
          { from: 'user', verdict: 'helpful', count: 1 },
        ]);
      }),
    );

    it(
      'contain how often the failure of a lesson occurred before and after it first fired, in its project',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
        await store.saveLesson(
          makeLesson({ id: 'les_2', slug: 'wide', signatureId: GH.id, scope: { kind: 'user' } }),
          makeChange('new'),
        );
        const gh = (n: number, fields = {}) =>
          makeCall({ callId: `c${n}`, program: 'gh', occurredAt: at(n), ...fields });
        const bad = (n: number, fields = {}) =>
          makeFailure(GH, { callId: `c${n}`, program: 'gh', occurredAt: at(n), ...fields });
        await store.saveCalls(
          [
            ...[bad(1), bad(2), gh(3), bad(4, { projectId: 'prj_b' }), gh(5, { outcome: 'denied' })],
            ...[
              gh(11),
              bad(12),
              gh(13, { program: 'git' }),
              makeFailure(makeSignature('cat'), { callId: 'x', occurredAt: at(14) }),
            ],
          ],
          'observed',
        );
        await store.saveDelivery(makeDelivery({ callId: 'c11', deliveredAt: at(10) }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_0', callId: 'c1', arm: 'holdout', deliveredAt: at(1) }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_2', lessonId: 'les_2', callId: 'c11', deliveredAt: at(10) }));
        const since = { trials: 2, failures: 1 };
        assert.deepEqual(await store.listRecurrences({}), [
          { lessonId: 'les_1', firstFiredAt: at(10), before: { trials: 3, failures: 2 }, after: since },
          { lessonId: 'les_2', firstFiredAt: at(10), before: { trials: 4, failures: 3 }, after: since },
        ]);
        assert.deepEqual(await store.listRecurrences({ lessonId: 'les_1', since: at(2) }), [
          { lessonId: 'les_1', firstFiredAt: at(10), before: { trials: 2, failures: 1 }, after: since },
        ]);
        assert.deepEqual(await store.listRecurrences({ agent: 'codex' }), []);
      }),
    );
  });
}

const FIRST: Delivery = makeDelivery({ id: 'dlv_1', outcome: 'clean', outcomeAt: at(9) });

/** Two lessons in two sessions of two agents; the second call was made elsewhere, the third is not known. */
async function fill(store: Store): Promise<void> {
  for (const id of ['prj_a', 'prj_b', 'prj_c'])
    await store.saveProjects([makeProject({ id, name: id, root: `/${id}` })]);
  await store.saveSessions([makeSession()]);
  await store.saveSessions([makeSession({ agent: 'codex', sessionId: 's2', projectId: 'prj_b' })]);
  await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
  const { signatureId: _, ...written } = makeLesson({ id: 'les_2', slug: 'written' });
  await store.saveLesson(written, makeChange('new'));
  await store.saveCalls(
    [
      makeFailure(GH, { callId: 'c1' }),
      makeCall({ callId: 'c2', projectId: 'prj_c', outcome: 'denied' }),
      makeCall({ callId: 'c3' }),
      makeCall({ agent: 'codex', sessionId: 's2', callId: 'c4', projectId: 'prj_b' }),
    ],
    'observed',
  );
  await store.saveDelivery(makeDelivery());
  await store.judgeDelivery('dlv_1', 'clean', at(9), { again: false, failed: false });
  await store.saveDelivery(makeDelivery({ id: 'dlv_2', callId: 'c2', bytes: 100, deliveredAt: at(10) }));
  await store.saveDelivery(makeDelivery({ id: 'dlv_3', callId: 'c3', arm: 'holdout', bytes: 0, deliveredAt: at(20) }));
  await store.judgeDelivery('dlv_3', 'ignored', at(21), { again: true, failed: true });
  const there = { agent: 'codex', sessionId: 's2' };
  await store.saveDelivery(
    makeDelivery({ id: 'dlv_4', ...there, lessonId: 'les_2', callId: 'c4', mode: 'pause', deliveredAt: at(40) }),
  );
  await store.saveDelivery(
    makeDelivery({ id: 'dlv_5', ...there, kind: 'session-start', callId: '', bytes: 50, deliveredAt: at(1_500) }),
  );
}

function sum(cells: readonly DeliveryCell[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { key, count } of cells) counts[key] = (counts[key] ?? 0) + count;
  return counts;
}

function sorted(cells: readonly DeliveryCell[]): readonly DeliveryCell[] {
  return cells.toSorted((a, b) => (toText(a) < toText(b) ? -1 : 1));
}

function toText({ key, kind, arm, outcome }: DeliveryCell): string {
  return [key, kind, arm, outcome ?? ''].join(' ');
}
