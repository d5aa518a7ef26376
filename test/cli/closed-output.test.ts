import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeCall, makeFailure, makeSession, makeSignature } from '../contracts/store/make-samples.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

describe('a command whose reader has had enough', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveSessions([makeSession()]);
    const calls = Array.from({ length: 2_000 }, (_, n) =>
      makeFailure(makeSignature('gh'), { callId: `c${n}`, inputSummary: `gh ${'x'.repeat(200)} ${n}` }),
    );
    await store.saveCalls([...calls, makeCall({ callId: 'last' })], 'observed');
    await store.close();
  });
  after(() => shell.close());

  /** What it says to whoever still listens. */
  const runClosed = async (closed: 'stdout' | 'stderr', ...args: readonly string[]) => {
    const command = [join(ROOT, 'dist/cli.mjs'), ...args, '--home', shell.dataDir];
    const child = spawn(process.execPath, command, { env: shell.env, stdio: ['ignore', 'pipe', 'pipe'] });
    child[closed].destroy();
    const ended = once(child, 'close');
    const heard = await text(closed === 'stdout' ? child.stderr : child.stdout);
    const [code, signal] = await ended;
    return { heard, code, signal };
  };

  for (const args of [
    ['--help'],
    ['lessons', 'edit', '--help'],
    ['stats'],
    ['history', '--json'],
    ['failures', '--each', '--limit', '1000'],
    ['config', 'list'],
  ])
    it(`ends without a word: ${args.join(' ')}`, async () => {
      assert.deepEqual(await runClosed('stdout', ...args), { heard: '', code: 0, signal: null });
    });

  it('says in one line that nothing can be written, where its output is full', {
    skip: !existsSync('/dev/full'),
  }, async () => {
    for (const args of [['stats'], ['--help'], ['history', '--json'], ['failures', '--each', '--limit', '1000']]) {
      const full = openSync('/dev/full', 'w');
      const command = [join(ROOT, 'dist/cli.mjs'), ...args, '--home', shell.dataDir];
      const child = spawn(process.execPath, command, { env: shell.env, stdio: ['ignore', full, 'pipe'] });
      closeSync(full);
      const ended = once(child, 'close');
      const heard = await text(child.stderr ?? assert.fail());
      assert.match(heard, /the output[^\n]+could not be printed: the disk is full/, args.join(' '));
      assert.deepEqual(await ended, [1, null]);
    }
  });

  it('is refused all the same, without a word', async () => {
    assert.deepEqual(await runClosed('stderr', 'lessons', 'show', 'nothing'), { heard: '', code: 1, signal: null });
    assert.deepEqual(await runClosed('stderr', 'nonsense'), { heard: '', code: 2, signal: null });
  });

  it('does its work where only what is told beside is not read', async () => {
    const { heard, code } = await runClosed('stderr', 'scan', '--path', shell.home, '--agent', 'claude-code', '--json');
    assert.equal(code, 0);
    assert.equal(typeof JSON.parse(heard), 'object');
  });
});
