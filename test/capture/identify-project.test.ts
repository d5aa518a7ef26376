import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { identifyProject } from '../../src/capture/identify-project.ts';
import { toRemoteName } from '../../src/capture/to-remote-name.ts';

let home = '';
before(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-project-')));
});
after(() => rmSync(home, { recursive: true, force: true }));

function git(cwd: string, ...args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const me = ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...me, ...args], { cwd, env, stdio: 'ignore' });
}

function makeClone(name: string, remote?: string): string {
  const root = join(home, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  git(root, 'init', '-q');
  writeFileSync(join(root, 'a'), 'a');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'a');
  if (remote !== undefined) git(root, 'remote', 'add', 'origin', remote);
  return root;
}

describe('a project', () => {
  it('is the same in every clone, sub-directory and worktree, however its remote is written', () => {
    const one = makeClone('one', 'git@GitHub.com:acme/shop.git');
    const two = makeClone('two', 'https://bot:secret@github.com/acme/shop');
    git(one, 'worktree', 'add', '-q', join(home, 'tree'));
    const project = identifyProject(one);
    assert.deepEqual({ ...project, id: '' }, { id: '', name: 'shop', basis: 'remote', root: one });
    assert.match(project.id, /^prj_[0-9a-z]+$/);
    for (const cwd of [two, join(one, 'src'), join(home, 'tree')]) assert.equal(identifyProject(cwd).id, project.id);
    assert.equal(identifyProject(join(home, 'tree')).root, join(home, 'tree'));
  });

  it('without a remote is its git folder, shared by its worktrees', () => {
    const root = makeClone('local');
    git(root, 'worktree', 'add', '-q', join(home, 'local-tree'));
    const project = identifyProject(root);
    assert.deepEqual([project.basis, project.name, project.root], ['git-dir', 'local', root]);
    assert.equal(identifyProject(join(home, 'local-tree')).id, project.id);
    assert.notEqual(identifyProject(makeClone('other')).id, project.id);
  });

  it('keeps a directory that was removed inside a clone', () => {
    const root = makeClone('kept', 'https://example.com/a/kept.git');
    assert.equal(identifyProject(join(root, 'gone', 'deeper')).id, identifyProject(root).id);
  });

  it('without git is the real path', () => {
    mkdirSync(join(home, 'plain'));
    symlinkSync(join(home, 'plain'), join(home, 'link'));
    const project = identifyProject(join(home, 'link'));
    assert.deepEqual([project.basis, project.name, project.root], ['path', 'plain', join(home, 'plain')]);
    assert.equal(identifyProject(join(home, 'plain')).id, project.id);
  });

  it('is named by the text of a path that is not there, with or without a slash at its end', () => {
    assert.deepEqual(identifyProject('/no/such/place/'), identifyProject('/no/such/place'));
    assert.equal(identifyProject('/no/such/place').name, 'place');
  });

  it('is never our own working directory for want of another', () => {
    assert.deepEqual(
      [identifyProject('').basis, identifyProject('').name, identifyProject('relative').root],
      ['path', 'unknown', 'relative'],
    );
  });

  it('survives broken git files', () => {
    const root = join(home, 'broken');
    mkdirSync(root);
    for (const content of ['', 'gitdir:', 'gitdir: ../nowhere/.git/worktrees/x\n', '\0\0']) {
      writeFileSync(join(root, '.git'), content);
      assert.match(identifyProject(root).id, /^prj_/);
    }
    assert.match(identifyProject('/\0').id, /^prj_/);
  });
});

describe('a remote', () => {
  const rows = [
    ['git@github.com:a/b.git', 'github.com/a/b'],
    ['github.com:a/b', 'github.com/a/b'],
    ['ssh://git@GITHUB.com:22/a/b.git/', 'github.com/a/b'],
    ['https://github.com/a/b', 'github.com/a/b'],
    ['https://user:pa@ss@github.com/a/b.git', 'github.com/a/b'],
    ['https://token@github.com:443/a/b.git', 'github.com/a/b'],
    ['ssh://git@host:7999/team/B.git', 'host:7999/team/B'],
    ['git://host/a.git', 'host/a'],
    ['file:///srv/repo.git', '/srv/repo'],
    ['/srv/repo.git', '/srv/repo'],
    ['../repo.git', '/home/repo'],
  ] as const;
  for (const [remote, name] of rows) {
    it(`${remote} is ${name}`, () => assert.equal(toRemoteName(remote, '/home/root'), name));
  }
});
