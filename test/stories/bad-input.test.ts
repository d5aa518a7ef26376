/** Input that no agent should send, and clients that behave badly: silence, and the daemon goes on as if nothing was. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { openClient } from '../daemon/open-client.ts';
import { findPid, readCalls, settle } from './daemon-files.ts';
import { openStory, readHookCommand, type Story } from './open-story.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };
const LESSON = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with=--stat'];
const FIELDS = {
  session_id: 'bad',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_response: { stdout: 'x', stderr: '' },
};
const json = (fields: object) => JSON.stringify({ ...FIELDS, ...fields });

/** What is sent, and the call that may come of it. */
const INPUTS: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'no JSON': 'certainly not\n',
  'half of it': json({ tool_use_id: 'half' }).slice(0, -20),
  'another kind': '[1, 2, 3]',
  'binary bytes': Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)),
  'an unknown event': json({ hook_event_name: 'Daydream', tool_use_id: 'dream' }),
  'no session': json({ session_id: undefined, tool_use_id: 'nobody' }),
  'a session that is no text': json({ session_id: { a: 1 }, tool_use_id: 'nobody' }),
  'no tool': json({ tool_name: undefined, tool_use_id: 'toolless' }),
  'fields of other kinds': json({ tool_input: 7, tool_response: null, cwd: 12, tool_use_id: 3 }),
  'deep nesting': `{"session_id":"bad","tool_input":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
};

describe('bad input', { timeout: 900_000 }, () => {
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  let pid: number | undefined;
  before(async () => {
    story = await openStory();
    home = toDataHome(story.dataDir);
    await story.cli('lessons', 'add', ...LESSON);
    pid = findPid(home);
  });
  after(() => story.close());

  const send = (bytes: string | Buffer, env = {}) => story.send('PostToolUse', bytes, env);
  const ids = async () => {
    await settle(home);
    return new Set((await readCalls(home, 'bad')).map((call) => call.callId));
  };
  const isWell = async (id: string) => {
    assert.deepEqual(await send(json({ tool_use_id: id })), SILENT);
    assert.ok((await ids()).has(id), `${id} is stored`);
    assert.equal(findPid(home), pid, 'the same daemon answers');
  };

  it('is silence, with a daemon and without', async () => {
    for (const [what, bytes] of Object.entries(INPUTS)) {
      assert.deepEqual(await send(bytes), SILENT, what);
      assert.deepEqual(await send(bytes, { ONCEBITTEN_HOST: 'nowhere', ONCEBITTEN_NO_DAEMON: '1' }), SILENT, what);
    }
    await isWell('after-bad-input');
    for (const id of ['half', 'dream', 'nobody', 'toolless']) assert.ok(!(await ids()).has(id), id);
  });

  it('keeps what can be read of invalid UTF-8 and of NUL bytes', async () => {
    const withByte = (id: string, byte: number) =>
      Buffer.from(json({ tool_use_id: id, tool_response: { stdout: 'a\x01b', stderr: '' } })).map((one) =>
        one === 1 ? byte : one,
      );
    const text = (id: string, stdout: string) => json({ tool_use_id: id, tool_response: { stdout, stderr: '' } });
    assert.deepEqual(await send(text('nul', 'a\0b')), SILENT);
    assert.deepEqual(await send(text('surrogate', '\ud800')), SILENT);
    assert.deepEqual(await send(Buffer.from(withByte('latin-1', 0xe4))), SILENT);
    // No JSON any more: a bare NUL byte ends a payload.
    assert.deepEqual(await send(Buffer.from(withByte('bare-nul', 0))), SILENT);
    await isWell('after-bytes');
    for (const id of ['nul', 'surrogate', 'latin-1']) assert.ok((await ids()).has(id), id);
  });

  it('may have 50 MB, with a daemon and without', async () => {
    const huge = (id: string) =>
      json({ tool_use_id: id, tool_response: { stdout: 'y'.repeat(50_000_000), stderr: '' } });
    assert.deepEqual(await send(huge('huge-warm')), SILENT);
    const cold = { ONCEBITTEN_HOST: 'nowhere', ONCEBITTEN_NO_DAEMON: '1' };
    assert.deepEqual(await send(huge('huge-cold'), cold), SILENT);
    await isWell('after-50-mb');
    for (const id of ['huge-warm', 'huge-cold']) assert.ok((await ids()).has(id), id);
  });

  it('may come in crumbs, with pauses', async () => {
    const child = spawn('/bin/sh', ['-c', readHookCommand(story.home, 'PostToolUse')], { env: story.env });
    const bytes = Buffer.from(json({ tool_use_id: 'crumbs' }));
    for (let n = 0; n < bytes.length; n += 9) {
      child.stdin.write(bytes.subarray(n, n + 9));
      await sleep(20);
    }
    child.stdin.end();
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    assert.ok((await ids()).has('crumbs'));
  });

  it('is no reason to wait: clients that never speak, never listen or leave', async () => {
    const { port, ask } = readDoor();
    const silent = await Promise.all(Array.from({ length: 30 }, () => openClient(port)));
    for (let n = 0; n < 30; n++) {
      const client = await openClient(port);
      await client.send(`${ask} 1 claude-code PostToolUse -\n`, json({ tool_use_id: `vanish-${n}` }).slice(0, n * 10));
      client.socket.resetAndDestroy();
    }
    // The whole payload, and gone before the reply: it was told, so it is kept.
    const hasty = await openClient(port);
    await hasty.send(`${ask} 1 claude-code PostToolUse -\n`, `${json({ tool_use_id: 'hasty' })}\0`);
    hasty.socket.destroy();
    await isWell('after-clients');
    assert.ok((await ids()).has('hasty'));
    for (const { socket } of silent) socket.destroy();
  });

  it('of a reader that vanished costs no event, with a daemon and without', async () => {
    for (const [id, env] of [
      ['deaf-warm', {}],
      ['deaf-cold', { ONCEBITTEN_HOST: 'nowhere', ONCEBITTEN_NO_DAEMON: '1' }],
    ] as const) {
      const payload = { session_id: id, tool_use_id: id, tool_input: { command: 'gh pr diff 1 --stat' } };
      const child = spawn('/bin/sh', ['-c', readHookCommand(story.home, 'PreToolUse')], {
        env: { ...story.env, ...env },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child.stdout.destroy();
      child.stdin.end(JSON.stringify({ ...FIELDS, ...payload, hook_event_name: 'PreToolUse' }));
      const [code] = await once(child, 'close');
      assert.equal(code, 0);
      await settle(home);
      const { openSqliteStore } = await import('../../src/keep/store/engines/sqlite.ts');
      const store = await openSqliteStore(home.storeFile);
      assert.ok((await store.findSession('claude-code', id)) !== undefined, id);
      await store.close();
    }
  });

  function readDoor(): { port: number; ask: string } {
    const [port = '', ask = ''] = readFileSync(home.doorFile, 'utf8').trim().split(' ');
    return { port: Number(port), ask };
  }
});
