import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openPty } from './open-pty.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

const CTRL_C = '\x03';

describe('Ctrl+C at a question', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const open = (command: string, env: Readonly<Record<string, string>> = {}) => {
    const line = `'${process.execPath}' '${join(ROOT, 'dist/cli.mjs')}' ${command} --home '${shell.dataDir}'`;
    return openPty(line, { cwd: shell.home, env: { ...shell.env, TERM: 'xterm', ...env } });
  };

  it('ends a lesson that is being written, without a complaint', async () => {
    const pty = open('lessons add');
    await pty.see('The lesson in one line: ');
    pty.type(CTRL_C);
    assert.equal(await pty.ended, 130);
    assert.doesNotMatch(pty.shown(), /oncebitten:|no words/);
  });

  it('ends it at a later question too, and nothing is kept', async () => {
    const pty = open('lessons add');
    await pty.see('The lesson in one line: ');
    pty.type('use pnpm\r');
    await pty.see('What goes wrong');
    pty.type(CTRL_C);
    assert.equal(await pty.ended, 130);
    assert.deepEqual(await shell.list('lessons', 'list'), []);
  });

  it('ends an installation before anything is written', async () => {
    const pty = open('install claude-code --force');
    await pty.see('[y/N]');
    pty.type(CTRL_C);
    assert.equal(await pty.ended, 130);
    assert.doesNotMatch(pty.shown(), /Installed|oncebitten:/);
    assert.equal(existsSync(shell.dataDir), false);
    assert.equal(existsSync(join(shell.home, '.claude')), false);
  });

  it('ends it at its last question, too, and no answer is kept', async () => {
    cpSync(join(ROOT, 'samples/sessions'), join(shell.home, '.claude/projects'), { recursive: true });
    const [programs, PATH] = [join(shell.home, 'bin'), `${join(shell.home, 'bin')}:${shell.env.PATH}`];
    mkdirSync(programs);
    writeFileSync(join(programs, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
    const pty = open('install claude-code --force', { PATH });
    await pty.see('[y/N]');
    pty.type('y\r');
    await pty.see('May Oncebitten send');
    pty.type(CTRL_C);
    assert.equal(await pty.ended, 130);
    assert.equal(existsSync(shell.dataDir), false);
    assert.equal(existsSync(join(shell.home, '.claude/settings.json')), false);
  });
});

describe('a folder of ours that cannot be written', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
    mkdirSync(shell.dataDir);
    // Root may write into any folder: a file in its place stops everybody.
    writeFileSync(join(shell.dataDir, 'run'), '');
  });
  after(() => shell.close());

  for (const args of [['pause'], ['config', 'set', 'minScore', '0.9']])
    it(`is named by ${args.join(' ')}, which is no installation`, async () => {
      const { code, stderr } = await shell.run(args);
      assert.equal(code, 1);
      assert.match(stderr, /data\/run\/.*: cannot be written \(.*\); nothing was changed\n {2}next: .*--home/);
      assert.doesNotMatch(stderr, /installation/);
    });
});
