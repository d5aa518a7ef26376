/** A daemon that runs but does not answer: nobody waits for it for long, and who asks is told which process it is. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRegistration } from '../../src/surfaces/daemon/ask-daemon.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { openStdio, type TestClient } from '../mcp/open-client.ts';

/** Clients of MCP wait for 60 s, and no person should wait longer. */
const PATIENCE_MS = 60_000;

const stateOf = (pid: number): string => {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    return 'gone';
  }
};

describe('a daemon that does not answer', { timeout: 600_000, skip: process.platform !== 'linux' }, () => {
  let shell: Shell;
  let client: TestClient;
  let pid = 0;
  before(async () => {
    shell = openShell();
    mkdirSync(join(shell.home, '.claude'));
    client = await openStdio(shell);
    ({ pid } = await shell.json<{ readonly pid: number }>('daemon', 'start'));
    process.kill(pid, 'SIGSTOP');
    while (stateOf(pid) !== 'T') await sleep(20);
  });
  after(async () => {
    if (stateOf(pid) === 'T') process.kill(pid, 'SIGKILL');
    await client.close();
    await shell.close();
  });

  const registrationFile = () => join(shell.runDir, 'daemon.json');
  const run = async (...words: readonly string[]) => {
    const begun = performance.now();
    const output = await shell.run(words);
    assert.ok(performance.now() - begun < PATIENCE_MS, words.join(' '));
    return output;
  };

  it('keeps no command waiting, and is named', async () => {
    const status = run('daemon', 'status');
    const all = await Promise.all([run('daemon', 'start'), run('install', 'claude-code')]);
    for (const { code, stderr } of all) {
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`process ${pid} does not answer[^]*oncebitten daemon stop`));
    }
    assert.match((await status).stdout, new RegExp(`does not answer: process ${pid}`));
  });

  it('keeps no client waiting, and its report is stored once if it is sent again', async () => {
    const begun = performance.now();
    const report = { action: 'tool_outcome', session_id: 'silent-1', tool: 'shell', command: 'x', outcome: 'failure' };
    const { isError, value } = await client.call('memory_capture', report);
    assert.ok(performance.now() - begun < PATIENCE_MS);
    const { reason = '', next = '' } = value.error as { readonly reason?: string; readonly next?: string };
    assert.ok(isError);
    assert.equal(reason, `process ${pid} does not answer`);
    assert.match(next, /again with call_id out_/);
    const status = await client.call('memory_capture', { action: 'status' });
    assert.equal(status.value.daemon, `process ${pid} does not answer`);
  });

  it('is not ended if another process is registered', async () => {
    const registration = readFileSync(registrationFile(), 'utf8');
    writeFileSync(registrationFile(), JSON.stringify({ ...JSON.parse(registration), pid: process.pid }));
    const { code, stderr } = await run('daemon', 'stop');
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`process ${pid} does not answer[^]*kill -9 ${pid}`));
    assert.equal(stateOf(pid), 'T');
    writeFileSync(registrationFile(), registration);
  });

  it('is ended by `daemon stop`, and another can start', async () => {
    const { code, stdout } = await run('daemon', 'stop');
    assert.deepEqual(
      [code, stdout.trim()],
      [0, 'The daemon did not answer, so its process was ended. The next daemon continues its work.'],
    );
    assert.ok(['gone', 'Z'].includes(stateOf(pid)));
    assert.equal((await run('daemon', 'start')).code, 0);
    assert.notEqual(readRegistration(registrationFile())?.pid, pid);
  });
});
