import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeCallRememberer } from '../../src/loop/learning/remember-calls.ts';
import { at, makeFailure, makeSignature } from '../contracts/store/make-samples.ts';

const FAILED: LiveCall = {
  ...makeFailure(makeSignature('shipit'), { callId: 'failed', occurredAt: at(1) }),
  exactKey: 'key',
  needs: ['page', 'title'],
};

function change(minute: number, ...touches: readonly string[]): LiveCall {
  const call = { ...FAILED, callId: `change-${minute}`, outcome: 'success', touches, occurredAt: at(minute) } as const;
  const { needs: _, ...working } = call;
  return working;
}

describe('the memory of failed calls', () => {
  let store: Awaited<ReturnType<typeof openSqliteStore>>;
  before(async () => {
    store = await openSqliteStore(':memory:');
  });
  after(() => store.close());
  const listOpen = async (projectId: string): Promise<readonly string[]> =>
    (await store.listRemembered({ projectIds: [projectId], limit: 10 })).map(({ callId }) => callId);
  const place = (projectId: string, ...calls: readonly LiveCall[]) => calls.map((call) => ({ ...call, projectId }));

  it('settles a call when a later one touches what it needs', async () => {
    const rememberer = makeCallRememberer(store);
    assert.equal(await rememberer.take(place('prj_1', FAILED)), true);
    assert.equal(await rememberer.take(place('prj_1', change(2, 'other'))), false);
    assert.deepEqual(await listOpen('prj_1'), ['failed']);
    assert.equal(await rememberer.take(place('prj_1', change(3, 'title'))), true);
    assert.deepEqual(await listOpen('prj_1'), []);
  });

  it('does so in whatever order the sessions are read', async () => {
    const rememberer = makeCallRememberer(store);
    await rememberer.take(place('prj_2', change(5, 'page')));
    const earlier = { ...FAILED, callId: 'earlier' };
    const later = { ...FAILED, callId: 'later', occurredAt: at(7) };
    await rememberer.take(place('prj_2', earlier, later));
    assert.deepEqual(await listOpen('prj_2'), ['later']);
  });

  it('leaves other projects alone', async () => {
    const rememberer = makeCallRememberer(store);
    await rememberer.take(place('prj_3', { ...FAILED, callId: 'here' }));
    await rememberer.take(place('prj_4', change(9, 'page')));
    assert.deepEqual(await listOpen('prj_3'), ['here']);
  });
});
