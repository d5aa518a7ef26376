/** Homes, clocks and crowds: what happens around a daemon that nobody asked it about. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { findPid, kill, readCalls, settle, spawnDaemon, waitUntil } from './daemon-files.ts';
import { openStory, readHookCommand, type Story } from './open-story.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };
const COLD = { ONCEBITTEN_NO_DAEMON: '1' };
const CLOCK = join(import.meta.dirname, 'clock-shifter.ts');
const CROWD = 50;
const LESSON = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with=--stat'];

describe('around the daemon', { timeout: 900_000 }, () => {
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  beforeEach(async () => {
    story = await openStory();
    home = toDataHome(story.dataDir);
    await story.cli('lessons', 'add', ...LESSON);
  });
  afterEach(() => story.close());

  const tell = (id: string, env = {}) => story.hook('PostToolUse.Bash', { session_id: 'home', tool_use_id: id }, env);
  const ask = (session: string, id = 'x', env = {}) => {
    const payload = { session_id: session, tool_use_id: id, tool_input: { command: 'gh pr diff 1 --stat' } };
    return story.hook('PreToolUse.Bash', payload, env);
  };
  const ids = async () => (await readCalls(home, 'home')).map((call) => call.callId).sort();
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('ends when its data directory is removed, and leaves none behind', async () => {
    const pid = findPid(home) ?? 0;
    // Its worker may still be opening the store, which makes the folder.
    await settle(home);
    rmSync(story.dataDir, { recursive: true, maxRetries: 5 });
    assert.deepEqual(await tell('gone'), SILENT);
    await waitUntil('the daemon ends', () => !isAlive(pid));
    assert.equal(existsSync(story.dataDir), false);
    assert.deepEqual(await tell('gone'), SILENT);
  });

  it('makes way when its data directory is made anew, and touches nothing in it', async () => {
    const pid = findPid(home) ?? 0;
    rmSync(story.dataDir, { recursive: true, maxRetries: 5 });
    await story.cli('daemon', 'start');
    await waitUntil('the old daemon ends', () => !isAlive(pid));
    const next = findPid(home);
    assert.ok(next !== undefined && next !== pid);
    assert.deepEqual(await tell('anew'), SILENT);
    await settle(home);
    assert.deepEqual(await ids(), ['anew']);
    assert.equal((await askDaemon<{ pid: number }>(home, 'status'))?.pid, next);
  });

  it('hears agents whose working directory is gone, and those without git', async () => {
    const bin = join(story.home, 'bin');
    mkdirSync(bin);
    for (const name of ['cat', 'sh', 'bash', 'rmdir', 'mkdir']) symlinkSync(`/bin/${name}`, join(bin, name));
    const command = readHookCommand(story.home, 'PostToolUse');
    const goneDir = join(story.home, 'gone');
    const run = async (id: string, env = {}) => {
      const payload = JSON.stringify({
        session_id: 'home',
        cwd: goneDir,
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: { stdout: '' },
        tool_use_id: id,
      });
      const script = `mkdir ${goneDir} && cd ${goneDir} && rmdir ${goneDir} && ${command}`;
      const child = spawn('/bin/sh', ['-c', script], { env: { ...story.env, PATH: bin, ...env } });
      let stdout = '';
      child.stdout.on('data', (chunk) => (stdout += chunk));
      child.stdin.end(payload);
      const code = await new Promise((done) => child.once('close', done));
      assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    };
    await run('warm');
    await story.cli('daemon', 'stop');
    await run('cold', COLD);
    await run('starts');
    await waitUntil('the hook starts a daemon', () => findPid(home) !== undefined);
    await settle(home);
    assert.deepEqual(await ids(), ['cold', 'starts', 'warm']);
  });

  it('goes on when the clock goes back', async () => {
    await story.cli('daemon', 'stop');
    const daemon = spawnDaemon(home, { node: ['--import', CLOCK], env: story.env });
    await waitUntil('it answers', async () => (await askDaemon(home, 'status')) !== undefined);
    await tell('today');
    assert.match((await ask('clock')).stdout, /name-only/);
    kill(daemon.pid, 'SIGUSR2');
    await tell('yesterday');
    assert.deepEqual(await ask('clock'), SILENT, 'once, whatever the time');
    await settle(home);
    assert.deepEqual(await ids(), ['today', 'yesterday']);
    assert.equal(findPid(home), daemon.pid);
    // A start that is noted for tomorrow does not keep the next daemon away until then.
    kill(daemon.pid);
    await daemon.ended;
    const tomorrow = new Date(Date.now() + 86_400_000);
    writeFileSync(home.startingFile, '');
    utimesSync(home.startingFile, tomorrow, tomorrow);
    await tell('wakes');
    await waitUntil('the hook starts a daemon', async () => (await askDaemon(home, 'status')) !== undefined);
    await settle(home);
    assert.deepEqual(await ids(), ['today', 'wakes', 'yesterday']);
  });

  for (const daemon of ['with a daemon', 'without one']) {
    it(`hears ${CROWD} hooks at once and tells one of them, ${daemon}`, async () => {
      if (daemon === 'without one') await story.cli('daemon', 'stop');
      const crowd = Array.from({ length: CROWD }, (_, n) => n);
      const asked = await Promise.all(crowd.map((n) => ask('crowd', `ask-${n}`)));
      assert.equal(asked.filter(({ stdout }) => stdout.includes('name-only')).length, 1);
      assert.deepEqual([...new Set(asked.map(({ code, stderr }) => `${code}${stderr}`))], ['0']);
      const told = await Promise.all(crowd.map((n) => tell(`tell-${n}`)));
      assert.deepEqual(told, Array(CROWD).fill(SILENT));
      await story.cli('daemon', 'start');
      await settle(home);
      assert.deepEqual(await ids(), crowd.map((n) => `tell-${n}`).sort());
    });
  }

  it('is one, however many are started', async () => {
    await story.cli('daemon', 'stop');
    const daemons = Array.from({ length: 5 }, () => spawnDaemon(home, { env: story.env }));
    await waitUntil('one answers', async () => (await askDaemon(home, 'status')) !== undefined);
    const pid = findPid(home);
    await Promise.all(daemons.filter((one) => one.pid !== pid).map((one) => one.ended));
    assert.equal(daemons.filter((one) => isAlive(one.pid)).length, 1);
  });

  it('is one, and the hooks are there once, when installations race with it', async () => {
    await story.cli('daemon', 'stop');
    await story.cli('uninstall', 'claude-code');
    const install = ['install', 'claude-code', '--force'];
    await Promise.all([story.cli(...install), story.cli(...install), story.cli('daemon', 'start')]);
    await tell('raced');
    await settle(home);
    assert.deepEqual(await ids(), ['raced']);
    const { checks } = (await story.cli('doctor').catch(({ stdout }) => JSON.parse(stdout))) as {
      checks: { name: string; state: string }[];
    };
    assert.deepEqual(
      checks.filter((check) => check.state === 'bad'),
      [],
    );
  });
});
