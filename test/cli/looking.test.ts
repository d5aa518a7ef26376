import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openShell, type Shell } from './open-shell.ts';

/** Commands that change nothing, with what they need to come as far as the store. */
const LOOKING = [
  ...['history', 'session', 'session --failures', 'session x', 'failures', 'findings', 'patterns', 'compliance'],
  ...['lessons list', 'lessons show x', 'lessons history x', 'lessons test x', 'lessons export', 'projects list'],
  ...['audit', 'backtest', 'review', 'forget --all --dry-run', 'forget --project x --dry-run', 'retention --dry-run'],
  ...['stats', 'deliveries', 'feedback x helpful', 'feedback dlv_x helpful'],
  ...['mute x', 'lessons edit x --priority 3', 'doctor', 'daemon status', 'config list'],
];

describe('a command that only looks', { timeout: 900_000 }, () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  for (const command of LOOKING)
    it(`makes no data directory where there is none: ${command}`, async () => {
      const home = join(shell.home, 'none');
      const { stdout, stderr } = await shell.run(command.split(' '), { home });
      assert.ok(!existsSync(home), command);
      assert.doesNotMatch(stdout + stderr, /internal error/);
    });

  it('makes nothing in a folder that is none', async () => {
    const home = join(shell.home, 'other');
    mkdirSync(home);
    const { stdout } = await shell.run(['sessions', 'history'], { home });
    assert.match(stdout, /^No calls are known/);
    assert.deepEqual(readdirSync(home), []);
  });
});
