/** What the contract says about cures: one for each failing call, found by signature, gone with its session. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cure } from '../../../src/base/model/cure.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { at, makeCall, makeSession } from './make-samples.ts';
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
