/** `npm pack` in a clone, then a global install of the tarball, then neither the clone nor the package is there any more. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type FoundNode, getNode } from '../get-node.ts';
import { stopDaemon } from '../stop-daemon.ts';
import { readHookCommand } from '../stories/open-story.ts';

const ROOT = join(import.meta.dirname, '../..');
const PARTS = [
  'src',
  'scripts',
  'samples',
  'plugin',
  'schemas',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
];
const NODE_20 = getNode(20);
const NODE_22 = getNode(22);
const toSkip = (...all: readonly FoundNode[]) =>
  all.map((one) => ('missing' in one ? one.missing : '')).join('') || false;
const toNode = (found: FoundNode) => ('node' in found ? found.node : '');

describe('a global install of the packed package', { timeout: 900_000 }, () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-global-')));
  const home = join(root, 'home');
  const clone = join(root, 'clone');
  const prefix = join(root, 'prefix');
  const project = join(root, 'project');
  const dist = join(prefix, 'lib/node_modules/oncebitten/dist');
  // Without what npm gives to the scripts that it runs, such as this test.
  const settings = { ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0', ONCEBITTEN_REPLY_DEADLINE_MS: '5000' };
  const env = { HOME: home, PATH: process.env.PATH ?? '', ...settings };

  const run = (program: string, args: readonly string[], options: { env?: object; cwd?: string } = {}) =>
    spawnSync(program, args, { encoding: 'utf8', cwd: project, ...options, env: { ...env, ...options.env } });
  const oncebitten = (args: readonly string[], path = env.PATH) =>
    run(join(prefix, 'bin/oncebitten'), args, { env: { PATH: path } });
  const json = <T>(...args: readonly string[]): T => {
    const { status, stdout, stderr } = oncebitten([...args, '--json']);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as T;
  };
  /** A PATH whose `node` is this one. */
  const toPath = (node: string): string => {
    const bin = join(mkdtempSync(join(root, 'bin-')));
    symlinkSync(node, join(bin, 'node'));
    return `${bin}:/usr/bin:/bin`;
  };

  before(() => {
    for (const dir of [home, clone, project]) mkdirSync(dir);
    for (const part of PARTS) cpSync(join(ROOT, part), join(clone, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    const packed = run('npm', ['pack', '--pack-destination', root, '--json'], { cwd: clone });
    assert.equal(packed.status, 0, packed.stderr);
    const [tarball] = Object.values(JSON.parse(packed.stdout)) as { filename: string }[];
    // Offline: the package needs no other.
    const installed = run('npm', ['i', '-g', '--prefix', prefix, '--offline', join(root, tarball?.filename ?? '')]);
    assert.equal(installed.status, 0, installed.stderr);
    rmSync(clone, { recursive: true });
  });
  after(async () => {
    await stopDaemon(join(home, '.oncebitten'));
    rmSync(root, { recursive: true, force: true });
  });

  it('brings no other package', () => {
    assert.equal(existsSync(join(dirname(dist), 'node_modules')), false);
  });

  it('learns from the samples', () => {
    const { sample, counts } = json<{ sample: boolean; counts: { lessons: number } }>('start');
    assert.equal(sample, true);
    assert.ok(counts.lessons > 0);
  });

  it('does the same on Node 22', { skip: toSkip(NODE_22) }, () => {
    const args = ['start', '--json', '--home', join(root, 'data22')];
    const { status, stdout, stderr } = oncebitten(args, toPath(toNode(NODE_22)));
    assert.equal(status, 0, stderr);
    const { counts } = JSON.parse(stdout) as { counts: { lessons: number } };
    assert.ok(counts.lessons > 0);
    oncebitten(['daemon', 'stop', '--home', join(root, 'data22')]);
  });

  it('on a machine with an old Node only says which Node it needs', { skip: toSkip(NODE_20) }, () => {
    const finder = join(dist, 'find-node');
    const before = join(root, 'find-node');
    cpSync(finder, before);
    writeFileSync(finder, 'exit 1\n');
    const { status, stdout, stderr } = oncebitten(['lessons', 'list'], toPath(toNode(NODE_20)));
    cpSync(before, finder);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /Node 20\.\d+\.\d+ .*is too old/);
    assert.match(stderr, /next: install Node 22\.18 or newer/);
  });

  it('on a machine whose PATH has an old Node runs with a newer one', { skip: toSkip(NODE_20, NODE_22) }, () => {
    const folder = join(home, '.nvm/versions/node/v22.99.0/bin');
    mkdirSync(folder, { recursive: true });
    cpSync(toNode(NODE_22), join(folder, 'node'));
    const { status, stderr } = oncebitten(['lessons', 'list', '--json'], toPath(toNode(NODE_20)));
    assert.equal(status, 0, stderr);
  });

  it('delivers a lesson, also when the package is gone', () => {
    json('install', 'claude-code', '--force');
    json('lessons', 'add', '--summary', 'names only', '--fix', 'gh pr diff --name-only', '--program', 'gh pr diff');
    const call = (session_id: string): string => {
      const fields = { cwd: project, transcript_path: join(root, 'none'), hook_event_name: 'PreToolUse' };
      const tool = { tool_name: 'Bash', tool_input: { command: 'gh pr diff 1 --stat' }, tool_use_id: session_id };
      const { stdout } = spawnSync('/bin/sh', ['-c', readHookCommand(home, 'PreToolUse')], {
        input: JSON.stringify({ session_id, ...fields, ...tool }),
        encoding: 'utf8',
        env,
        cwd: project,
      });
      return stdout;
    };
    assert.match(call('before'), /gh pr diff --name-only/);
    json('daemon', 'stop');
    rmSync(prefix, { recursive: true });
    assert.match(call('cold'), /gh pr diff --name-only/);
  });
});
