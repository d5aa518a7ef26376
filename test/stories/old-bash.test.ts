/**
 * The shim in bash 3.2, which macOS has. It runs where `ONCEBITTEN_OLD_BASH` names such a bash; elsewhere
 * `test/boundary/shells.test.ts` looks for words that are newer.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openStory, type Story } from './open-story.ts';

const OLD_BASH = process.env.ONCEBITTEN_OLD_BASH;

describe('the shim in an old bash', { skip: OLD_BASH === undefined }, () => {
  let story: Story;
  let calls = 0;
  const ask = (command: string) =>
    story.hook('PreToolUse.Bash', {
      ...{ session_id: `s${++calls}`, tool_name: 'Bash', tool_use_id: `c${calls}` },
      tool_input: { command, description: 'x' },
    });
  const assertNote = async (command: string): Promise<void> => {
    const { code, stdout, stderr } = await ask(command);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(JSON.parse(stdout).hookSpecificOutput.additionalContext, /leave out --fast/);
  };
  const assertSilent = async (command: string): Promise<void> =>
    assert.deepEqual(await ask(command), { code: 0, stdout: '', stderr: '' });
  const hookFile = () => join(story.dataDir, 'bin', 'hook');

  before(async () => {
    story = await openStory();
    await story.cli('config', 'set', 'holdout.share', '0');
    const words = ['--summary', 'shipit has no --fast', '--fix', 'leave out --fast'];
    await story.cli('lessons', 'add', ...words, '--program', 'shipit', '--with', '--fast');
    await story.cli('daemon', 'start');
    writeFileSync(hookFile(), readFileSync(hookFile(), 'utf8').replace(/^#!.*/, `#!${OLD_BASH} -p`));
  });
  after(() => story.close());

  it('asks the daemon', async () => {
    await assertNote('shipit --fast');
    await assertSilent('shipit --slow');
  });

  it('hands over a long payload', async () => {
    await assertNote(`shipit --fast '${'x'.repeat(200_000)}'`);
  });

  it('waits a second for a daemon that hangs, and then leaves it alone', async () => {
    const pid = (await story.daemonPid()) ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      await ask('shipit --slow');
      assert.ok(existsSync(join(story.dataDir, 'run', hostname(), 'stalled')), 'the daemon is marked');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('runs hook.cjs when there is no daemon', async () => {
    await story.cli('daemon', 'stop');
    await assertNote('shipit --fast web');
    await story.cli('daemon', 'stop');
  });

  it('is silent when its programs are gone', async () => {
    const app = join(story.dataDir, 'app');
    renameSync(app, `${app}-away`);
    await assertSilent('shipit --fast api');
    renameSync(`${app}-away`, app);
    rmSync(hookFile());
    await assertSilent('shipit --fast api');
  });
});
