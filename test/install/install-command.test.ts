import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Lesson, toLevel } from '../../src/base/model/lesson.ts';
import { runCli } from '../run-cli.ts';
import { stopDaemon } from '../stop-daemon.ts';
import { openStory, type Story } from '../stories/open-story.ts';

interface Installed {
  readonly scope: string;
  readonly settingsFile: string;
  readonly git?: string;
  readonly restored?: string;
}

describe('install', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
  });
  after(() => story.close());

  const install = (...args: readonly string[]) => story.cli('install', 'claude-code', ...args) as Promise<Installed>;
  const refuse = (...args: readonly string[]): Promise<void> =>
    assert.rejects(install(...args), (error: { stderr?: string }) => {
      assert.match(error.stderr ?? '', /does not seem to be installed[\s\S]*"next":".*--force/);
      return true;
    });
  const git = (...args: readonly string[]) => spawnSync('git', ['-C', story.project, ...args], { env: story.env });

  it('refuses where there is no such agent, and leaves nothing behind', async () => {
    await refuse();
    await refuse('--project');
    await refuse('--plugin');
    assert.deepEqual(readdirSync(story.home), ['project']);
    assert.deepEqual(readdirSync(story.project), []);
  });

  it('takes the program on the PATH, or the folder it made, for the agent', async () => {
    const bin = join(story.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\n');
    const cli = join(import.meta.dirname, '../../dist/cli.mjs');
    const env = { ...story.env, PATH: `${bin}:${story.env.PATH}` };
    const run = () => spawnSync(process.execPath, [cli, 'install', 'claude-code'], { env, encoding: 'utf8' });
    assert.equal(run().status, 1, 'a file that cannot be run is no program');
    chmodSync(join(bin, 'claude'), 0o755);
    assert.equal(run().status, 0);
    assert.equal((await install()).scope, 'user');
    await story.cli('uninstall', 'claude-code');
  });

  it('shows with --dry-run what it would do, byte for byte, and does nothing', async () => {
    const home = mkdtempSync(join(story.home, 'dry-'));
    const settingsFile = join(home, '.claude/settings.json');
    mkdirSync(join(home, '.claude'));
    writeFileSync(settingsFile, '{\n  "model": "opus"\n}\n');
    const cli = join(import.meta.dirname, '../../dist/cli.mjs');
    const env = { ...story.env, HOME: home };
    const run = (...args: readonly string[]) => {
      const { status, stdout } = spawnSync(process.execPath, [cli, 'install', 'claude-code', ...args, '--json'], {
        env,
      });
      assert.equal(status, 0);
      return JSON.parse(stdout.toString());
    };
    const planned = run('--dry-run', '--max-mode', 'pause');
    assert.deepEqual(readdirSync(home, { recursive: true }).sort(), ['.claude', '.claude/settings.json']);
    assert.equal(readFileSync(settingsFile, 'utf8'), '{\n  "model": "opus"\n}\n');
    const { dryRun, scope, maxMode, changed, added } = planned;
    assert.deepEqual(
      [dryRun, scope, maxMode, changed, planned.settingsFile],
      [true, 'user', 'pause', true, settingsFile],
    );
    run('--dry-run', '--plugin');
    assert.deepEqual(readdirSync(home), ['.claude']);
    const installed = run('--max-mode', 'pause');
    assert.deepEqual(installed.added, added);
    const come = planned.diff.split('\n').slice(3);
    const lines = come.filter((line: string) => !line.startsWith('-')).map((line: string) => `${line.slice(1)}\n`);
    assert.equal(readFileSync(settingsFile, 'utf8'), lines.join(''));
    assert.deepEqual([run('--dry-run').changed, run('--dry-run').diff], [false, '']);
    await stopDaemon(join(home, '.oncebitten'));
  });

  it('names the lessons that may be withheld to measure them', async () => {
    const add = async (...args: readonly string[]) =>
      ((await story.cli('lessons', 'add', '--summary', 's', '--program', 'own', ...args)) as Lesson).slug;
    const own = await add();
    await story.cli('scan', '--path', join(import.meta.dirname, '../../samples/sessions'));
    const { items } = (await story.cli('lessons', 'list', '--all')) as { items: readonly Lesson[] };
    const learned = items.filter(({ status, origin }) => status === 'active' && origin.kind !== 'user');
    const expected = learned.filter(({ priority }) => toLevel(priority) !== 'CRITICAL').map(({ slug }) => slug);
    const { holdout } = (await install('--force')) as unknown as { holdout: { share: number; lessons: string[] } };
    assert.equal(holdout.share, 0.1);
    assert.ok(expected.length > 0 && !holdout.lessons.includes(own));
    assert.deepEqual(holdout.lessons.toSorted(), expected.toSorted());
    const words = ['install', 'claude-code', '--force', '--dry-run'];
    const { stdout } = await runCli({ words, cwd: story.project, env: story.env });
    assert.match(stdout, /after it was shown 5 times; until then, it is always shown/);
    assert.doesNotMatch(stdout, /may withhold/);
    await story.cli('config', 'set', 'holdout.share', '0');
    const off = (await install('--force', '--dry-run')) as unknown as { holdout: { lessons: string[] } };
    assert.deepEqual(off.holdout.lessons, []);
    await story.cli('uninstall', 'claude-code');
  });

  it('writes into the settings of a project that are one person’s own, and takes itself out again', async () => {
    mkdirSync(join(story.project, '.claude'));
    const shared = join(story.project, '.claude/settings.json');
    writeFileSync(shared, '{ "model": "opus" }\n');
    const { scope, settingsFile } = await install('--force', '--project');
    assert.deepEqual([scope, settingsFile], ['project', join(story.project, '.claude/settings.local.json')]);
    assert.match(readFileSync(settingsFile, 'utf8'), /\.oncebitten\/bin\/hook/);
    assert.equal(readFileSync(shared, 'utf8'), '{ "model": "opus" }\n');
    const off = (await story.cli('uninstall', 'claude-code', '--project')) as Installed;
    assert.deepEqual([off.scope, off.settingsFile, off.restored], ['project', settingsFile, 'deleted']);
    assert.deepEqual(readdirSync(join(story.project, '.claude')), ['settings.json']);
  });

  it('takes a folder by name, and refuses one that is not there', async () => {
    const { settingsFile } = await install('--force', '--project', story.project);
    assert.equal(settingsFile, join(story.project, '.claude/settings.local.json'));
    await story.cli('uninstall', 'claude-code', '--project', story.project);
    await assert.rejects(install('--force', '--project', 'nowhere'), /is not a folder/);
  });

  it('says when git would show those settings to others', async () => {
    git('init', '-q');
    assert.equal((await install('--force', '--project')).git, 'visible');
    writeFileSync(join(story.project, '.git/info/exclude'), '.claude/settings.local.json\n');
    assert.equal((await install('--force', '--project')).git, 'ignored');
    await story.cli('uninstall', 'claude-code', '--project');
  });

  it('says when the agent runs no hooks at all, and names the data directory in its hints', async () => {
    const settings = join(story.home, '.claude/settings.json');
    mkdirSync(join(story.home, '.claude'), { recursive: true });
    writeFileSync(settings, '{ "disableAllHooks": true }\n');
    const cli = join(import.meta.dirname, '../../dist/cli.mjs');
    const args = [cli, 'install', 'claude-code', '--home', story.dataDir];
    const { stdout } = spawnSync(process.execPath, args, { env: story.env, cwd: story.project, encoding: 'utf8' });
    assert.match(stdout, /BUT "disableAllHooks" in .*settings\.json keeps the hooks of Oncebitten from running/);
    assert.ok(stdout.includes(`Check: oncebitten doctor --home ${story.dataDir}`), stdout);
    await story.cli('uninstall', 'claude-code');
    rmSync(settings);
  });

  it('makes the plugin ready and changes no settings', async () => {
    const plugin = (await install('--force', '--plugin')) as unknown as { pluginDir: string; load: { once: string[] } };
    assert.deepEqual(plugin.load.once, [`claude --plugin-dir ${plugin.pluginDir}`]);
    assert.ok(existsSync(join(plugin.pluginDir, 'hooks/hooks.json')));
    assert.ok(existsSync(join(plugin.pluginDir, 'commands/learn.md')));
    assert.ok(existsSync(join(plugin.pluginDir, 'skills/look-up/SKILL.md')));
    assert.ok(!existsSync(join(story.home, '.claude/settings.json')));
    assert.ok(existsSync(join(story.dataDir, 'bin/hook')));
  });
});
