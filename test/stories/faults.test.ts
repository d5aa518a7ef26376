import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredCall } from '../../src/base/model/call.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const ended = (id: string) => ({
  session_id: 'faults',
  tool_name: 'Bash',
  tool_input: { command: `echo ${id}` },
  tool_use_id: id,
  tool_response: { stdout: id, stderr: '' },
});

const SILENT = { code: 0, stdout: '', stderr: '' };

describe('when things break', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
    await story.cli(
      'lessons',
      'add',
      '--summary',
      'no stat',
      '--fix',
      'use --name-only',
      '--program',
      'gh pr diff',
      '--with=--stat',
    );
  });
  after(() => story.close());

  const calls = async (): Promise<readonly StoredCall[]> => {
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    try {
      return await store.listCalls({ sessionId: 'faults' });
    } finally {
      await store.close();
    }
  };
  const ask = (session: string, env = {}) =>
    story.hook(
      'PreToolUse.Bash',
      { session_id: session, tool_name: 'Bash', tool_input: { command: 'gh pr diff 1 --stat' }, tool_use_id: 'x' },
      env,
    );

  it('kills of the daemon between two hook calls change nothing for the agent and lose no event', async () => {
    const told: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (const when of ['before', 'after']) {
        const id = `${round}-${when}`;
        told.push(id);
        assert.deepEqual(await story.hook('PostToolUse.Bash', ended(id)), SILENT);
        assert.match((await ask(`killed-${id}`)).stdout, /name-only/);
        const pid = await story.daemonPid();
        if (when === 'before' && pid !== undefined) process.kill(pid, 'SIGKILL');
      }
      await story.cli('daemon', 'start');
    }
    await story.settle();
    assert.deepEqual((await calls()).map((call) => call.callId).sort(), told.sort());
  });

  it('a daemon that hangs is left alone until it runs again, and nothing is lost meanwhile', async () => {
    await story.cli('daemon', 'start');
    const pid = (await story.daemonPid()) ?? assert.fail('no daemon');
    const listStalled = (): readonly string[] =>
      readdirSync(join(story.dataDir, 'run'), { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('stalled'),
      );
    process.kill(pid, 'SIGSTOP');
    try {
      assert.match((await ask('hangs-1')).stdout, /name-only/);
      assert.equal(listStalled().length, 1);
      assert.match((await ask('hangs-2')).stdout, /name-only/);
      assert.deepEqual(await story.hook('PostToolUse.Bash', ended('hangs')), SILENT);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await waitUntil('the daemon says that it runs', () => listStalled().length === 0);
    await waitUntil('what was told meanwhile is kept', async () =>
      (await calls()).some((call) => call.callId === 'hangs'),
    );
    assert.equal(await story.daemonPid(), pid);
  });

  it('brings the daemon back by itself', async () => {
    const pid = await story.daemonPid();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGKILL');
    // Another hook may have been about to start one when this died: then it is the next that does.
    await waitUntil('a hook brings the daemon back', async () => {
      await story.hook('PostToolUse.Bash', ended('wake-up'));
      // A second one, asked for before the first is up, would come when that is stopped.
      for (let tries = 0; tries < 30; tries++) {
        if ((await story.daemonPid()) !== undefined) return true;
        await sleep(100);
      }
      return false;
    });
    assert.notEqual(await story.daemonPid(), pid);
    await story.settle();
    assert.ok((await calls()).some((call) => call.callId === 'wake-up'));
  });

  it('answers the same without a daemon, and spools facts without any text', async () => {
    await story.cli('daemon', 'stop');
    const env = { ONCEBITTEN_NO_DAEMON: '1' };
    const warm = await ask('cold', env);
    assert.match(warm.stdout, /^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","additionalContext":/);
    assert.deepEqual(await ask('cold', env), SILENT);
    await story.hook(
      'PostToolUse.Bash',
      { ...ended('cold'), tool_input: { command: 'deploy --key hunter2-secret' } },
      env,
    );
    const spool = join(story.dataDir, 'spool');
    const names = readdirSync(spool);
    assert.ok(names.length >= 3);
    for (const name of names) assert.doesNotMatch(readFileSync(join(spool, name), 'utf8'), /hunter2|deploy/);
    await story.cli('daemon', 'start');
    await story.settle();
    assert.deepEqual(
      readdirSync(spool).filter((name) => name.endsWith('.fact')),
      [],
    );
    assert.ok((await calls()).some((call) => call.callId === 'cold'));
  });

  for (const daemon of ['with a daemon', 'without a daemon']) {
    it(`gives bad input silence and exit 0, ${daemon}`, async () => {
      if (daemon === 'without a daemon') await story.cli('daemon', 'stop');
      const env = { ONCEBITTEN_NO_DAEMON: '1' };
      const bad = [
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '{"session_id":7}',
        '{"hook_event_name":"PreToolUse"}',
        'not json at all\n',
        randomBytes(20_000),
        '{"a":'.repeat(50_000),
        Buffer.from([0, 0, 0]),
      ];
      for (const bytes of bad)
        assert.deepEqual(await story.send('PreToolUse', bytes, env), SILENT, String(bytes).slice(0, 40));
      await story.cli('daemon', 'start');
    });
  }

  it('takes payloads of megabytes and still answers', async () => {
    const big = {
      session_id: 'big',
      tool_name: 'Bash',
      tool_input: { command: 'gh pr diff 1 --stat', description: 'x'.repeat(8_000_000) },
      tool_use_id: 'big',
    };
    assert.match((await story.hook('PreToolUse.Bash', big)).stdout, /name-only/);
  });

  it('obeys the off switches', async () => {
    assert.deepEqual(await ask('off', { ONCEBITTEN_DISABLED: '1' }), SILENT);
    assert.deepEqual(await ask('off', { DISABLE_EXPERIENCE_INJECTION: '1' }), SILENT);
    assert.match((await ask('off')).stdout, /name-only/);
  });

  it('does nothing in an agent that we started, with or without a daemon', async () => {
    const child = { ONCEBITTEN_CHILD: '1' };
    assert.deepEqual(await ask('child', child), SILENT);
    assert.match((await ask('child')).stdout, /name-only/);
    await story.cli('daemon', 'stop');
    assert.deepEqual(await ask('other', child), SILENT);
    assert.deepEqual(await story.cli('daemon', 'status'), { running: false });
  });

  it('goes through when somebody else listens on the port, and tells them nothing but the first secret', async () => {
    const { createServer } = await import('node:net');
    const { writeFileSync } = await import('node:fs');
    await story.cli('daemon', 'stop');
    const heard: string[] = [];
    const stranger = createServer((socket) => {
      socket.on('data', (chunk) => heard.push(chunk.toString()));
      socket.on('error', () => {});
      socket.write('welcome\n');
    });
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    const { port } = stranger.address() as { port: number };
    const door = join(story.dataDir, 'run', (await import('node:os')).hostname(), 'door');
    writeFileSync(door, `${port} ask answer\n`);
    const answer = await ask('stranger', { ONCEBITTEN_NO_DAEMON: '1' });
    stranger.close();
    assert.match(answer.stdout, /name-only/);
    assert.deepEqual(
      heard.map((line) => line.trim()),
      ['ask 1 claude-code PreToolUse -'],
    );
  });

  it('lets the call through when everything of ours is gone', async () => {
    const { rmSync } = await import('node:fs');
    rmSync(join(story.dataDir, 'app'), { recursive: true });
    assert.deepEqual(await ask('gone', { ONCEBITTEN_NO_DAEMON: '1' }), SILENT);
    rmSync(join(story.dataDir, 'bin'), { recursive: true });
    assert.deepEqual(await ask('gone'), SILENT);
    assert.equal(existsSync(join(story.dataDir, 'bin')), false);
  });
});
