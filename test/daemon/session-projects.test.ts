import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { identifyProject, makeSessionProjects } from '../../src/loop/projects/find-project.ts';

const SESSION = { agent: 'claude-code', sessionId: 's1' };

describe('the project of what happens in a session', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-place-')));
  after(() => rmSync(dir, { recursive: true, force: true }));
  const find = (...folders: readonly string[]) => {
    const findProject = makeSessionProjects(identifyProject);
    return folders.map((cwd) => findProject({ ...SESSION, cwd }).root);
  };

  it('is that of the folder it began in, below which nothing tells where a project begins', () => {
    assert.deepEqual(find('/gone/shop', '/gone/shop/src/api', '/gone/shop'), Array(3).fill('/gone/shop'));
  });

  it('is another one beside or above it', () => {
    assert.deepEqual(find('/gone/shop/src', '/gone/shop', '/gone/shop/srcs'), [
      '/gone/shop/src',
      '/gone/shop',
      '/gone/shop/srcs',
    ]);
  });

  it('is that of a repository, wherever the session began', () => {
    mkdirSync(join(dir, 'work/shop/.git'), { recursive: true });
    mkdirSync(join(dir, 'work/shop/src'));
    const [, inside] = find(join(dir, 'work'), join(dir, 'work/shop/src'));
    assert.equal(inside, join(dir, 'work/shop'));
  });

  it('is told apart by session', () => {
    const findProject = makeSessionProjects(identifyProject);
    findProject({ ...SESSION, cwd: '/gone' });
    assert.equal(findProject({ ...SESSION, sessionId: 's2', cwd: '/gone/shop' }).root, '/gone/shop');
    assert.equal(findProject(SESSION).id, identifyProject('').id);
  });
});
