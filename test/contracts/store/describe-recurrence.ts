/** The contract of recurring failures: cells, places, categories. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import { SEVERAL_PREFIX, SLOT_CHARS } from '../../../src/base/shell/intent.ts';
import type { FailureFilter, PlaceCount } from '../../../src/base/statistics/failures.ts';
import { at, makeCall, makeFailure, makeSignature } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const FILE = '/w/sql/one.sql';

const count = async (store: Store, filter: Partial<FailureFilter> = {}) => ({
  ...(await store.listFailureCells({ limit: 99, ...filter })),
  ...(await store.countPlaces(filter)),
});
const toText = ({ kind, projectId, key, calls, failures }: PlaceCount): string =>
  `${kind} ${projectId} ${key} ${failures} of ${calls}`;

export function describeRecurrence(open: OpenTestStore): void {
  describe('recurrence', () => {
    it(
      'counts similar failures, newest first, and marks runs of hooks',
      withStore(open, async ({ store }) => {
        await store.saveCalls(
          [
            makeFailure(GH, { callId: 'c1', intentKey: 'shell gh', occurredAt: at(1) }),
            makeFailure(GH, { callId: 'c2', intentKey: 'shell gh', masked: true, occurredAt: at(3) }),
            makeFailure(GH, { callId: 'c3', intentKey: 'shell gh', contextId: 'sub', occurredAt: at(5) }),
            makeCall({ callId: 'c4', outcome: 'failure', tool: 'read', targetPath: FILE, occurredAt: at(4) }),
            makeFailure(GH, { callId: 'c5', rawTool: 'hook:Stop' }),
            makeCall({ callId: 'c6', outcome: 'denied', signature: GH }),
            makeCall({ callId: 'c7' }),
          ],
          'observed',
        );
        const { cells, isCut, signatures } = await count(store);
        const own = { agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', isHook: false, masked: 0, objects: 1 };
        const said = { message: 'no such file x', object: 'no such file x' };
        const gh = { ...own, ...said, tool: 'shell', signatureId: GH.id, intentKey: 'shell gh' };
        assert.deepEqual(cells, [
          { ...gh, contextId: 'sub', count: 1, first: at(5), last: at(5) },
          {
            ...{ ...own, contextId: '', tool: 'read', targetPath: FILE, object: FILE },
            ...{ count: 1, first: at(4), last: at(4) },
          },
          { ...gh, contextId: '', count: 2, masked: 1, first: at(1), last: at(3) },
          {
            ...{ ...own, ...said, contextId: '', tool: 'shell', isHook: true, signatureId: GH.id },
            ...{ count: 1, first: at(0), last: at(0) },
          },
        ]);
        assert.equal(isCut, false);
        assert.deepEqual(
          signatures.map(({ category, ...signature }) => [signature, category]),
          [[GH, 'missing_path']],
        );
        const cut = await count(store, { limit: 2 });
        assert.deepEqual([cut.cells.length, cut.isCut], [2, true]);
      }),
    );

    it(
      'is filtered by all parts of a filter together',
      withStore(open, async ({ store }) => {
        const inB = { sessionId: 's2', projectId: 'prj_b', agent: 'codex' };
        await store.saveCalls(
          [makeFailure(GH, { occurredAt: at(1) }), makeFailure(GH, { ...inB, occurredAt: at(5) })],
          'observed',
        );
        const sessions = async (filter: Partial<FailureFilter>) =>
          (await count(store, filter)).cells.map(({ sessionId }) => sessionId);
        assert.deepEqual(await sessions({}), ['s2', 's1']);
        assert.deepEqual(await sessions({ agent: 'codex' }), ['s2']);
        assert.deepEqual(await sessions({ projectIds: ['prj_a'] }), ['s1']);
        assert.deepEqual(await sessions({ projectIds: [] }), []);
        assert.deepEqual(await sessions({ since: at(2) }), ['s2']);
        assert.deepEqual(await sessions({ since: at(2), agent: 'claude-code' }), []);
      }),
    );

    it(
      'counts the calls at places with three or more failures',
      withStore(open, async ({ store }) => {
        const reads = [FILE, FILE, '/w/sql/two.sql', '/w/sql/deep/x.sql'].map((targetPath, i) =>
          makeCall({ callId: `r${i}`, tool: 'read', outcome: 'failure', targetPath, intentKey: `read ${i}` }),
        );
        const asks = ['failure', 'failure', 'failure', 'partial', 'denied', 'cancelled'].map((outcome, i) =>
          makeCall({ callId: `a${i}`, intentKey: 'shell gh', outcome: outcome as 'failure' }),
        );
        const rare = [0, 1].map((i) => makeCall({ callId: `b${i}`, intentKey: 'shell ls', outcome: 'failure' }));
        await store.saveCalls([...reads, ...asks, ...rare], 'observed');
        const { places } = await count(store);
        assert.deepEqual(places.map(toText).sort(), ['folder prj_a /w/sql/ 3 of 3', 'intent prj_a shell gh 3 of 4']);
        assert.deepEqual((await count(store, { agent: 'codex' })).places, []);
      }),
    );

    it(
      'finds the file that was edited right before a check',
      withStore(open, async ({ store }) => {
        const calls = [1, 2, 3].flatMap((n) => [
          makeCall({ callId: `e${n}`, tool: 'edit', targetPath: FILE, occurredAt: at(n * 10) }),
          makeCall({ callId: `t${n}`, intentKey: 'check test', outcome: 'failure', occurredAt: at(n * 10 + 1) }),
          makeCall({ callId: `g${n}`, intentKey: 'shell gh', outcome: 'failure', occurredAt: at(n * 10 + 2) }),
        ]);
        const refused = makeCall({
          callId: 'e4',
          tool: 'edit',
          outcome: 'denied',
          targetPath: FILE,
          occurredAt: at(40),
        });
        const after = makeCall({ callId: 't4', intentKey: 'check test', outcome: 'failure', occurredAt: at(41) });
        await store.saveCalls([...calls, refused, after], 'observed');
        const { cells, places } = await count(store);
        assert.deepEqual(
          cells.map(({ intentKey, editedPath, count: n }) => [intentKey, editedPath, n]),
          [
            ['check test', undefined, 1],
            ['shell gh', undefined, 3],
            ['check test', FILE, 3],
          ],
        );
        assert.ok(places.map(toText).includes(`edited prj_a ${FILE} 3 of 3`));
      }),
    );

    it(
      'counts joined projects as one, and lines of several commands separately',
      withStore(open, async ({ store }) => {
        const slots = ['shell gh', 'shell ls'].map((key) => key.padEnd(SLOT_CHARS)).join('');
        await store.saveCalls(
          [
            ...['prj_a', 'prj_b', 'prj_b'].map((projectId, i) =>
              makeCall({ callId: `c${i}`, projectId, intentKey: 'shell gh', outcome: 'failure' }),
            ),
            makeCall({
              callId: 'several',
              projectId: 'prj_b',
              intentKey: `${SEVERAL_PREFIX}${slots}`,
              occurredAt: at(9),
            }),
          ],
          'observed',
        );
        assert.deepEqual((await count(store)).places, []);
        await store.joinProjects('prj_a', 'prj_b', { at: at(10), dryRun: false });
        const { cells, places, settled } = await count(store, { projectIds: ['prj_a'] });
        assert.deepEqual(
          cells.map((cell) => [cell.projectId, cell.count]),
          [['prj_b', 3]],
        );
        assert.deepEqual(places.map(toText), ['intent prj_b shell gh 3 of 3']);
        assert.deepEqual(settled, [{ projectId: 'prj_b', key: 'shell gh', at: at(9) }]);
      }),
    );
  });

  describe('the category of a signature', () => {
    it(
      'is stored with it, and added to one that was saved before there were categories',
      withStore(open, async ({ store, query }) => {
        const read = async () => (await query('select category from signatures')).map(({ category }) => category);
        await store.saveCalls([makeFailure(GH)], 'observed');
        assert.deepEqual(await read(), ['missing_path']);
        await query('update signatures set category = null');
        assert.deepEqual(
          (await count(store)).signatures.map(({ category }) => category),
          ['missing_path'],
        );
        await store.saveCalls([makeFailure(GH, { callId: 'c2' })], 'observed');
        assert.deepEqual(await read(), ['missing_path']);
        await query("update signatures set category = 'by_hand'");
        await store.saveCalls([makeFailure(GH, { callId: 'c3' })], 'observed');
        assert.deepEqual(await read(), ['by_hand']);
      }),
    );
  });
}
