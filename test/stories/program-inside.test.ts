/** Our program inside an agent's own process: it tells and asks the daemon over one connection, and fails open. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { openLine } from '../../src/surfaces/hook/open-line.ts';
import { openStory, type Story } from './open-story.ts';
import { loadPlugin, type PluginHooks } from './opencode-plugin.ts';

const AGENT = 'opencode';

describe('a plugin in OpenCode', () => {
  let story: Story;
  let hooks: PluginHooks;
  let toasts: string[];
  let calls = 0;
  before(async () => {
    story = await openStory({ install: false });
    await story.cli('install', AGENT, '--force', '--max-mode', 'rewrite');
    await teach('--old', 'note');
    await teach('--wild', 'pause');
    await story.cli('daemon', 'start');
    hooks = await load();
  });
  after(() => story.close());

  const teach = async (option: string, mode: string): Promise<void> => {
    const words = ['--summary', `ship has no ${option}`, '--fix', 'ship --new', '--program', 'ship', '--with', option];
    const { slug } = (await story.cli('lessons', 'add', ...words)) as { readonly slug: string };
    await story.cli('lessons', 'edit', slug, '--mode', mode);
  };

  const load = (): Promise<PluginHooks> => {
    toasts = [];
    return loadPlugin(story, (message) => toasts.push(message));
  };

  const toCall = (sessionID: string, command: string) => ({
    input: { tool: 'bash', sessionID, callID: `call_${++calls}` },
    args: { command },
  });
  const run = async (sessionID: string, command: string, exit = 0): Promise<string> => {
    const { input, args } = toCall(sessionID, command);
    await hooks['tool.execute.before']?.(input, { args });
    const output = { title: '', output: 'printed', metadata: { exit, output: 'printed' } };
    await hooks['tool.execute.after']?.({ ...input, args }, output);
    return output.output;
  };
  const listOutcomes = async (): Promise<readonly string[]> => {
    await story.settle();
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    try {
      return (await store.listCalls({})).map(({ agent, tool, outcome }) => `${agent} ${tool} ${outcome}`).sort();
    } finally {
      await store.close();
    }
  };

  it('adds a lesson to the result of the call, once in a session', async () => {
    assert.match(await run('one', 'ship --old'), /^printed\n\n[\s\S]*ship has no --old/);
    assert.equal(await run('one', 'ship --old'), 'printed');
    assert.match(await run('two', 'ship --old'), /ship has no --old/);
    assert.equal(await run('two', 'ls'), 'printed');
  });

  it('refuses a paused call with the lesson, tells the user, and lets the repeated call run', async () => {
    const { input, args } = toCall('one', 'ship --wild');
    await assert.rejects(async () => hooks['tool.execute.before']?.(input, { args }), /ship has no --wild/);
    assert.equal(toasts.length, 1);
    assert.equal(await run('one', 'ship --wild'), 'printed');
  });

  it('reports a call that failed in the tool, from the event bus, once', async () => {
    const state = { status: 'error', input: { filePath: '/none' }, error: 'File not found: /none' };
    const part = { type: 'tool', tool: 'read', sessionID: 'one', callID: 'call_failed', state };
    const properties = { part };
    for (const _ of [1, 2]) await hooks.event?.({ event: { type: 'message.part.updated', properties } }, {});
    await sleep(200);
    const rows = await listOutcomes();
    assert.equal(rows.filter((row) => row === 'opencode read failure').length, 1);
  });

  it('records what each call came to', async () => {
    await run('three', 'ship --broken', 3);
    assert.ok((await listOutcomes()).includes('opencode shell failure'));
  });

  it('uses one connection for all events', async () => {
    const line = openLine({ home: story.dataDir, agentId: AGENT, env: story.env });
    const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const asks = Array.from({ length: 50 }, (_, n) => line.ask('session-idle', { sessionID: `s${n}` }));
    assert.deepEqual(await Promise.all(asks), Array(50).fill(''));
    assert.ok(process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length - before <= 1);
  });

  it('still delivers without the daemon, by way of the hook, and connects again later', async () => {
    await story.cli('daemon', 'stop');
    process.env.ONCEBITTEN_NO_DAEMON = '1';
    try {
      assert.match(await run('four', 'ship --old'), /ship has no --old/);
    } finally {
      delete process.env.ONCEBITTEN_NO_DAEMON;
    }
    await story.cli('daemon', 'start');
    assert.match(await run('five', 'ship --old'), /ship has no --old/);
  });

  it('leaves every call alone where Oncebitten is gone', async () => {
    await story.cli('daemon', 'stop');
    const hookFile = join(story.dataDir, 'bin/hook');
    const own = readFileSync(hookFile);
    rmSync(hookFile);
    assert.equal(await run('six', 'ship --old'), 'printed');
    rmSync(join(story.dataDir, 'bin/program.mjs'));
    assert.deepEqual(Object.keys(await load()), []);
    writeFileSync(hookFile, own, { mode: 0o755 });
  });

  it('is proved by doctor, with and without the daemon, and goes without a trace', async () => {
    await story.cli('daemon', 'start');
    const { checks } = (await story.cli('doctor')) as { readonly checks: readonly { name: string; state: string }[] };
    const proofs = checks.filter(({ name }) => name.includes('to OpenCode'));
    assert.deepEqual(
      proofs.map(({ state }) => state),
      ['ok', 'ok', 'ok'],
      JSON.stringify(proofs),
    );
    assert.deepEqual(((await story.cli('install', AGENT, '--force')) as { changed: boolean }).changed, false);
    await story.cli('uninstall', AGENT);
    assert.equal(existsSync(join(story.home, '.config')), false);
  });
});
