/** Where a Node is found when the recorded one is gone. The Nodes here are scripts that print a version nobody else has. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';

const SCRIPT = join(import.meta.dirname, '../../src/surfaces/launch/find-node.sh');
const WANTED = '9000.18';

describe('find-node', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-find-node-')));
  const home = join(root, 'home');
  const project = join(home, 'work/shop');
  after(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(() => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(project, '.git'), { recursive: true });
  });

  const put = (path: string, says: string): string => {
    const file = path.startsWith('/') ? path : join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${says}\n`, { mode: 0o755 });
    return file;
  };
  const putNode = (path: string, version = '9000.18.0'): string => put(path, `echo v${version}`);
  interface Asked {
    readonly path?: string;
    readonly accepted?: string;
    readonly folder?: string;
    readonly cwd?: string;
    readonly known?: string;
    readonly env?: Readonly<Record<string, string>>;
  }
  const find = ({
    path = '/nowhere',
    accepted = '',
    folder = project,
    cwd = '/',
    known = '',
    env = {},
  }: Asked = {}): string | undefined => {
    const { status, stdout } = spawnSync('/bin/bash', ['-p', SCRIPT, WANTED, accepted, folder, known], {
      encoding: 'utf8',
      cwd,
      env: { HOME: home, PATH: path, ...env },
    });
    assert.equal(status, stdout === '' ? 1 : 0);
    return stdout === '' ? undefined : stdout.trimEnd();
  };

  for (const place of [
    '.nvm/versions/node/v9000.18.0/bin/node',
    '.local/share/fnm/node-versions/v9000.18.0/installation/bin/node',
    '.fnm/node-versions/v9000.18.0/installation/bin/node',
    'Library/Application Support/fnm/node-versions/v9000.18.0/installation/bin/node',
    '.volta/tools/image/node/9000.18.0/bin/node',
    '.volta/bin/node',
    '.asdf/installs/nodejs/9000.18.0/bin/node',
    '.asdf/shims/node',
    '.local/share/mise/installs/node/9000.18.0/bin/node',
    '.local/share/mise/shims/node',
    'n/n/versions/node/9000.18.0/bin/node',
    'n/bin/node',
    '.nodenv/versions/9000.18.0/bin/node',
    '.nix-profile/bin/node',
  ])
    it(`finds ~/${place}`, () => {
      const node = putNode(place);
      assert.equal(find(), node);
    });

  it('finds what version managers keep in a folder of the user’s choice', () => {
    const node = putNode('elsewhere/versions/node/v9000.20.1/bin/node');
    assert.equal(find({ env: { NVM_DIR: join(home, 'elsewhere') } }), node);
  });

  it('takes the first on the PATH that is new enough, and stand-ins of version managers last', () => {
    const shim = putNode('.asdf/shims/node');
    const old = putNode('old/bin/node', '20.1.0');
    const good = putNode('good/bin/node');
    const path = [shim, old, good].map(dirname).join(':');
    assert.equal(find({ path }), good);
    assert.equal(find({ path: dirname(shim) }), shim);
  });

  it('compares versions as numbers', () => {
    putNode('.nvm/versions/node/v9000.9.0/bin/node', '9000.9.0');
    assert.equal(find(), undefined);
    const node = putNode('.nvm/versions/node/v9000.100.0/bin/node', '9000.100.0');
    assert.equal(find(), node);
  });

  it('accepts an older one only where it is asked to, and only where no newer one is', () => {
    const old = putNode('old/bin/node', '8000.0.0');
    assert.equal(find({ path: dirname(old) }), undefined);
    assert.equal(find({ path: dirname(old), accepted: '8000' }), old);
    assert.equal(find({ path: dirname(old), accepted: '8001' }), undefined);
    const good = putNode('.nvm/versions/node/v9000.18.0/bin/node');
    assert.equal(find({ path: dirname(old), accepted: '8000' }), good);
  });

  it('takes none of the project that the session works in, and none of a package', () => {
    const theirs = putNode(join(project, 'bin/node'));
    const packaged = putNode('tools/node_modules/.bin/node');
    const path = [dirname(theirs), dirname(packaged), 'bin', ''].join(':');
    for (const folder of [project, join(project, 'src/deep')]) assert.equal(find({ path, folder }), undefined);
    assert.equal(find({ path: dirname(theirs), folder: join(home, 'work/other') }), theirs);
  });

  it('takes one of the home folder where the session works there, but not if HOME names a repository', () => {
    const node = putNode('bin/node');
    assert.equal(find({ path: dirname(node), folder: home }), node);
    mkdirSync(join(home, '.git'));
    assert.equal(find({ path: dirname(node), folder: join(home, 'notes') }), undefined);
  });

  it('takes none of the project by another name of its folder', () => {
    const theirs = dirname(putNode(join(project, 'evil/bin/node')));
    const [byFolder, byFile, session] = [join(home, 'by-folder'), join(home, 'by-file'), join(home, 'session')];
    symlinkSync(theirs, byFolder);
    mkdirSync(byFile);
    symlinkSync(join(theirs, 'node'), join(byFile, 'node'));
    symlinkSync(project, session);
    const cwd = project;
    for (const asked of [
      { path: `${home}/../home/work/shop/evil/bin` },
      { path: byFolder },
      { path: byFile },
      { path: theirs, folder: session },
      { path: theirs, folder: '/proc/self/cwd', cwd },
      { path: '/proc/self/cwd/evil/bin', cwd },
      { env: { N_PREFIX: '/proc/self/cwd/evil' }, cwd },
      { path: theirs, env: { HOME: theirs } },
    ])
      assert.equal(find(asked), undefined, JSON.stringify(asked));
  });

  it('takes none of a repository around the one that the session works in', () => {
    const inner = join(project, 'vendor/inner');
    mkdirSync(join(inner, '.git'), { recursive: true });
    const theirs = putNode(join(project, 'bin/node'));
    assert.equal(find({ path: dirname(theirs), folder: inner }), undefined);
  });

  it('prints a Node that an earlier search found, without asking its version or looking further', () => {
    const known = put('old/bin/node', 'echo v20.0.0; touch "$0.ran"');
    const newer = putNode('new/bin/node');
    assert.equal(find({ known, path: dirname(newer) }), known);
    assert.equal(existsSync(`${known}.ran`), false);
  });

  it('looks further where the Node of an earlier search is gone or is of this session’s project', () => {
    const newer = putNode('new/bin/node');
    const theirs = putNode(join(project, 'bin/node'));
    symlinkSync(dirname(theirs), join(home, 'link'));
    for (const known of [join(home, 'gone/node'), theirs, join(home, 'link/node')]) {
      assert.equal(find({ known, path: dirname(newer) }), newer, known);
      assert.equal(find({ known }), undefined, known);
    }
    assert.equal(find({ known: theirs, folder: join(home, 'work/other') }), theirs);
  });

  it('takes none that everybody can write to or put into its folder', () => {
    const file = putNode('open-file/node');
    const inside = putNode('open-folder/node');
    chmodSync(file, 0o757);
    chmodSync(dirname(inside), 0o777);
    for (const node of [file, inside]) {
      assert.equal(find({ path: dirname(node) }), undefined, node);
      assert.equal(find({ known: node }), undefined, node);
    }
    chmodSync(dirname(inside), 0o1777);
    assert.equal(find({ path: dirname(inside) }), inside);
  });

  it('takes none of another user', { skip: process.getuid?.() === 0 ? false : 'only root can make one' }, () => {
    const [file, inside] = [putNode('their-file/node'), putNode('their-folder/node')];
    chownSync(file, 12_345, 12_345);
    chownSync(dirname(inside), 12_345, 12_345);
    for (const node of [file, inside]) assert.equal(find({ path: dirname(node) }), undefined, node);
  });

  it('gives the real path of a folder that a link leads to', () => {
    const node = putNode('tools/v1/node');
    symlinkSync(dirname(node), join(home, 'tools/current'));
    assert.equal(find({ path: join(home, 'tools/current') }), node);
  });

  it('passes over what is broken, says nothing, or does not answer', () => {
    put('a/bin/node', 'exit 1');
    put('b/bin/node', 'echo no version is set >&2; exit 126');
    put('c/bin/node', `sleep 20; : >'${join(root, 'waited')}'`);
    mkdirSync(join(home, 'd/bin/node'), { recursive: true });
    writeFileSync(join(home, 'e'), 'no folder');
    const node = putNode('.nvm/versions/node/v9000.18.0/bin/node');
    const path = ['a/bin', 'b/bin', 'c/bin', 'd/bin', 'e'].map((name) => join(home, name)).join(':');
    assert.equal(find({ path: `${path}:/bin` }), node);
    assert.equal(existsSync(join(root, 'waited')), false);
  });
});
