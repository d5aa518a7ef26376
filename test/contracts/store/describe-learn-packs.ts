/** What the contract says about packs that a model was asked about: claimed once, asked again only after a failure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AskedPack } from '../../../src/base/model/pack.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { at, makeSession } from './make-samples.ts';
import { makeLimits, retainAll } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const HOW = { at: at(9), dryRun: false, dropEvidence };

function makeAsked(fields: Partial<AskedPack> = {}): AskedPack {
  return {
    ...{ pack: 'shop-1', promptVersion: 1, projectId: 'prj_a', provider: 'openai', state: 'asked', askedAt: at(5) },
    episodes: [
      { agent: 'claude-code', sessionId: 's1', callId: 'c1' },
      { agent: 'claude-code', sessionId: 's2', callId: 'c2' },
    ],
    ...fields,
  };
}

export function describeLearnPacks(open: OpenTestStore): void {
  describe('packs that a model was asked about', () => {
    it(
      'are claimed by one of several processes',
      withStore(open, async ({ store }) => {
        const claims = await Promise.all(Array.from({ length: 5 }, () => store.claimPack(makeAsked(), at(0))));
        assert.equal(claims.filter(Boolean).length, 1);
        assert.deepEqual(await store.listPacks(), [makeAsked()]);
      }),
    );

    it(
      'are asked once for each version of the prompt, and again after a failure or a dead process',
      withStore(open, async ({ store }) => {
        assert.ok(await store.claimPack(makeAsked(), at(0)));
        assert.ok(await store.claimPack(makeAsked({ promptVersion: 2 }), at(0)));
        await store.savePack(makeAsked({ state: 'failed', reason: 'too slow' }));
        assert.ok(await store.claimPack(makeAsked({ askedAt: at(6) }), at(0)));
        assert.equal(await store.claimPack(makeAsked({ askedAt: at(7) }), at(6)), false);
        assert.ok(await store.claimPack(makeAsked({ askedAt: at(8) }), at(7)));
        await store.savePack(makeAsked({ state: 'answered', askedAt: at(8), answeredAt: at(9) }));
        assert.equal(await store.claimPack(makeAsked({ askedAt: at(20) }), at(19)), false);
      }),
    );

    it(
      'keep what they cost and what became of the proposals',
      withStore(open, async ({ store }) => {
        const outcomes = [{ verdict: 'dropped', reason: 'its trigger fires on its own fix' }] as const;
        const answered = makeAsked({
          ...{ state: 'answered', model: 'm-1', inputTokens: 5_000, outputTokens: 700, usd: 0.0125 },
          ...{ answeredAt: at(6), outcomes },
        });
        await store.savePack(answered);
        await store.savePack(makeAsked({ pack: 'shop-0', askedAt: at(1) }));
        assert.deepEqual(await store.listPacks({ since: at(2) }), [answered]);
        assert.equal((await store.listPacks({ promptVersion: 2 })).length, 0);
      }),
    );

    it(
      'lose a forgotten session, and go with a forgotten project and with age',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession({ sessionId: 's1' })]);
        await store.savePack(makeAsked());
        await store.savePack(makeAsked({ pack: 'other-1', projectId: 'prj_b', episodes: [] }));
        await store.forget({ kind: 'session', id: 's1' }, HOW);
        const [other, shop] = await store.listPacks();
        assert.deepEqual(other?.episodes, []);
        assert.deepEqual(shop?.episodes, [{ agent: 'claude-code', sessionId: 's2', callId: 'c2' }]);
        await store.forget({ kind: 'project', ids: ['prj_a'] }, HOW);
        assert.deepEqual(
          (await store.listPacks()).map(({ pack }) => pack),
          ['other-1'],
        );
        await retainAll(store, makeLimits({ factsBefore: at(30) }));
        assert.deepEqual(await store.listPacks(), []);
      }),
    );

    it(
      'keep what their ids stand for while an answer is expected, unless a session of it is forgotten',
      withStore(open, async ({ store }) => {
        const call = (sessionId: string) => ({ agent: 'claude-code', sessionId, callId: 'c1', file: '/s.jsonl' });
        const makeHanded = (pack: string, fixed: string): AskedPack =>
          makeAsked({
            pack,
            episodes: [],
            index: {
              ...{ id: pack, promptVersion: 1, by: 'project', projectId: 'prj_a', until: at(4) },
              ...{ calls: { e1: [call('s2')], 'e1.1': [call(fixed)] }, lessons: { k1: 'les_1' } },
            },
          });
        await store.saveSessions([makeSession({ sessionId: 's1' })]);
        await store.savePack(makeHanded('a', 's1'));
        await store.savePack(makeHanded('b', 's2'));
        assert.deepEqual(await store.listPacks(), [makeHanded('a', 's1'), makeHanded('b', 's2')]);
        await store.forget({ kind: 'session', id: 's1' }, HOW);
        assert.deepEqual(
          (await store.listPacks()).map(({ index }) => index),
          [undefined, makeHanded('b', 's2').index],
        );
      }),
    );
  });
}
