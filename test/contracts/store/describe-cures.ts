/** What the contract says about cures: one for each failing call, found by signature, gone with its session. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cure } from '../../../src/base/model/cure.ts';
import type { Feedback } from '../../../src/base/model/feedback.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { at, makeCall, makeDelivery, makeSession } from './make-samples.ts';
import { makeLimits, retainAll } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

function makeCure(fields: Partial<Cure> = {}): Cure {
  return {
    ...{ agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', failingCallId: 'c1', fixingCallId: 'c2' },
    ...{ signatureId: 'sig_1', kind: 'edit', text: 'replace `--fast` with `--quick`', at: at(1) },
    ...fields,
  };
}

export function describeCures(open: OpenTestStore): void {
  describe('cures', () => {
    it(
      'are one for each failing call, the newer one, and come back as they were',
      withStore(open, async ({ store }) => {
        const edit = { program: 'shipit', steps: [{ from: ['--fast'], to: ['--quick'] }] };
        await store.saveCures([makeCure(), makeCure({ edit })]);
        await store.saveCures([makeCure({ edit, fixingCallId: 'c3', at: at(2) })]);
        await store.saveCures([]);
        assert.deepEqual(await store.listCures(), [makeCure({ edit, fixingCallId: 'c3', at: at(2) })]);
      }),
    );

    it(
      'are found by the signature of the failure, the latest first',
      withStore(open, async ({ store }) => {
        const [first, second] = [makeCure(), makeCure({ failingCallId: 'c5', at: at(5) })];
        await store.saveCures([first, second, makeCure({ failingCallId: 'c7', signatureId: 'sig_2' })]);
        assert.deepEqual(await store.listCures({ signatureIds: ['sig_1'] }), [second, first]);
        assert.deepEqual(await store.listCures({ signatureIds: ['sig_3'] }), []);
        assert.deepEqual(await store.listCures({ limit: 1 }), [second]);
      }),
    );

    it(
      'are shown in deliveries of their own, which no figure of a lesson counts',
      withStore(open, async ({ store }) => {
        const cure = { kind: 'failure', lessonId: 'cure_sig_1' } as const;
        await store.saveSessions([makeSession()]);
        await store.saveDelivery(makeDelivery({ id: 'dlv_1', ...cure }));
        await store.saveDelivery(makeDelivery({ id: 'dlv_2', ...cure, callId: 'c4', arm: 'holdout', bytes: 0 }));
        const attempt = { callId: 'c2', at: at(3), verdict: 'clean', outcome: 'worked' } as const;
        await store.saveAttempts('dlv_1', [attempt], { rule: 'every' });
        const [cell, ...others] = await store.countDeliveries({ kind: 'failure' }, 'project');
        assert.deepEqual([cell?.lessonId, cell?.kind, others.length], ['cure_sig_1', 'failure', 1]);
        assert.deepEqual(await store.countDeliveries({ kind: 'call' }, 'project'), []);
        const shown = (await store.listDeliveries({})).find(({ id }) => id === 'dlv_1');
        assert.deepEqual([shown?.outcome, shown?.failingAttempts, shown?.callsToSuccess], ['clean', 0, 1]);
        assert.deepEqual([await store.listTrials(), await store.listTrackRecords()], [[], []]);
        assert.equal(await store.readLatency({}), undefined);
      }),
    );

    it(
      'have the feedback of persons, the last word of each, without a lesson',
      withStore(open, async ({ store }) => {
        await store.saveDelivery(makeDelivery({ kind: 'failure', lessonId: 'cure_sig_1' }));
        const feedback: Feedback = {
          ...{ id: 'fbk_1', lessonId: 'cure_sig_1', deliveryId: 'dlv_1', from: 'user', by: 'user:ann' },
          ...{ verdict: 'not-helpful', moved: 0, isFlagging: false, command: 'cmd_1', at: at(5) },
        };
        await store.saveCureFeedback(feedback);
        await store.saveCureFeedback({ ...feedback, id: 'fbk_2', verdict: 'helpful', at: at(6) });
        const said = await store.listFeedback({ lessonId: 'cure_sig_1' });
        assert.deepEqual(said, [{ ...feedback, verdict: 'helpful', at: at(6) }]);
      }),
    );

    it(
      'go with their session, and with sessions that retention removed',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession()]);
        await store.saveCalls([makeCall({ callId: 'c1' })], 'observed');
        await store.saveCures([makeCure()]);
        await store.forget({ kind: 'session', id: 's1' }, { at: at(9), dryRun: false, dropEvidence });
        assert.deepEqual(await store.listCures(), []);
        await store.saveCures([makeCure({ sessionId: 'gone', at: at(1) })]);
        await retainAll(store, makeLimits({ factsBefore: at(3) }));
        assert.deepEqual(await store.listCures(), []);
      }),
    );
  });
}
