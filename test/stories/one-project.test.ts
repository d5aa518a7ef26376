import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { KeptFinding } from '../../src/base/model/finding.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { ProjectSummary } from '../../src/base/model/project.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { type CodexPlace, writeRollout } from './codex-file.ts';
import { appendCalls, type FileCall, makeCalls, writeSession } from './session-file.ts';

interface Listed<T> {
  readonly items: readonly T[];
}

/** A mistake that a lesson comes of. */
function makeMistake(flag: string): readonly FileCall[] {
  return [
    { id: 'wrong', command: `gh pr diff 7 ${flag}`, error: `Exit code 1\nunknown flag: ${flag}` },
    { id: 'right', command: 'gh pr diff 7 --name-only', output: 'src/cart.ts' },
  ];
}

const MISTAKE = makeMistake('--stat');

describe('one repository is one project', { timeout: 900_000 }, () => {
  let shell: Shell;
  let count = 0;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const path = (...parts: readonly string[]) => join(shell.home, ...parts);
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.test', ...args], {
      ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      env: { ...process.env, HOME: shell.home, GIT_CONFIG_NOSYSTEM: '1' },
    }).trim();
  const makeRepository = (folder: string, subject: string, remote?: string): void => {
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(folder, 'README.md'), subject);
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '-m', subject);
    if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
  };
  const work = (cwd: string, calls = makeCalls(`call-${count}`, 2), atMs = Date.now()): string => {
    const session = `session-${count++}`;
    const file = path('.claude/projects', cwd.replaceAll(/[^a-z0-9]/gi, '-'), `${session}.jsonl`);
    writeSession(
      file,
      { session, cwd, atMs },
      calls.map((call) => ({ ...call, id: `${session}-${call.id}` })),
    );
    return file;
  };
  const workInCodex = (
    cwd: string,
    gitFacts?: CodexPlace['git'],
    calls = makeCalls(`call-${count}`, 2),
    atMs = Date.now(),
  ): void => {
    const session = `019a0000-0000-7000-8000-${String(count++).padStart(12, '0')}`;
    const file = path('.codex/sessions/2026/03/01', `rollout-2026-03-01T10-00-00-${session}.jsonl`);
    const named = calls.map((call) => ({ ...call, id: `${session}-${call.id}` }));
    writeRollout(file, { session, cwd, atMs, ...(gitFacts && { git: gitFacts }) }, named);
  };
  const list = async (name: string): Promise<readonly ProjectSummary[]> => {
    const { items } = await shell.json<Listed<ProjectSummary>>('data', 'projects', 'list');
    return items.filter((project) => project.name === name || project.roots.some((root) => root.includes(`/${name}`)));
  };
  const scan = () => shell.json('scan');

  it('in its clones and worktrees, also those that are gone', async () => {
    const main = path('code/shop');
    makeRepository(main, 'the shop', 'https://ann:secret@example.test/acme/shop.git');
    const [copy, feature, inside, codex] = [
      path('code/copy'),
      path('code/shop-feature'),
      join(main, '.claude/worktrees/fix'),
      path('.codex/worktrees/ab12/shop'),
    ];
    git(path('code'), 'clone', '--quiet', main, copy);
    git(copy, 'remote', 'set-url', 'origin', 'git@example.test:acme/shop.git');
    for (const folder of [feature, inside, codex])
      git(main, 'worktree', 'add', '--quiet', '-b', `branch-${count++}`, folder);
    const commit = git(main, 'rev-parse', 'HEAD');
    for (const folder of [main, feature, inside]) work(folder);
    work(copy, [
      { id: 'push', command: 'git push', output: 'To example.test:acme/shop.git\n   1a2b3c4..5d6e7f8  main -> main' },
    ]);
    workInCodex(codex, { repository_url: 'https://example.test/acme/shop.git', commit_hash: commit, branch: 'b' });
    git(main, 'worktree', 'remove', codex);
    for (const folder of [copy, feature, inside]) rmSync(folder, { recursive: true });
    await scan();
    const [shop, ...others] = await list('shop');
    assert.deepEqual(others, []);
    assert.equal(shop?.sessions, 5);
    assert.equal(JSON.stringify(shop).includes('secret'), false);
  });

  it('but not with another of the same name', async () => {
    const one = path('one/desk');
    const two = path('two/desk');
    makeRepository(one, 'one');
    makeRepository(two, 'two');
    const commit = git(two, 'rev-parse', 'HEAD');
    work(one);
    work(two);
    workInCodex(path('.codex/worktrees/cd34/desk'), { commit_hash: commit, branch: 'x' });
    workInCodex(path('.codex/worktrees/ef56/desk'));
    await scan();
    const sessions = (await list('desk')).map((project) => project.sessions).sort();
    assert.deepEqual(sessions, [1, 1, 2], 'a commit proves one worktree, nothing proves the other');
  });

  const lessons = async () => (await shell.json<Listed<Lesson>>('lessons', 'list')).items;

  /** The lessons of the project of a folder, without those for all projects. */
  const listed = async (folder: string) =>
    (await shell.json<Listed<Lesson>>('lessons', 'list', '--project', folder)).items
      .filter(({ scope }) => scope.kind === 'project')
      .map(({ id }) => id);

  /** For each failure with a known fix in the project of a folder, the sessions in which the fix worked. */
  const listCured = async (folder: string) => {
    type Cured = { readonly cure: { readonly sessions: number } | null };
    const { items } = await shell.json<Listed<Cured>>('sessions', 'failures', '--project', folder);
    return items.flatMap(({ cure }) => cure?.sessions ?? []);
  };

  it('when its remote is known later only, and what was learned twice is one lesson', async () => {
    const [first, second] = [path('late/first/tool'), path('late/second/tool')];
    for (const folder of [first, second]) makeRepository(folder, folder);
    work(first, makeMistake('--late'));
    work(second, makeMistake('--late'));
    await scan();
    const late = async () => (await lessons()).filter(({ summary }) => summary.includes('--late'));
    const kinds = (await late()).map(({ scope }) => scope.kind);
    assert.deepEqual(kinds, ['project', 'project'], 'folders without a remote may be copies');
    for (const folder of [first, second]) git(folder, 'remote', 'add', 'origin', 'git@example.test:acme/tool.git');
    await scan();
    const [tool, ...others] = await list('tool');
    assert.deepEqual([tool?.sessions, others], [2, []]);
    const [one, ...more] = await late();
    assert.deepEqual(more, []);
    assert.equal(one?.scope.kind, 'project');
    assert.deepEqual([one?.occurrences, one?.sessions, one?.projects], [2, 2, 1]);
    await scan();
    assert.deepEqual(await late(), [one], 'doing it again changes nothing');
  });

  it('when a person joins two, and its lesson comes back from every project', async () => {
    const [first, second] = [path('joined/lamp'), path('joined/lamp-next')];
    makeRepository(first, 'lamp', 'git@example.test:acme/lamp.git');
    makeRepository(second, 'lamp next', 'git@example.test:acme/lamp-next.git');
    work(first, MISTAKE);
    work(second, MISTAKE);
    await scan();
    const find = async () => (await lessons()).filter(({ summary }) => summary.includes('--stat'));
    assert.deepEqual(
      (await find()).map(({ scope }) => scope),
      [{ kind: 'user' }],
      'two repositories',
    );
    await shell.json('data', 'projects', 'join', second, first);
    await scan();
    const lamp = (await list('lamp')).find(({ roots }) => roots.some((root) => root.endsWith('/lamp')));
    const [narrow, ...more] = await find();
    assert.deepEqual(more, []);
    assert.deepEqual(narrow?.scope, { kind: 'project', id: lamp?.id });
    assert.deepEqual([narrow?.occurrences, narrow?.sessions, narrow?.projects], [2, 2, 1]);
    await scan();
    assert.deepEqual(await find(), [narrow], 'doing it again changes nothing');
    await shell.json('lessons', 'undo', narrow?.slug ?? '');
    assert.equal((await find())[0]?.scope.kind, 'user');
    await scan();
    assert.equal((await find())[0]?.scope.kind, 'user', 'a person took it back');
  });

  it('as far as its lessons go, when nothing proves that two folders are different repositories', async () => {
    const remotes: Record<string, readonly [string | undefined, string | undefined]> = {
      transferred: ['git@example.test:oldorg/p1.git', 'git@example.test:acme/p1.git'],
      alias: ['git@example.test:acme/p2.git', 'git@example-work:acme/p2.git'],
      fork: ['https://example.test/acme/p3', 'https://example.test/me/P3.git'],
      copied: [undefined, undefined],
      detached: ['https://example.test/acme/p4', undefined],
    };
    for (const [what, pair] of Object.entries(remotes))
      for (const [n, remote] of pair.entries()) {
        const folder = path('same', what, String(n));
        makeRepository(folder, what, remote);
        work(folder, makeMistake(`--${what}`));
      }
    for (const gone of ['/gone/of-ann/one', '/gone/of-ann/two']) work(gone, makeMistake('--deleted'));
    await scan();
    const all = await lessons();
    for (const what of [...Object.keys(remotes), 'deleted']) {
      const kinds = all.filter(({ summary }) => summary.includes(`--${what}`)).map(({ scope }) => scope.kind);
      assert.deepEqual([what, [...new Set(kinds)]], [what, ['project']]);
    }
  });

  it('with its lessons, when its folder is younger than its sessions and everything is read again', async () => {
    const folder = path('young/kiln');
    const hourAgo = Date.now() - 3_600_000;
    for (const flag of ['--young', '--approved'])
      for (const n of [2, 1]) work(folder, makeMistake(flag), hourAgo - n * 60_000);
    await scan();
    const find = async (flag: string) => (await lessons()).filter(({ summary }) => summary.includes(flag));
    const [young] = await find('--young');
    const [approved] = await find('--approved');
    await shell.json('lessons', 'approve', approved?.slug ?? '');
    makeRepository(folder, 'kiln', 'git@example.test:acme/kiln.git');
    await scan();
    assert.equal((await list('kiln'))[0]?.basis, 'path', 'another repository may have been cloned into the path');
    await shell.json('scan', '--again');
    const [kiln, ...others] = await list('kiln');
    assert.deepEqual([kiln?.basis, kiln?.sessions, kiln?.calls, others], ['remote', 4, 8, []]);
    for (const [flag, id] of [
      ['--young', young?.id],
      ['--approved', approved?.id],
    ] as const) {
      const [lesson, ...more] = await find(flag);
      assert.deepEqual([lesson?.id, more], [id, []]);
      assert.deepEqual([lesson?.occurrences, lesson?.sessions, lesson?.projects], [2, 2, 1]);
      assert.deepEqual((await listed(folder)).includes(id ?? ''), true, flag);
    }
    const findings = await shell.json<Listed<KeptFinding>>('sessions', 'findings', '--project', folder);
    assert.equal(findings.items.filter(({ lessonId }) => lessonId === young?.id).length, 2);
  });

  it('with its sessions, calls and lessons, when a clone is gone and its sessions are read again', async () => {
    const remote = 'git@example.test:acme/forge.git';
    const outside = path('lost');
    makeRepository(outside, 'notes', 'git@example.test:acme/notes.git');
    const [first, second, live] = [join(outside, 'forge'), path('forge-two'), path('forge-live')];
    for (const folder of [first, second, live]) makeRepository(folder, folder, remote);
    const hourAgo = Date.now() - 3_600_000;
    mkdirSync(join(first, 'src'));
    const files = [
      work(first, makeMistake('--forge'), hourAgo),
      work(join(first, 'src'), makeMistake('--forge'), hourAgo),
      work(second, makeMistake('--forge'), hourAgo),
    ];
    const walker = work(join(first, 'src'), makeCalls('walk', 1), hourAgo);
    const session = walker.match(/session-\d+/)?.[0] ?? '';
    appendCalls(walker, { session, cwd: first, atMs: hourAgo + 60_000 }, [{ id: 'up-in-forge' }]);
    await scan();
    const find = async () => (await lessons()).filter(({ summary }) => summary.includes('--forge'));
    const known = { lessons: await find(), projects: await list('forge') };
    assert.deepEqual([known.lessons.length, known.lessons[0]?.occurrences], [1, 3]);
    assert.deepEqual([known.projects.length, known.projects[0]?.sessions, known.projects[0]?.calls], [1, 4, 8]);
    const [before] = known.projects;
    const check = async (what: string) => {
      const [forge, ...others] = await list('forge');
      assert.deepEqual([forge?.id, forge?.sessions, forge?.calls, others], [before?.id, 4, 8, []], what);
      const [lesson, ...more] = await find();
      assert.deepEqual([lesson?.id, lesson?.scope, more], [known.lessons[0]?.id, known.lessons[0]?.scope, []], what);
      assert.deepEqual([lesson?.occurrences, lesson?.sessions, lesson?.projects], [3, 3, 1], what);
      assert.deepEqual(await listed(live), [lesson?.id], what);
      assert.deepEqual(await listCured(live), [3], `${what}: the known fix worked in three sessions`);
    };
    assert.deepEqual(await listCured(live), [3]);
    for (const folder of [first, second]) rmSync(folder, { recursive: true });
    for (const [n, file] of [...files, walker].entries()) {
      mkdirSync(path(`.claude/projects/renamed-${n}`));
      renameSync(file, path(`.claude/projects/renamed-${n}`, basename(file)));
    }
    await scan();
    await check('the transcripts have a new path');
    await shell.json('scan', '--again');
    await check('everything is read again');
    const findings = await shell.json<Listed<KeptFinding>>('sessions', 'findings', '--project', live);
    assert.deepEqual([...new Set(findings.items.map(({ lessonId }) => lessonId))], [known.lessons[0]?.id]);
  });

  it('when nothing of it is left but what its sessions tell', async () => {
    work('/gone/app');
    work('/gone/app/.claude/worktrees/fix');
    work('/gone/app/.worktrees/ann/fix', [
      { id: 'add', command: 'git worktree add -b two ../../../../app-two', output: 'Preparing worktree' },
    ]);
    work('/gone/app-two');
    workInCodex('/home/ann/.codex/worktrees/12ab/app', { repository_url: 'git@example.test:acme/app.git' });
    workInCodex('/gone/app', { repository_url: 'https://example.test/acme/app' });
    await scan();
    const [app, ...others] = await list('app');
    assert.deepEqual([app?.sessions, others], [6, []]);
  });

  it('when it got another owner, and its history is the same', async () => {
    const commit_hash = '1a2b3c4d'.repeat(5);
    workInCodex('/gone/moved', { repository_url: 'git@example.test:acme/moved.git', commit_hash });
    workInCodex('/gone/moved', { repository_url: 'git@example.test:bigger/moved.git', commit_hash });
    work('/gone/moved');
    await scan();
    const [moved, ...others] = await list('moved');
    assert.deepEqual([moved?.sessions, others], [3, []]);
  });

  it('not where one folder had several repositories', async () => {
    workInCodex('/workspace/pot', { repository_url: 'git@example.test:acme/pot-a.git' });
    workInCodex('/workspace/pot', { repository_url: 'git@example.test:acme/pot-b.git' });
    work('/workspace/pot');
    await scan();
    assert.deepEqual(
      (await list('pot')).map((project) => project.sessions),
      [1, 1, 1],
    );
  });

  it('not where one folder had several repositories, and a lesson stays with the folder that taught it', async () => {
    const folder = '/workspace/urn';
    workInCodex(folder, { repository_url: 'git@example.test:acme/urn-a.git' });
    await scan();
    work(folder, makeMistake('--urn'));
    await scan();
    workInCodex(folder, { repository_url: 'git@example.test:acme/urn-b.git' });
    await scan();
    const own = (await list('urn')).find(({ basis }) => basis === 'path');
    assert.equal(own?.sessions, 1);
    const [lesson, ...others] = (await lessons()).filter(({ summary }) => summary.includes('--urn'));
    assert.deepEqual([lesson?.scope, others], [{ kind: 'project', id: own?.id }, []]);
  });

  it('also for a session that goes on in a folder below after it was read', async () => {
    const cwd = '/gone/walk';
    const file = work(cwd);
    await scan();
    appendCalls(
      file,
      { session: file.match(/session-\d+/)?.[0] ?? '', cwd: `${cwd}/src/api`, atMs: Date.now() + 60_000 },
      [{ id: 'later-in-walk' }],
    );
    await scan();
    const [walk, ...others] = await list('walk');
    assert.deepEqual([walk?.calls, walk?.sessions, others], [3, 1, []]);
  });

  it('is counted: one for each repository with clones and worktrees', async (test) => {
    const counts: Record<string, number> = {};
    for (const name of ['shop', 'tool', 'app', 'moved', 'walk']) counts[name] = (await list(name)).length;
    test.diagnostic(`projects for each repository: ${JSON.stringify(counts)}`);
    assert.deepEqual(new Set(Object.values(counts)), new Set([1]));
  });

  it('until a person splits it, and what was learned in the part stays with the part', async () => {
    const [whole, part] = [path('parts/oven'), path('parts/oven-lid')];
    makeRepository(whole, 'oven');
    makeRepository(part, 'lid');
    work(whole);
    work(part);
    await scan();
    await shell.json('data', 'projects', 'join', part, whole);
    work(part, makeMistake('--lid'));
    await scan();
    await shell.json('data', 'projects', 'split', part);
    const [lesson] = (await lessons()).filter(({ summary }) => summary.includes('--lid'));
    assert.deepEqual(await listed(part), [lesson?.id]);
    assert.deepEqual(await listed(whole), []);
  });

  it('and a person who splits what was joined is not asked again', async () => {
    const [app] = await list('app');
    const joined = app?.joined.find(({ roots }) => roots.includes('/gone/app'));
    assert.equal(joined?.proof, 'remote');
    assert.ok(joined);
    await shell.json('data', 'projects', 'split', joined.id);
    work('/gone/app');
    await scan();
    assert.ok((await list('app')).some(({ id }) => id === joined.id));
  });

  it('paused and forgotten with all its folders', async () => {
    const main = path('quiet/bell');
    makeRepository(main, 'bell', 'git@example.test:acme/bell.git');
    const gone = { repository_url: 'git@example.test:acme/bell.git' };
    const hourAgo = Date.now() - 3_600_000;
    workInCodex('/gone/before/bell', gone, makeCalls('bell', 2), hourAgo);
    work(main, makeCalls('bell', 2), hourAgo);
    await scan();
    assert.equal((await list('bell'))[0]?.sessions, 2);
    await shell.json('data', 'forget', '--project', main, '--yes');
    await shell.json('scan', '--again');
    assert.deepEqual(await list('bell'), [], 'what was forgotten does not come back from a folder that is gone');
    await shell.json('pause', '--project', main);
    workInCodex('/home/ann/.codex/worktrees/56ef/bell', gone, [{ id: 'later' }]);
    await scan();
    assert.deepEqual(await list('bell'), []);
  });

  it('as private as its clone that is listed', async () => {
    const main = path('secret/vault');
    makeRepository(main, 'vault', 'git@example.test:acme/vault.git');
    await shell.json('config', 'set', 'privateProjects', JSON.stringify([main]));
    workInCodex('/home/ann/.codex/worktrees/34cd/vault', { repository_url: 'git@example.test:acme/vault.git' });
    const file = work('/gone/vault/.claude/worktrees/x');
    appendFileSync(file, '');
    await scan();
    const sessions = (await list('vault')).flatMap((project) => project.roots);
    assert.equal(
      sessions.some((root) => root.includes('.codex/worktrees/34cd')),
      false,
    );
  });
});
