/** The contract of joined projects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import {
  at,
  makeCall,
  makeChange,
  makeFailure,
  makeLesson,
  makeProject,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const really = { at: at(100), dryRun: false };

/** The same failure in a project that was moved from `prj_old` to `prj_new`, and a project beside them. */
async function fill(store: Store): Promise<void> {
  for (const [id, root] of [
    ['prj_old', '/old/shop'],
    ['prj_new', '/new/shop'],
    ['prj_else', '/else'],
  ] as const)
    await store.saveProjects([makeProject({ id, root })]);
  await store.saveSessions([makeSession({ projectId: 'prj_old', pid: 7, host: 'h', lastSeenAt: at(3) })]);
  await store.saveSessions([makeSession({ sessionId: 's2', projectId: 'prj_new', lastSeenAt: at(9) })]);
  const failed = { intentKey: 'gh pr', inputSummary: 'gh pr' };
  await store.saveCalls(
    [
      makeFailure(GH, { ...failed, callId: 'c1', projectId: 'prj_old', occurredAt: at(1) }),
      makeFailure(GH, { ...failed, callId: 'c2', sessionId: 's2', projectId: 'prj_new', occurredAt: at(4) }),
      makeCall({ callId: 'c3', sessionId: 's2', projectId: 'prj_new', intentKey: 'gh pr', occurredAt: at(5) }),
      makeCall({ callId: 'c4', sessionId: 's3', projectId: 'prj_else', occurredAt: at(6) }),
    ],
    'observed',
  );
  await store.saveLesson(makeLesson({ scope: { kind: 'project', id: 'prj_old' } }), makeChange('new'));
}

const idsOf = async (store: Store, projectId: string): Promise<readonly string[]> =>
  (await store.listCalls({ projectId })).map((call) => call.callId);

