import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { renderLessonFile } from '../../src/keep/sharing/lesson-file.ts';
import { toLessonFolder, toLessonPath } from '../../src/keep/sharing/lesson-folder.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { followRepositories, type Repositories } from '../../src/loop/repository-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

let dir: string;
let store: Store;
let repositories: Repositories;
let said: string[];
let hidden: string[];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'oncebitten-follow-'));
  store = await openSqliteStore(join(dir, 'x.db'));
  said = [];
  hidden = [];
  repositories = open();
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = (): Repositories =>
  followRepositories({
    ...{ store, dataDir: join(dir, 'home/.oncebitten'), log: (line) => said.push(line) },
    isPrivate: (root) => hidden.includes(root),
  });
const makeRoot = (name: string): string => {
  const root = join(dir, name);
  mkdirSync(toLessonFolder(root), { recursive: true });
  execFileSync('git', ['-C', root, 'init', '-q']);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', 'https://example.org/shop.git']);
  return root;
};
const put = (root: string, slug: string, text = renderLessonFile(makeTestLesson({}), slug)): void =>
  writeFileSync(toLessonPath(root, slug), text);
/** As a session that begins there. */
const look = (...roots: readonly string[]): Promise<boolean> => {
  repositories.see(roots.map((cwd) => ({ kind: 'session-started', cwd })));
  return repositories.look();
};
const active = async (): Promise<readonly string[]> =>
  (await store.listLessons({ status: 'active' })).map(({ slug }) => slug).sort();

describe('following the lesson files of repositories', () => {
  it('reads them where something happens, and again only when they change', async () => {
    const root = makeRoot('a');
    put(root, 'one');
    assert.equal(repositories.isFollowing(), false);
    assert.equal(await look(join(root)), true);
    assert.equal(repositories.isFollowing(), true);
    assert.equal(await look(root), false);
    put(root, 'two');
    assert.equal(await look(root), true);
    rmSync(toLessonPath(root, 'one'));
    assert.equal(await look(root), true);
    assert.deepEqual(await active(), ['two']);
  });

  it('notices a change that has the length and nearly the time of what it read', async () => {
    const root = makeRoot('a');
    for (let i = 0; i < 10; i++) {
      put(root, 'one', renderLessonFile(makeTestLesson({ mistake: `turn ${i}` }), 'one'));
      await look(root);
      assert.equal((await store.findLesson('one'))?.mistake, `turn ${i}`);
    }
  });

  it('notices what went while it did not run', async () => {
    const root = makeRoot('a');
    put(root, 'one');
    await look(root);
    rmSync(join(root, '.oncebitten'), { recursive: true });
    repositories = open();
    assert.equal(await look(root), true);
    assert.deepEqual(await active(), []);
  });

  it('takes what any clone or worktree of a project has', async () => {
    const [a, b] = [makeRoot('a'), makeRoot('b')];
    put(a, 'one');
    put(b, 'two');
    await look(a);
    await look(b);
    assert.deepEqual(await active(), ['one', 'two']);
    rmSync(toLessonPath(b, 'two'));
    await look(a, b);
    assert.deepEqual(await active(), ['one']);
  });

  it('tells of each broken file once', async () => {
    const root = makeRoot('a');
    put(root, 'bad', '{');
    put(root, 'one');
    for (let i = 0; i < 3; i++) {
      put(root, 'one', renderLessonFile(makeTestLesson({ mistake: `${i}` }), 'one'));
      await look(root);
    }
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /lesson file .*bad\.json:1: is not JSON/);
  });

  it('looks into no private folder, nor into our own', async () => {
    const root = makeRoot('a');
    put(root, 'one');
    hidden.push(root);
    await look(root);
    const home = join(dir, 'home');
    mkdirSync(toLessonFolder(home), { recursive: true });
    put(home, 'two');
    await look(home);
    assert.deepEqual(await active(), []);
  });
});
