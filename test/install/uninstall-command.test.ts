import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openShell } from '../cli/open-shell.ts';
import { openStory, type Story } from '../stories/open-story.ts';

interface Uninstalled {
  readonly restored: string;
  readonly daemon: string;
  readonly stillIn: readonly string[];
}

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');

describe('uninstall', () => {
  let story: Story;
  beforeEach(async () => {
    story = await openStory();
  });
  afterEach(() => story.close());

  const uninstall = (...args: readonly string[]) =>
    story.cli('uninstall', 'claude-code', ...args) as Promise<Uninstalled>;
  const say = (...args: readonly string[]) =>
    spawnSync(process.execPath, [CLI, ...args], { env: story.env, cwd: story.project, encoding: 'utf8' });
  const ownSettings = () => join(story.home, '.claude/settings.json');

  it('asks the daemon to end with the last hooks, and says so and how to remove what is left', async () => {
    const { status, stdout } = say('uninstall', 'claude-code');
    assert.equal(status, 0);
    assert.match(stdout, /the daemon was stopped/);
    assert.ok(stdout.includes(`rm -r ${story.dataDir}`), stdout);
    assert.equal(await story.daemonPid(), undefined);
  });

  it('takes our command out of the sessions of the agent', async () => {
    const file = join(story.home, '.claude/commands/oncebitten/learn.md');
    assert.ok(existsSync(file));
    const { stdout } = say('uninstall', 'claude-code');
    assert.ok(stdout.includes(`\n  ${file}\n`), stdout);
    assert.ok(!existsSync(file));
  });

  it('does the same again when it is asked again', async () => {
    assert.deepEqual(toEnd(await uninstall()), { restored: 'deleted', daemon: 'stopped', stillIn: [] });
    assert.deepEqual(toEnd(await uninstall()), { restored: 'nothing', daemon: 'not running', stillIn: [] });
  });

  it('leaves the daemon to the hooks in the settings of the user', async () => {
    await story.cli('install', 'claude-code', '--project');
    const { daemon, stillIn } = await uninstall('--project');
    assert.deepEqual([daemon, stillIn], ['goes on', [ownSettings()]]);
    assert.notEqual(await story.daemonPid(), undefined);
  });

  it('leaves the daemon to the hooks in a project that is elsewhere', async () => {
    const other = join(story.home, 'other');
    mkdirSync(other);
    await story.cli('install', 'claude-code', '--project', other);
    const { stdout } = say('uninstall', 'claude-code');
    assert.match(stdout, /The daemon keeps running.*Claude Code \(.*other\/\.claude\/settings\.local\.json\)/);
    assert.notEqual(await story.daemonPid(), undefined);
    assert.equal((await uninstall('--project', other)).daemon, 'stopped');
  });

  it('leaves the daemon to the plugin', async () => {
    await uninstall();
    await story.cli('daemon', 'start');
    mkdirSync(join(story.home, '.claude'), { recursive: true });
    writeFileSync(ownSettings(), '{ "enabledPlugins": { "oncebitten@oncebitten": true } }');
    const { daemon, stillIn } = await uninstall();
    assert.deepEqual([daemon, stillIn], ['goes on', ['as a plugin']]);
  });

  it('stops its own daemon where the hooks that are left start another one', async () => {
    const other = join(story.home, 'other-data');
    await story.cli('install', 'claude-code', '--home', other);
    try {
      assert.equal((await uninstall('--project')).daemon, 'stopped');
    } finally {
      await story.cli('daemon', 'stop', '--home', other);
    }
  });
});

describe('install of an agent without hooks of ours', () => {
  it('says so, and what can be installed', async () => {
    const shell = openShell();
    try {
      const { code, stderr } = await shell.run(['install', 'vscode']);
      assert.equal(code, 2);
      assert.match(stderr, /agent vscode: has no hooks of Oncebitten/);
      assert.match(stderr, /agents with hooks: claude-code, codex/);
      assert.match((await shell.run(['install', 'nobody'])).stderr, /agent nobody: /);
    } finally {
      await shell.close();
    }
  });
});

function toEnd({ restored, daemon, stillIn }: Uninstalled): Uninstalled {
  return { restored, daemon, stillIn };
}
