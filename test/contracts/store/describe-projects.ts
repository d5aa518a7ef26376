/** The contract of projects and sessions. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at, makeProject, makeSession } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

export function describeProjects(open: OpenTestStore): void {
  describe('projects', () => {
    it(
      'lists nothing in an empty store',
      withStore(open, async ({ store }) => {
        assert.deepEqual(await store.listProjects(), []);
      }),
    );

    it(
      'keeps the first name of a project seen again and adds its root path once',
      withStore(open, async ({ store, query }) => {
        const clone = makeProject({ name: 'shop-clone', root: '/home/ann/shop-2' });
        assert.equal(await store.saveProjects([makeProject()]), true);
        assert.equal(await store.saveProjects([clone]), true);
        assert.equal(await store.saveProjects([clone]), false);
        assert.deepEqual([...(await store.listProjectRoots())], [[clone.id, [makeProject().root, clone.root]]]);
        assert.deepEqual(await store.listProjects(), [makeProject()]);
        const [row] = await query('select roots from projects');
        assert.deepEqual(JSON.parse(String(row?.roots)), ['/home/ann/shop', '/home/ann/shop-2']);
      }),
    );

    it(
      'keeps every root path of a project that several processes report at once',
      withStore(open, async ({ store, query }) => {
        const roots = Array.from({ length: 8 }, (_, i) => `/clone-${i}`);
        await Promise.all(roots.map((root) => store.saveProjects([makeProject({ root })])));
        const [row] = await query('select roots from projects');
        assert.deepEqual(JSON.parse(String(row?.roots)).sort(), roots);
      }),
    );
  });

  describe('sessions', () => {
    it(
      'finds no session that was not saved',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession()]);
        assert.equal(await store.findSession('claude-code', 's2'), undefined);
        assert.equal(await store.findSession('codex', 's1'), undefined);
      }),
    );

    it(
      'returns exactly the saved fields',
      withStore(open, async ({ store }) => {
        const full = { parentSessionId: 's0', cwd: '/w', branch: 'main', model: 'm', agentVersion: '2.1' };
        const session = makeSession({ ...full, endedAt: at(3), endReason: 'exit' });
        await store.saveSessions([session]);
        await store.saveSessions([makeSession({ sessionId: 's2' })]);
        assert.deepEqual(await store.findSession('claude-code', 's1'), session);
        assert.deepEqual(await store.findSession('claude-code', 's2'), makeSession({ sessionId: 's2' }));
      }),
    );

    it(
      'keeps the earliest start and the latest heartbeat whatever the order',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession({ startedAt: at(5), lastSeenAt: at(6) })]);
        await store.saveSessions([makeSession({ startedAt: at(1), lastSeenAt: at(9) })]);
        await store.saveSessions([makeSession({ startedAt: at(3), lastSeenAt: at(4) })]);
        const expected = makeSession({ startedAt: at(1), lastSeenAt: at(9) });
        assert.deepEqual(await store.findSession('claude-code', 's1'), expected);
      }),
    );

    it(
      'keeps a session where it began, wherever it went and in whatever order it is reported',
      withStore(open, async ({ store }) => {
        const began = { cwd: '/a', projectId: 'prj_a', startedAt: at(1), lastSeenAt: at(1) };
        const walked = { cwd: '/b', projectId: 'prj_b', startedAt: at(2), lastSeenAt: at(2) };
        const further = { cwd: '/c', projectId: 'prj_c', startedAt: at(3), lastSeenAt: at(3) };
        for (const [i, order] of [
          [began, walked, further],
          [further, began, walked],
          [walked, further, began],
        ].entries()) {
          for (const told of order) await store.saveSessions([makeSession({ ...told, sessionId: `s${i}` })]);
          const expected = makeSession({ ...began, sessionId: `s${i}`, lastSeenAt: at(3) });
          assert.deepEqual(await store.findSession('claude-code', `s${i}`), expected);
        }
      }),
    );

    it(
      'changes nothing for absent fields, and takes present ones',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession({ branch: 'main', model: 'm1' })]);
        await store.saveSessions([makeSession({ model: 'm2', cwd: '/w' })]);
        const expected = makeSession({ branch: 'main', model: 'm2', cwd: '/w' });
        assert.deepEqual(await store.findSession('claude-code', 's1'), expected);
      }),
    );

    it(
      'keeps a recorded end',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession({ endedAt: at(3), endReason: 'logout' })]);
        await store.saveSessions([makeSession()]);
        await store.saveSessions([makeSession({ endedAt: at(8), endReason: 'other' })]);
        const expected = makeSession({ endedAt: at(3), endReason: 'logout' });
        assert.deepEqual(await store.findSession('claude-code', 's1'), expected);
      }),
    );
  });
}
