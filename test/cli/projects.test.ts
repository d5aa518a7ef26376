import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ProjectSummary } from '../../src/base/model/project.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { at, makeCall, makeChange, makeLesson, makeProject, makeSession } from '../contracts/store/make-samples.ts';
import { openShell, type Shell } from './open-shell.ts';

describe('oncebitten data projects', () => {
  let shell: Shell;
  let old: string;
  let now: string;
  let oldId: string;
  before(async () => {
    shell = openShell();
    old = join(shell.home, 'old-shop');
    now = join(shell.home, 'shop');
    mkdirSync(old);
    const project = identifyProject(old);
    oldId = project.id;
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveProjects([project]);
    await store.saveProjects([makeProject({ id: 'prj_else', name: 'else', root: '/else' })]);
    await store.saveProjects([makeProject({ id: 'prj_else2', name: 'else', root: '/else' })]);
    await store.saveSessions([makeSession({ projectId: oldId, lastSeenAt: at(5) })]);
    await store.saveCalls([makeCall({ projectId: oldId })], 'observed');
    await store.saveLesson(makeLesson({ scope: { kind: 'project', id: oldId } }), makeChange('new'));
    await store.close();
    renameSync(old, now);
  });
  after(() => shell.close());

  const list = () => shell.list<ProjectSummary>('data', 'projects', 'list');
  const speaks = async (): Promise<boolean> => {
    const call = ['--tool', 'Bash', '--input', '{"command":"gh pr diff 7 --stat"}', '--cwd', now];
    const { stdout } = await shell.run(['explain', ...call, '--json']);
    return (JSON.parse(stdout) as { matches: unknown[] }).matches.length > 0;
  };

  it('are listed with their folders and figures, newest first', async () => {
    const [first, ...others] = await list();
    assert.deepEqual(first, {
      id: oldId,
      name: 'old-shop',
      basis: 'path',
      roots: [old],
      joined: [],
      sessions: 1,
      calls: 1,
      lastSeenAt: at(5),
    });
    assert.equal(others.length, 2);
    const { stdout } = await shell.run(['data', 'projects', 'list']);
    assert.match(
      stdout,
      new RegExp(
        `^PROJECT +NAME +SESSIONS +CALLS +LAST SEEN .*\n${oldId} +old-shop +1 +1 +2026-01-01 00:05\n +${old}\n`,
      ),
    );
  });

  it('whose folder was moved are joined, after a look, and their lessons speak at the new place', async () => {
    const dry = await shell.json<object>('data', 'projects', 'join', old, now, '--dry-run');
    const moved = { sessions: 1, calls: 1, lessons: 1 };
    const both = { from: oldId, into: identifyProject(now).id, moved };
    assert.deepEqual(dry, { joined: false, ...both });
    assert.equal((await list()).length, 3);
    assert.equal(await speaks(), false);

    const { code, stdout } = await shell.run(['data', 'projects', 'join', old, '.'], { cwd: now });
    assert.equal(code, 0);
    assert.match(stdout, /is now part of .*: 1 session, 1 call, 1 lesson\.\nUndo: oncebitten data projects split/);
    const [first, ...others] = await list();
    assert.deepEqual([first?.id, first?.calls, first?.joined[0]?.id, others.length], [both.into, 1, oldId, 2]);
    assert.equal(await speaks(), true);
    const history = await shell.json<{ totals: { calls: number } }>('sessions', 'history', '--project', now);
    assert.equal(history.totals.calls, 1);
    assert.match(
      (await shell.run(['data', 'projects', 'list'])).stdout,
      new RegExp(`^ {2}joined ${oldId} +${old}$`, 'm'),
    );
  });

  it('are what they were once split', async () => {
    const { code, stdout } = await shell.run(['data', 'projects', 'split', old]);
    assert.equal(code, 0);
    assert.match(stdout, /is a separate project again, no longer part of/);
    assert.equal((await list()).find(({ id }) => id === oldId)?.calls, 1);
    assert.equal(await speaks(), false);
  });

  it('say what is wrong with a wish', async () => {
    const fail = async (args: readonly string[], said: RegExp) => {
      const { code, stderr } = await shell.run(['data', 'projects', ...args]);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, said);
    };
    await fail(['join', 'nobody', now], /project nobody: .*\n {2}next: .*oncebitten data projects list/);
    await fail(['join', 'else', now], /project else: .*\n {2}next: .*prj_else/);
    await fail(['join', 'prj_else', 'prj_else'], /the same project, prj_else\b.*\n {2}next: .*prj_else2/);
    await fail(['split', 'prj_else'], /nothing to split/);
    await shell.json('data', 'projects', 'join', 'prj_else', 'prj_else2');
    await fail(
      ['join', 'prj_else', oldId],
      /is part of prj_else2\n {2}next: .*oncebitten data projects split .*prj_else\n/,
    );
    await fail(
      ['join', 'prj_else2', 'prj_else'],
      /prj_else\b.*is already part of prj_else2\b.*\n {2}next: .*oncebitten data projects split .*prj_else\n/,
    );
    await fail(['split', oldId], /is not joined into another project/);
  });

  it('that were joined have one name, by which every command finds and shows them', async () => {
    const { lesson } = await fillJoined();
    const summaries = (await list()).filter(({ name }) => name === 'git-sync');
    assert.deepEqual(
      summaries.map(({ id, joined }) => [id, joined.map((one) => one.id)]),
      [['prj_sync', ['prj_sync_path']]],
    );
    for (const command of ['failures', 'history', 'findings'])
      assert.equal((await shell.run([command, '--project', 'git-sync'])).code, 0, command);
    const lessons = await shell.list<{ slug: string; project?: string }>('lessons', 'list', '--project', 'git-sync');
    assert.deepEqual(
      lessons.map(({ slug, project }) => [slug, project]),
      [[lesson.slug, 'git-sync']],
    );
    const shown = await shell.json<{ project?: string }>('lessons', 'show', lesson.slug);
    assert.equal(shown.project, 'git-sync');
    assert.match(
      (await shell.run(['lessons', 'show', lesson.slug])).stdout,
      /scope +project git-sync \(prj_sync_path\)/,
    );
    assert.match((await shell.run(['sessions', 'show'])).stdout, / git-sync +\d+ +\d+ +sync-/);
    const { code, stdout } = await shell.run(['data', 'forget', '--project', 'git-sync', '--dry-run']);
    assert.deepEqual([code, /prj_/.test(stdout)], [0, false]);
    await shell.json('pause', '--project', 'git-sync');
    await shell.json('resume', '--project', 'git-sync');
  });

  /** A project of a remote, and its folder that was a project of its own before. */
  const fillJoined = async () => {
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    const root = '/code/git-sync';
    await store.saveProjects([makeProject({ id: 'prj_sync', name: 'git-sync', basis: 'remote', root })]);
    await store.saveProjects([makeProject({ id: 'prj_sync_path', name: 'git-sync', basis: 'path', root })]);
    await store.linkProjects([{ fromId: 'prj_sync_path', intoId: 'prj_sync', proof: 'folder', at: at(1) }]);
    await store.saveSessions([makeSession({ sessionId: 'sync-1', projectId: 'prj_sync_path', cwd: root })]);
    const lesson = makeLesson({
      ...{ id: 'les_sync', slug: 'sync-lesson', contentHash: 'sync' },
      scope: { kind: 'project', id: 'prj_sync_path' },
    });
    await store.saveLesson(lesson, makeChange('new'));
    await store.close();
    return { lesson };
  };
});
