/** Messages of clients that break off, cancel or send what no honest client sends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { CLI } from '../run-cli.ts';
import { openHttp, openStdio, type TestClient } from './open-client.ts';

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'odd', version: '1' } },
};
const CANCELLED = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
const CALL = {
  ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
  params: { name: 'memory_capture', arguments: { action: 'status' } },
};

describe('a client that ends', { timeout: 600_000 }, () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  /** How long the server lived after its input had ended, and what it answered. */
  const send = async (input: string) => {
    const child = spawn(process.execPath, [CLI, 'mcp', '--home', shell.dataDir], { env: shell.env, cwd: shell.home });
    const answers = text(child.stdout);
    const closed = new Promise((done) => child.on('close', done));
    const begun = performance.now();
    child.stdin.end(input);
    await closed;
    const lines = (await answers).split('\n').filter((line) => line !== '');
    return { lifeMs: performance.now() - begun, ids: lines.map((line) => (JSON.parse(line) as { id: number }).id) };
  };

  it('is answered, also if its last message has no newline', async () => {
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' };
    const { ids } = await send(`${JSON.stringify(INITIALIZE)}\n${JSON.stringify(ping)}`);
    assert.deepEqual(ids, [1, 3]);
  });

  it('is not waited for if it cancelled its request', async () => {
    const messages = [INITIALIZE, CALL, CANCELLED].map((message) => `${JSON.stringify(message)}\n`);
    const [cancelled, plain] = [await send(messages.join('')), await send(messages[0] ?? '')];
    assert.deepEqual(cancelled.ids, [1]);
    // The server waits 10 s for an answer.
    assert.ok(cancelled.lifeMs - plain.lifeMs < 9_000, `${cancelled.lifeMs} ${plain.lifeMs}`);
  });
});

for (const [way, open] of Object.entries({ stdio: openStdio, HTTP: openHttp }))
  describe(`an input that is wrong, over ${way}`, { timeout: 600_000 }, () => {
    let shell: Shell;
    let client: TestClient;
    before(async () => {
      shell = openShell();
      client = await open(shell);
    });
    after(async () => {
      await client.close();
      await shell.close();
    });
    const call = async (input: object, tool = 'memory_capture') => {
      const { isError, value } = await client.call(tool, input);
      assert.ok(isError);
      return value.error as { readonly subject: string; readonly reason: string; readonly next: string };
    };
    const report = () => ({
      ...{ action: 'tool_outcome', session_id: 'odd-1', tool: 'shell', outcome: 'failure', cwd: client.project },
    });

    it('is refused with subject, reason and next', async () => {
      const { subject, reason, next } = await call({ ...report(), outcome: 'maybe', more: 1 });
      assert.equal(subject, 'the input of memory_capture');
      assert.match(reason, /outcome: .*more/);
      assert.match(next, /schema/);
      assert.equal((await call({}, 'no_such_tool')).subject, 'tool no_such_tool');
    });

    it('is refused if a name has a control character', async () => {
      const { subject, reason } = await call({ ...report(), tool: 'sh\0ell' });
      assert.deepEqual([subject, /control character/.test(reason)], ['tool', true]);
    });

    it('is refused if it is deep or large', async () => {
      let deep: object = {};
      for (let n = 0; n < 2_000; n++) deep = { deep };
      assert.match((await call({ ...report(), input: deep })).reason, /more than 100 levels/);
      const large = { list: Array.from({ length: 20_000 }, (_, n) => n) };
      assert.match((await call({ ...report(), input: large })).reason, /more than 10000 fields/);
    });
  });
