import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { identifyProject } from '../../src/loop/projects/find-project.ts';

let home = '';
before(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-project-')));
});
after(() => rmSync(home, { recursive: true, force: true }));

function git(cwd: string, ...args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const me = ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...me, '-c', 'protocol.file.allow=always', ...args], { cwd, env, stdio: 'ignore' });
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

const idOf = (...parts: readonly string[]): string => identifyProject(join(home, ...parts)).id;

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
    assert.equal(idOf('local-tree'), project.id);
    assert.equal(idOf('local', '.git', 'objects'), project.id, 'also inside the git folder itself');
    assert.notEqual(identifyProject(makeClone('other')).id, project.id);
  });

  it('without a remote is the same in a clone of its folder, also while that folder is unmounted', () => {
    const root = makeClone('first');
    git(home, 'clone', '-q', root, join(home, 'second'));
    git(home, 'clone', '-q', join(home, 'second'), join(home, 'third'));
    assert.deepEqual([idOf('second'), idOf('third')], [idOf('first'), idOf('first')]);
    assert.equal(identifyProject(join(home, 'third')).root, join(home, 'third'));
    const id = idOf('first');
    renameSync(root, join(home, 'away'));
    assert.equal(idOf('second'), id);
  });

  it('that was cloned from a clone here has the remote of that one', () => {
    const root = makeClone('near', 'https://example.com/far.git');
    git(home, 'clone', '-q', root, join(home, 'nearer'));
    assert.equal(idOf('nearer'), idOf('near'));
    assert.equal(identifyProject(join(home, 'nearer')).name, 'far');
  });

  it('whose remotes form a cycle is still identified', () => {
    const [a, b] = [join(home, 'circle-a'), join(home, 'circle-b')];
    makeClone('circle-a', b);
    makeClone('circle-b', a);
    assert.match(idOf('circle-a'), /^prj_/);
  });

  it('is identified by origin, else by upstream, else by the remote it has', () => {
    const root = makeClone('many');
    git(root, 'remote', 'add', 'fork', 'https://example.com/me/many.git');
    const name = (): string => identifyProject(root).name;
    git(root, 'remote', 'set-url', 'fork', 'https://example.com/me/forked.git');
    assert.equal(name(), 'forked');
    git(root, 'remote', 'add', 'upstream', 'https://example.com/them/above.git');
    assert.equal(name(), 'above');
    git(root, 'remote', 'add', 'origin', 'https://example.com/me/mine.git');
    assert.equal(name(), 'mine');
  });

  it('of a submodule is its own, in every clone of the outer one', () => {
    const part = makeClone('part', 'https://example.com/a/part.git');
    const outer = makeClone('outer', 'https://example.com/a/outer.git');
    git(outer, 'submodule', '--quiet', 'add', part, 'vendor/part');
    assert.equal(idOf('outer', 'vendor', 'part'), idOf('part'));
    assert.notEqual(idOf('outer', 'vendor', 'part'), idOf('outer'));
    assert.equal(idOf('outer', 'vendor'), idOf('outer'));
    assert.equal(identifyProject(join(outer, 'vendor', 'part')).root, join(outer, 'vendor', 'part'));
  });

  it('of a bare repository is that of its worktrees and clones', () => {
    const bare = join(home, 'store.git');
    git(home, 'clone', '-q', '--bare', makeClone('seed'), bare);
    git(bare, 'remote', 'remove', 'origin');
    git(bare, 'worktree', 'add', '-q', join(home, 'of-bare'));
    git(home, 'clone', '-q', bare, join(home, 'from-bare'));
    const project = identifyProject(bare);
    assert.deepEqual([project.basis, project.name, project.root], ['git-dir', 'store', bare]);
    assert.deepEqual([idOf('of-bare'), idOf('from-bare'), idOf('store.git', 'refs')], Array(3).fill(project.id));
  });

  it('of a bare repository in a folder with its worktrees is named by that folder', () => {
    const root = join(home, 'nest');
    mkdirSync(root);
    git(root, 'init', '-q', '--bare', '.bare');
    writeFileSync(join(root, '.git'), 'gitdir: ./.bare\n');
    assert.deepEqual([identifyProject(root).name, identifyProject(root).root], ['nest', root]);
    assert.equal(idOf('nest', '.bare'), idOf('nest'));
  });

  it('includes a directory that was deleted inside a clone', () => {
    const root = makeClone('kept', 'https://example.com/a/kept.git');
    assert.equal(identifyProject(join(root, 'gone', 'deeper')).id, identifyProject(root).id);
  });

  it('of a deleted clone is its path: no neighbour, and no clone around its parent, takes it', () => {
    makeClone('group/alive', 'https://example.com/a/alive.git');
    const gone = identifyProject(join(home, 'group', 'gone'));
    assert.deepEqual([gone.basis, gone.name], ['path', 'gone']);
    assert.equal(new Set([gone.id, idOf('group'), idOf('group', 'alive'), idOf('group', 'gone-2')]).size, 4);
  });

  it('that is gone is not part of a home folder that is a repository; existing folders are', () => {
    const dotfiles = makeClone('ann');
    const before = process.env.HOME;
    process.env.HOME = dotfiles;
    try {
      assert.equal(identifyProject(join(dotfiles, 'gone')).basis, 'path');
      assert.equal(identifyProject(join(dotfiles, 'src')).basis, 'git-dir');
      assert.equal(identifyProject(dotfiles).basis, 'git-dir');
    } finally {
      process.env.HOME = before;
    }
  });

  it('without git is the real path', () => {
    mkdirSync(join(home, 'plain'));
    symlinkSync(join(home, 'plain'), join(home, 'link'));
    const project = identifyProject(join(home, 'link'));
    assert.deepEqual([project.basis, project.name, project.root], ['path', 'plain', join(home, 'plain')]);
    assert.equal(identifyProject(join(home, 'plain')).id, project.id);
  });

  it('reached through a link is the same, also once it is gone', () => {
    makeClone('linked');
    symlinkSync(join(home, 'linked'), join(home, 'to-linked'));
    assert.equal(idOf('to-linked', 'src'), idOf('linked'));
    mkdirSync(join(home, 'room', 'brief'), { recursive: true });
    symlinkSync(join(home, 'room'), join(home, 'to-room'));
    const id = idOf('to-room', 'brief');
    rmSync(join(home, 'room', 'brief'), { recursive: true });
    assert.equal(idOf('to-room', 'brief'), id);
  });

  it('is the path itself if it does not exist, with or without a trailing slash', () => {
    assert.deepEqual(identifyProject('/no/such/place/'), identifyProject('/no/such/place'));
    assert.equal(identifyProject('/no/such/place').name, 'place');
  });

  it('is never our own working directory by default', () => {
    assert.deepEqual(
      [identifyProject('').basis, identifyProject('').name, identifyProject('relative').root],
      ['path', 'unknown', 'relative'],
    );
  });

  it('is identified in spite of broken git files', () => {
    const root = join(home, 'broken');
    mkdirSync(root);
    for (const content of ['', 'gitdir:', 'gitdir: ../nowhere/.git/worktrees/x\n', '\0\0']) {
      writeFileSync(join(root, '.git'), content);
      assert.match(identifyProject(root).id, /^prj_/);
    }
    assert.match(identifyProject('/\0').id, /^prj_/);
  });

  it('is identified whatever the folder and its config contain', () => {
    const root = makeClone('any');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, config) => {
        writeFileSync(join(root, '.git', 'config'), `[remote "origin"]\n\turl = ${config}\n`);
        return /^prj_/.test(identifyProject(root).id) && /^prj_/.test(identifyProject(path).id);
      }),
    );
  });
});
