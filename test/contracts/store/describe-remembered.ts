/** What the contract says about remembered calls: listed until settled, with the words of the call's own row. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RememberedCall } from '../../../src/base/model/knowledge.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { at, makeFailure, makeSession, makeSignature } from './make-samples.ts';
import { makeLimits, retainAll } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const ALL = { limit: 100 };

function makeRemembered(fields: Partial<RememberedCall> = {}): RememberedCall {
  return {
    ...{ agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', callId: 'c1', exactKey: 'key1' },
    ...{ needs: ['n1', 'n2'], at: at(1) },
    ...fields,
  };
}

export function describeRemembered(open: OpenTestStore): void {
  describe('remembered calls', () => {
    it(
      'are one for each failed call, the latest first, with its cause',
      withStore(open, async ({ store }) => {
        const signature = makeSignature('shipit');
        await store.saveCalls([makeFailure(signature, { callId: 'c1', message: 'no such profile' })], 'observed');
        const later = makeRemembered({ callId: 'c2', at: at(2) });
        await store.saveRemembered([makeRemembered({ needs: ['old'] }), later]);
        await store.saveRemembered([makeRemembered()]);
        await store.saveRemembered([]);
        const first = makeRemembered({ signatureId: signature.id, cause: 'no such profile' });
        assert.deepEqual(await store.listRemembered(ALL), [later, first]);
        assert.deepEqual(await store.listRemembered({ limit: 1 }), [later]);
      }),
    );

    it(
      'are listed by project, with joined ids, until they are settled, and stay settled',
      withStore(open, async ({ store }) => {
        const [here, joined, elsewhere] = [
          makeRemembered({ callId: 'c1' }),
          makeRemembered({ callId: 'c2', projectId: 'prj_b' }),
          makeRemembered({ callId: 'c3', projectId: 'prj_c' }),
        ];
        await store.saveRemembered([here, joined, elsewhere]);
        await store.joinProjects('prj_b', 'prj_a', { at: at(3), dryRun: false });
        assert.deepEqual(await store.listRemembered({ ...ALL, projectIds: ['prj_a'] }), [here, joined]);
        await store.settleRemembered([here, elsewhere], at(4));
        await store.settleRemembered([], at(5));
        await store.saveRemembered([here]);
        assert.deepEqual(await store.listRemembered(ALL), [joined]);
      }),
    );

    it(
      'go with their session, and with sessions that retention removed',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession()]);
        await store.saveRemembered([makeRemembered()]);
        await store.forget({ kind: 'session', id: 's1' }, { at: at(9), dryRun: false, dropEvidence });
        assert.deepEqual(await store.listRemembered(ALL), []);
        await store.saveRemembered([makeRemembered({ sessionId: 'gone' })]);
        await retainAll(store, makeLimits({ factsBefore: at(3) }));
        assert.deepEqual(await store.listRemembered(ALL), []);
      }),
    );
  });
}