export function describeAliases(open: OpenTestStore): void {
  describe('joined projects', () => {
    it(
      'are one project, whichever id is used',
      withStore(open, async ({ store }) => {
        await fill(store);
        assert.deepEqual(await store.joinProjects('prj_old', 'prj_new', really), { sessions: 1, calls: 1, lessons: 1 });
        assert.deepEqual(await store.listProjectAliases(), [{ fromId: 'prj_old', intoId: 'prj_new', at: at(100) }]);
        for (const id of ['prj_old', 'prj_new']) {
          assert.deepEqual(await idsOf(store, id), ['c1', 'c2', 'c3']);
          const { failures, open: unended } = await store.readUnsettled(id, at(0));
          assert.deepEqual(failures, [], 'settled at the new place');
          assert.equal(unended.length, 1);
          assert.equal((await store.listFailedCalls({ projectIds: [id], limit: 9 })).length, 2);
          assert.equal((await store.listSessions({ projectIds: [id], limit: 9 })).length, 2);
        }
        const { cells: failed } = await store.listFailureCells({ limit: 9 });
        assert.deepEqual(
          failed.map(({ count, projectId }) => [count, projectId]),
          [
            [1, 'prj_new'],
            [1, 'prj_new'],
          ],
        );
        assert.deepEqual((await store.listFailureCells({ unresolved: true, limit: 9 })).cells, []);
        const { projects } = await store.countAll();
        const { repeats } = await store.countFailures();
        assert.deepEqual([projects, repeats], [2, 1]);
        const cells = await store.countHistory({});
        assert.deepEqual(new Set(cells.map((cell) => cell.projectId)), new Set(['prj_new', 'prj_else']));
      }),
    );

    it(
      'are two again once split, as before',
      withStore(open, async ({ store }) => {
        await fill(store);
        const look = async () => [
          await store.listProjectSummaries(),
          await idsOf(store, 'prj_old'),
          await store.readUnsettled('prj_old', at(0)),
          await store.listFailureCells({ unresolved: true, limit: 9 }),
          await store.countAll(),
          await store.countHistory({}),
        ];
        const before = await look();
        await store.joinProjects('prj_old', 'prj_new', really);
        assert.notDeepEqual(await look(), before);
        assert.equal(await store.splitProject('prj_old'), true);
        assert.deepEqual(await look(), before);
        assert.equal(await store.splitProject('prj_old'), false);
      }),
    );

    it(
      'change nothing in a dry run',
      withStore(open, async ({ store }) => {
        await fill(store);
        const dry = await store.joinProjects('prj_old', 'prj_new', { at: at(1), dryRun: true });
        assert.deepEqual(dry, { sessions: 1, calls: 1, lessons: 1 });
        assert.deepEqual(await store.listProjectAliases(), []);
      }),
    );

    it(
      'lead to their final id in one step, and never in a cycle',
      withStore(open, async ({ store }) => {
        await fill(store);
        await store.joinProjects('prj_old', 'prj_new', really);
        assert.equal(await store.joinProjects('prj_new', 'prj_old', really), undefined);
        assert.equal(await store.joinProjects('prj_old', 'prj_else', really), undefined);
        assert.equal(await store.joinProjects('prj_new', 'prj_new', really), undefined);
        const moved = await store.joinProjects('prj_new', 'prj_else', really);
        assert.deepEqual(moved, { sessions: 2, calls: 3, lessons: 1 });
        const ends = (await store.listProjectAliases()).map(({ fromId, intoId }) => [fromId, intoId]);
        assert.deepEqual(ends, [
          ['prj_new', 'prj_else'],
          ['prj_old', 'prj_else'],
        ]);
        await store.joinProjects('prj_more', 'prj_old', really);
        assert.equal((await store.listProjectAliases())[0]?.intoId, 'prj_else');
        assert.deepEqual(await idsOf(store, 'prj_more'), ['c1', 'c2', 'c3', 'c4']);
      }),
    );

    it(
      'form no cycle if three are joined at once',
      withStore(open, async ({ store }) => {
        const pairs = [
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
        ] as const;
        const done = await Promise.all(pairs.map(([from, into]) => store.joinProjects(from, into, really)));
        assert.equal(done.filter((one) => one !== undefined).length, 2);
        assert.equal(new Set((await store.listProjectAliases()).map(({ intoId }) => intoId)).size, 1);
      }),
    );

    it(
      'are listed as one, newest first, with the counts of each',
      withStore(open, async ({ store }) => {
        await fill(store);
        await store.joinProjects('prj_old', 'prj_new', really);
        const [first, second, ...others] = await store.listProjectSummaries();
        assert.deepEqual(first, {
          id: 'prj_new',
          name: 'shop',
          basis: 'remote',
          roots: ['/new/shop'],
          joined: [{ id: 'prj_old', name: 'shop', roots: ['/old/shop'], at: at(100) }],
          sessions: 2,
          calls: 3,
          lastSeenAt: at(9),
        });
        assert.deepEqual([second?.id, second?.sessions, second?.calls, second?.lastSeenAt], ['prj_else', 0, 1, at(6)]);
        assert.deepEqual(others, []);
      }),
    );

    it(
      'are joined by observed links, and separate again if the links lead to two',
      withStore(open, async ({ store }) => {
        await fill(store);
        const link = (fromId: string, intoId: string) => ({ fromId, intoId, proof: 'remote', at: at(7) }) as const;
        assert.deepEqual(await store.linkProjects([link('prj_old', 'prj_new')]), ['prj_old']);
        assert.deepEqual(await store.linkProjects([link('prj_old', 'prj_new')]), [], 'known');
        assert.deepEqual(await store.listProjectAliases(), [link('prj_old', 'prj_new')]);
        assert.deepEqual(await idsOf(store, 'prj_new'), ['c1', 'c2', 'c3']);
        assert.deepEqual(await store.linkProjects([link('prj_old', 'prj_else')]), ['prj_old']);
        assert.deepEqual(await store.listProjectAliases(), []);
      }),
    );

    it(
      'stay separate once a person split them, whatever is observed again',
      withStore(open, async ({ store }) => {
        await fill(store);
        const seen = { fromId: 'prj_old', intoId: 'prj_new', proof: 'worktree', at: at(7) } as const;
        await store.linkProjects([seen]);
        assert.equal(await store.splitProject('prj_old'), true);
        assert.deepEqual(await store.linkProjects([seen]), []);
        assert.deepEqual(await store.listProjectAliases(), []);
        await store.joinProjects('prj_old', 'prj_new', really);
        assert.equal((await store.listProjectAliases())[0]?.intoId, 'prj_new');
      }),
    );

    it(
      'are linked by many processes at once as by one',
      withStore(open, async ({ store }) => {
        const links = Array.from({ length: 20 }, (_, n) => ({
          ...({ fromId: `prj_${n}`, intoId: 'prj_new', proof: 'remote', at: at(7) } as const),
        }));
        await Promise.all(links.map((link) => store.linkProjects([link, ...links.slice(0, 5)])));
        assert.equal((await store.listProjectAliases()).length, 20);
      }),
    );

    it(
      'have commits, of which the newest and those made there are kept',
      withStore(open, async ({ store }) => {
        const commits = Array.from({ length: 120 }, (_, n) => ({ projectId: 'prj_old', commit: `${1_000_000 + n}a` }));
        await store.saveProjectCommits([{ projectId: 'prj_old', commit: 'abcdef1', isMade: true }], at(1));
        await store.saveProjectCommits(commits, at(2));
        await store.saveProjectCommits([{ projectId: 'prj_old', commit: 'abcdef1' }], at(3));
        const kept = await store.listProjectCommits();
        assert.equal(kept.length, 100);
        assert.ok(kept.some(({ commit, isMade }) => commit === 'abcdef1' && isMade));
      }),
    );

    it(
      'are forgotten together, and stay away under every id',
      withStore(open, async ({ store }) => {
        await fill(store);
        await store.joinProjects('prj_old', 'prj_new', really);
        const wish = { kind: 'project', ids: ['prj_new'] } as const;
        const report = await store.forget(wish, { ...really, dropEvidence });
        assert.deepEqual([report.sessions, report.calls, report.lessons], [2, 3, 1]);
        const ids = (await store.listForgotten()).filter(({ kind }) => kind === 'project').map(({ id }) => id);
        assert.deepEqual(ids, ['prj_new', 'prj_old']);
      }),
    );
  });
}
