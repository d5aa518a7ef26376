import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openPty } from '../cli/open-pty.ts';
import { openStory, type Story } from '../stories/open-story.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');

describe('how far lessons may go, when the hooks are installed', () => {
  let story: Story;
  beforeEach(async () => {
    story = await openStory({ install: false });
  });
  afterEach(() => story.close());

  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [CLI, 'install', 'claude-code', '--force', ...args], {
      ...{ env: story.env, cwd: story.project, encoding: 'utf8' },
    });
  const maxMode = () => story.cli('config', 'get', 'delivery.maxMode');
  /** Answers the question on a terminal; gives what was printed after it. */
  const answer = async (keys: string): Promise<void> => {
    const command = `'${process.execPath}' '${CLI}' install claude-code --force`;
    const pty = openPty(command, { cwd: story.project, env: { ...story.env, TERM: 'xterm' } });
    await pty.see('[y/N]');
    pty.type(keys);
    assert.equal(await pty.ended, 0);
  };

  it('is a note where nobody can be asked, and it says how to allow more', async () => {
    const { stdout, status } = run();
    assert.equal(status, 0);
    assert.match(stdout, /config set delivery\.maxMode pause/);
    assert.equal(existsSync(join(story.dataDir, 'config.jsonc')), false);
    assert.equal(await maxMode(), 'note');
  });

  it('is what the flags say', async () => {
    assert.match(run('--allow-pause').stdout, /config set delivery\.maxMode note/);
    assert.equal(await maxMode(), 'pause');
    assert.equal(
      ((await story.cli('install', 'claude-code', '--max-mode', 'rewrite')) as { maxMode: string }).maxMode,
      'rewrite',
    );
    assert.equal(await maxMode(), 'rewrite');
    await story.cli('install', 'claude-code', '--plugin', '--max-mode', 'note');
    assert.equal(await maxMode(), 'note');
  });

  it('installs nothing with flags that are wrong or at odds', () => {
    for (const args of [
      ['--max-mode', 'shout'],
      ['--allow-pause', '--max-mode', 'note'],
    ]) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2);
      assert.match(stderr, /next: /);
    }
    assert.equal(existsSync(join(story.home, '.claude')), false);
  });

  it('is asked on a terminal: no unless the person says yes, and only once', async () => {
    await answer('\r');
    assert.equal(await maxMode(), 'note');
    assert.match(run().stdout, /config set delivery\.maxMode pause/);
    await story.cli('config', 'unset', 'delivery.maxMode');
    await answer('y\r');
    assert.equal(await maxMode(), 'pause');
    const pty = openPty(`'${process.execPath}' '${CLI}' install claude-code --force`, {
      ...{ cwd: story.project, env: { ...story.env, TERM: 'xterm' } },
    });
    await pty.see('delivery.maxMode note');
    assert.equal(await pty.ended, 0);
  });
});
