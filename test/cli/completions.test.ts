import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { openShell, type Shell } from './open-shell.ts';

describe('completions', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  it('offer commands, then the commands below them, then options, in bash', async () => {
    const { script } = await shell.json<{ readonly script: string }>('completions', 'bash');
    const complete = (...words: readonly string[]): readonly string[] => {
      const typed = ['oncebitten', ...words].map((word) => `'${word}'`).join(' ');
      const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _oncebitten; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
        .trim()
        .split('\n');
    };
    assert.deepEqual(complete('st'), ['start', 'stats']);
    assert.deepEqual(complete('lessons', 'prom'), ['promote']);
    assert.deepEqual(complete('lessons', 'promote', 'ap'), ['approve', 'apply']);
    assert.deepEqual(complete('--json', 'install', 'some-agent', '--dry'), ['--dry-run']);
  });

  it('are there for zsh and fish, with the help of each word', async () => {
    for (const name of ['zsh', 'fish']) {
      const { script } = await shell.json<{ readonly script: string }>('completions', name);
      assert.match(script, /--dry-run|dry-run/);
      assert.match(script, /Begin here/);
    }
  });

  it('of an unknown shell are refused with the names of the known ones', async () => {
    const { code, stderr } = await shell.run(['completions', 'tcsh']);
    assert.equal(code, 2);
    assert.match(stderr, /bash, zsh, fish/);
  });
});
