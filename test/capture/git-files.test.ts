import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hasCommit, listWorktrees } from '../../src/capture/projects/git-files.ts';

describe('the files of a repository', () => {
  let dir: string;
  let shop: string;
  const commits: string[] = [];
  before(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-git-files-')));
    shop = join(dir, 'shop');
    execFileSync('git', ['init', '--quiet', shop]);
    for (let n = 0; n < 20; n++) commit(n);
  });
  after(() => rmSync(dir, { recursive: true, force: true }));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.test', ...args], {
      ...{ cwd: shop, encoding: 'utf8', env: { ...process.env, HOME: dir, GIT_CONFIG_NOSYSTEM: '1' } },
    }).trim();
  const commit = (n: number): void => {
    writeFileSync(join(shop, 'README.md'), `${n}`);
    git('add', '.');
    git('commit', '--quiet', '-m', `${n}`);
    commits.push(git('rev-parse', 'HEAD'));
  };
  const has = (one: string) => hasCommit(join(shop, '.git'), one);

  for (const how of ['loose', 'packed'])
    it(`show whether it has a commit that is ${how}, in full or abbreviated`, () => {
      if (how === 'packed') git('gc', '--quiet', '--prune=now');
      for (const one of commits) assert.ok(has(one) && has(one.slice(0, 7)), one);
      for (const one of commits) assert.equal(has(`${one.slice(0, 39)}${one.endsWith('0') ? '1' : '0'}`), false);
      assert.equal(has('0123456'), false);
    });

  it('name its worktrees, also one whose folder was deleted', () => {
    for (const name of ['one', 'two']) git('worktree', 'add', '--quiet', '-b', name, join(dir, name));
    rmSync(join(dir, 'two'), { recursive: true });
    assert.deepEqual([...listWorktrees(join(shop, '.git'))].sort(), [join(dir, 'one'), join(dir, 'two')]);
    assert.deepEqual(listWorktrees(join(dir, 'none')), []);
  });
});
