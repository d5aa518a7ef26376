/** The contract of verdicts, trials of both arms, and missed opportunities. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import type {
  Attempt,
  Delivery,
  DeliveryOutcome,
  MissedOpportunity,
  StoredSkip,
} from '../../../src/base/model/delivery.ts';
import { makeNoTrials, NO_TALLY } from '../../../src/base/statistics/delivery-counts.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeFailure,
  makeLesson,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { makeLimits, retainAll } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');

const makeMissed = (fields: Partial<MissedOpportunity> = {}): MissedOpportunity => ({
  ...{ agent: 'claude-code', sessionId: 's1', contextId: '', callId: 'c9', projectId: 'prj_a' },
  ...{ lessonId: 'les_1', reason: 'off', at: at(9) },
  ...fields,
});
const makeUnsaid = (fields: Partial<StoredSkip> = {}): StoredSkip => ({
  ...{ agent: 'claude-code', sessionId: 's1', contextId: '', callId: 'c9' },
  ...{ lessonId: 'les_1', reason: 'budget', at: at(8) },
  ...fields,
});

async function judge(store: Store, id: string, outcome: DeliveryOutcome, fields: Partial<Delivery> = {}) {
  await store.saveDelivery(makeDelivery({ id, deliveredAt: at(1), ...fields }));
  const again = outcome === 'ignored' || outcome === 'failed_anyway';
  await store.judgeDelivery(id, outcome, at(2), { again, failed: again });
}

export function describeOutcomes(open: OpenTestStore): void {
  describe('verdicts', () => {
    it(
      'that are incomplete may be replaced by a later one, once',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        assert.equal(await store.judgeDelivery('dlv_1', 'incomplete', at(1)), true);
        assert.equal(await store.judgeDelivery('dlv_1', 'incomplete', at(2)), false);
        assert.deepEqual(await store.listDeliveries({ open: true }), []);
        assert.equal(await store.judgeDelivery('dlv_1', 'clean', at(3)), true);
        assert.equal(await store.judgeDelivery('dlv_1', 'ignored', at(4)), false);
        assert.equal(await store.judgeDelivery('dlv_1', 'incomplete', at(4)), false);
      }),
    );

    it(
      'of notes by the rules of an older version count as not judged until their session is read again',
      withStore(open, async ({ store, engine, query }) => {
        await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
        await judge(store, 'dlv_old', 'clean');
        await judge(store, 'dlv_pause', 'clean', { mode: 'pause' });
        await MIGRATIONS['0038-old-verdicts']?.down?.(engine.db);
        await MIGRATIONS['0038-old-verdicts']?.up(engine.db);
        const outcomes = async () =>
          new Map((await store.listDeliveries({})).map(({ id, outcome, oldOutcome }) => [id, [outcome, oldOutcome]]));
        assert.deepEqual((await outcomes()).get('dlv_old'), ['incomplete', 'clean']);
        assert.deepEqual((await outcomes()).get('dlv_pause'), ['clean', undefined], 'its rule is the same as before');
        const [counted] = (await store.countDeliveries({}, 'agent')).filter(({ mode }) => mode === 'note');
        assert.deepEqual([counted?.outcome, counted?.oldVerdicts, counted?.followed], ['incomplete', 1, 0]);
        const attempt: Attempt = { callId: 'c9', at: at(3), verdict: 'ignored', outcome: 'failed' };
        await store.saveAttempts('dlv_old', [attempt], { rule: 'every' });
        assert.deepEqual((await outcomes()).get('dlv_old'), ['ignored', 'clean']);
        const [anew] = (await store.countDeliveries({}, 'agent')).filter(({ mode }) => mode === 'note');
        assert.deepEqual([anew?.outcome, anew?.oldVerdicts, anew?.followed], ['ignored', undefined, 1]);
        await MIGRATIONS['0038-old-verdicts']?.down?.(engine.db);
        const rows = await query(`select id, outcome from deliveries where id = 'dlv_old'`);
        assert.deepEqual(rows, [{ id: 'dlv_old', outcome: 'ignored' }], 'going back keeps the new verdict');
        await MIGRATIONS['0038-old-verdicts']?.up(engine.db);
      }),
    );

    it(
      'are independent of the items of a procedure that were done',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        const items = { done: [1], tried: [3], open: [2, 3] };
        await store.saveDeliveryItems('dlv_1', items);
        await store.judgeDelivery('dlv_1', 'incomplete', at(1));
        const [delivery] = await store.listDeliveries({});
        assert.deepEqual([delivery?.outcome, delivery?.items], ['incomplete', items]);
        assert.deepEqual((await store.listPlacedDeliveries({ limit: 5 }))[0]?.items, items);
      }),
    );

    it(
      'are incomplete if the session has ended, or has sent nothing since',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession({ sessionId: 'lives', lastSeenAt: at(50) })]);
        await store.saveSessions([makeSession({ sessionId: 'died', lastSeenAt: at(10) })]);
        await store.saveSessions([
          makeSession({ sessionId: 'ended', lastSeenAt: at(50), endedAt: at(50), endReason: 'x' }),
        ]);
        await store.saveSessions([
          makeSession({ sessionId: 'resumed', lastSeenAt: at(50), endedAt: at(0), endReason: 'x' }),
        ]);
        for (const sessionId of ['lives', 'died', 'ended', 'resumed', 'unknown'])
          await store.saveDelivery(makeDelivery({ id: `dlv_${sessionId}`, sessionId, deliveredAt: at(5) }));
        assert.equal(await store.closeDeliveries(at(20), at(60)), 3);
        assert.equal(await store.closeDeliveries(at(20), at(61)), 0);
        const left = await store.listDeliveries({ open: true });
        assert.deepEqual(left.map(({ sessionId }) => sessionId).sort(), ['lives', 'resumed']);
      }),
    );
  });

  describe('attempts after a delivery', () => {
    const attempt = (n: number, fields: Partial<Attempt> = {}): Attempt => ({
      ...{ callId: `c${n}`, at: at(n), verdict: 'ignored', outcome: 'failed' },
      ...fields,
    });
    const worked = { verdict: 'clean', outcome: 'worked' } as const;
    const EVERY = { rule: 'every' } as const;
    const readRow = async (store: Store) => (await store.listDeliveries({}))[0] ?? assert.fail();

    it(
      'judge it, and are stored with the calls and seconds until one worked',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery({ deliveredAt: at(0) }));
        const calls = [1, 2, 3, 4, 9].map((n) => makeCall({ callId: `c${n}`, occurredAt: at(n) }));
        await store.saveCalls(calls, 'observed');
        const first = await store.saveAttempts('dlv_1', [attempt(2)], EVERY);
        assert.deepEqual([first?.before, first?.after.outcome], [undefined, 'ignored']);
        assert.equal((await readRow(store)).callsToSuccess, undefined);
        const second = await store.saveAttempts('dlv_1', [attempt(4, worked), attempt(3)], EVERY);
        assert.deepEqual([second?.before?.outcome, second?.after.outcome], ['ignored', 'ignored']);
        const { outcome, outcomeAt, failingAttempts, successAt, callsToSuccess, secondsToSuccess } =
          await readRow(store);
        assert.deepEqual([outcome, outcomeAt, failingAttempts, successAt], ['ignored', at(2), 2, at(4)]);
        assert.deepEqual([callsToSuccess, secondsToSuccess], [3, (Date.parse(at(4)) - Date.parse(at(0))) / 1000]);
      }),
    );

    it(
      'give the same row in any order, and if reported twice; calls that are known later are counted then',
      withStore(open, async ({ store }) => {
        const all = [attempt(2), attempt(3, worked), attempt(5, worked), attempt(7)];
        const orders = [
          [0, 1, 2, 3],
          [3, 2, 1, 0],
          [2, 0, 3, 3, 1, 0],
        ];
        for (const [n, order] of orders.entries()) {
          const [id, sessionId] = [`dlv_${n}`, `s${n}`];
          await store.saveDelivery(makeDelivery({ id, sessionId, deliveredAt: at(0) }));
          for (const i of order) await store.saveAttempts(id, all.slice(i, i + 1), EVERY);
          await store.saveCalls([makeCall({ sessionId, callId: 'between', occurredAt: at(1) })], 'observed');
          await store.saveCalls(
            [2, 3].map((m) => makeCall({ sessionId, callId: `c${m}`, occurredAt: at(m) })),
            'observed',
          );
          await store.saveAttempts(id, [], EVERY);
        }
        const rows = (await store.listDeliveries({})).map(({ id: _, sessionId: __, ...row }) => row);
        for (const row of rows) assert.deepEqual(row, rows[0]);
        assert.deepEqual([rows[0]?.outcome, rows[0]?.failingAttempts, rows[0]?.callsToSuccess], ['ignored', 1, 3]);
      }),
    );

    it(
      'count once however many processes report them at the same time',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        const told = Array.from({ length: 6 }, () => store.saveAttempts('dlv_1', [attempt(2)], EVERY));
        assert.equal((await Promise.all(told)).filter((one) => one?.before === undefined).length, 1);
      }),
    );

    it(
      'judge incomplete deliveries, and leave alone those judged before attempts were stored',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        await store.judgeDelivery('dlv_1', 'incomplete', at(1));
        assert.equal((await store.saveAttempts('dlv_1', [attempt(2, worked)], EVERY))?.after.outcome, 'clean');
        await store.saveDelivery(makeDelivery({ id: 'dlv_2' }));
        await store.judgeDelivery('dlv_2', 'clean', at(1));
        assert.equal(await store.saveAttempts('dlv_2', [attempt(2)], EVERY), undefined);
        assert.equal(await store.saveAttempts('dlv_9', [attempt(2)], EVERY), undefined);
        assert.deepEqual(
          (await store.listDeliveries({})).map(({ outcome }) => outcome),
          ['clean', 'clean'],
        );
      }),
    );
  });

  describe('trials', () => {
    it(
      'are counted by arm and mode: repeated mistakes, failures, and the outcomes of their own calls',
      withStore(open, async ({ store }) => {
        await store.saveCalls(
          [
            makeFailure(GH, { callId: 'own1' }),
            makeCall({ callId: 'own2', outcome: 'success' }),
            makeFailure(makeSignature('ls'), { callId: 'own3' }),
          ],
          'observed',
        );
        await judge(store, 'dlv_1', 'clean', { callId: 'own1' });
        await judge(store, 'dlv_2', 'ignored', { callId: 'own2' });
        await judge(store, 'dlv_3', 'failed_anyway', { arm: 'holdout', callId: 'own3' });
        await judge(store, 'dlv_4', 'clean', { arm: 'holdout' });
        await judge(store, 'dlv_5', 'ignored', { mode: 'pause' });
        await judge(store, 'dlv_6', 'incomplete');
        await store.saveDelivery(makeDelivery({ id: 'dlv_7', kind: 'session-start' }));
        // The call failed for another reason: no mistake, but a failure.
        await store.saveDelivery(makeDelivery({ id: 'dlv_8', deliveredAt: at(1) }));
        await store.judgeDelivery('dlv_8', 'clean', at(4), { again: false, failed: true });
        const counts = {
          lessonId: 'les_1',
          shown: 5,
          note: { judged: 3, again: 1, failed: 2 },
          acting: { judged: 1, again: 1, failed: 1 },
          withheld: { judged: 2, again: 1, failed: 1 },
        };
        assert.deepEqual(await store.listTrials(), [counts]);
        const trials = await store.readTrials({ lessonId: 'les_1', signatureId: GH.id });
        const { own, verdicts, recent, ...same } = trials;
        assert.deepEqual(same, counts);
        assert.deepEqual(own, { failed: 1, worked: 1 });
        assert.deepEqual(verdicts, { clean: 2, ignored: 2, failedAnyway: 0 });
        assert.deepEqual([recent[0], recent.length], [true, 4]);
        assert.deepEqual(await store.readTrials({ lessonId: 'les_1', since: at(1) }), makeNoTrials('les_1'));
        assert.deepEqual(await store.readTrials({ lessonId: 'les_9' }), makeNoTrials('les_9'));
      }),
    );

    it(
      'judged before repetitions were recorded count by their verdict',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery());
        await store.judgeDelivery('dlv_1', 'ignored', at(1));
        const [counts] = await store.listTrials();
        assert.deepEqual(counts?.note, { judged: 1, again: 1, failed: 1 });
        assert.deepEqual(counts?.withheld, NO_TALLY);
      }),
    );
  });

  describe('a lesson', () => {
    it(
      'is found as it was at a time',
      withStore(open, async ({ store }) => {
        const change = (n: number) => ({ ...makeChange('x'), at: at(n) });
        await store.saveLesson(makeLesson({ priority: 3 }), change(1));
        await store.saveLesson(makeLesson({ priority: 7 }), change(5));
        const priorityAt = async (n: number) => (await store.findLessonAt('les_1', at(n)))?.priority;
        assert.deepEqual([await priorityAt(0), await priorityAt(4), await priorityAt(5)], [3, 3, 7]);
        assert.equal(await store.findLessonAt('les_9', at(5)), undefined);
      }),
    );
  });

  describe('missed opportunities', () => {
    it(
      'are one per call and lesson, however often the call is reported, and oldest first',
      withStore(open, async ({ store }) => {
        const first = makeMissed({ callId: 'c8', at: at(8), projectId: 'prj_b', reason: 'trigger' });
        for (const missed of [[makeMissed()], [makeMissed(), first], []]) await store.saveMissed(missed);
        assert.deepEqual(await store.listMissed(), [first, makeMissed()]);
        assert.deepEqual(await store.listMissed({ projectId: 'prj_b' }), [first]);
        assert.deepEqual(await store.listMissed({ since: at(9), lessonId: 'les_1' }), [makeMissed()]);
        assert.deepEqual(await store.listMissed({ sessionId: 's2' }), []);
      }),
    );

    it(
      'have the reason that the hook reported, before or after the failure; the reason alone is not a miss',
      withStore(open, async ({ store }) => {
        await store.saveSkipped([makeUnsaid(), makeUnsaid({ lessonId: '', reason: 'deadline' })]);
        await store.saveSkipped([makeUnsaid()]);
        assert.deepEqual(await store.listMissed(), []);
        const skipped = [
          { callId: 'c9', lessonId: '', reason: 'deadline' },
          { callId: 'c9', lessonId: 'les_1', reason: 'budget' },
        ];
        assert.deepEqual(await store.listSkipped(makeMissed()), skipped);
        const { agent, sessionId } = makeMissed();
        assert.deepEqual(await store.listSkipped({ agent, sessionId }), skipped);
        assert.deepEqual(await store.listSkipped(makeMissed({ callId: 'c10' })), []);
        await store.saveMissed([makeMissed(), makeMissed({ callId: 'c10' })]);
        await store.saveSkipped([makeUnsaid({ callId: 'c10', reason: 'quiet' })]);
        const reasons = (await store.listMissed()).map(({ callId, reason }) => [callId, reason]);
        assert.deepEqual(reasons, [
          ['c10', 'quiet'],
          ['c9', 'budget'],
        ]);
      }),
    );

    it(
      'are dropped if an earlier delivery is reported later',
      withStore(open, async ({ store }) => {
        await store.saveMissed([makeMissed(), makeMissed({ contextId: 'sub', callId: 'c10' })]);
        await store.saveDelivery(makeDelivery({ id: 'dlv_late', deliveredAt: at(10) }));
        assert.equal((await store.listMissed()).length, 2);
        await store.saveDelivery(makeDelivery({ arm: 'holdout', bytes: 0, deliveredAt: at(7) }));
        assert.deepEqual(
          (await store.listMissed()).map(({ callId }) => callId),
          ['c10'],
        );
      }),
    );

    it(
      'of other lessons about the same failure are dropped too, except for quiet ones',
      withStore(open, async ({ store }) => {
        for (const [id, signatureId] of [
          ['les_1', 'sig_a'],
          ['les_2', 'sig_a'],
          ['les_3', 'sig_b'],
        ] as const)
          await store.saveLesson(makeLesson({ id, slug: id, contentHash: id, signatureId }), makeChange('x'));
        const reasons = ['trigger', 'threshold', 'dedup', 'off', 'quiet', 'budget', 'deadline', 'muted'] as const;
        await store.saveMissed([
          ...reasons.map((reason) => makeMissed({ lessonId: 'les_2', callId: reason, reason })),
          makeMissed({ lessonId: 'les_3', reason: 'trigger' }),
        ]);
        await store.saveDelivery(makeDelivery({ lessonId: 'les_1', deliveredAt: at(7) }));
        const left = (await store.listMissed()).map(({ lessonId, reason }) => `${lessonId} ${reason}`);
        assert.deepEqual(left.sort(), ['les_2 quiet', 'les_3 trigger']);
      }),
    );

    it(
      'are removed when they are too old, with their session, and with their lesson; skips without a failure after a day',
      withStore(open, async ({ store, query }) => {
        await store.saveMissed([
          makeMissed({ at: at(4), callId: 'old' }),
          makeMissed(),
          makeMissed({ sessionId: 's2' }),
        ]);
        await retainAll(store, makeLimits({ factsBefore: at(5) }));
        assert.equal((await store.listMissed()).length, 2);
        await store.forget({ kind: 'session', id: 's1' }, { at: at(99), dryRun: false, dropEvidence });
        assert.deepEqual(
          (await store.listMissed()).map(({ sessionId }) => sessionId),
          ['s2'],
        );
        await store.saveSkipped([makeUnsaid()]);
        await store.closeDeliveries(at(20), at(60));
        assert.equal((await query('select * from missed_opportunities')).length, 1);
      }),
    );
  });
}
