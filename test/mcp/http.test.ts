/** The HTTP listener of the daemon: who may use it, and what it does with requests that no honest client sends. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { toDataHome, toHttpFile } from '../../src/loop/home/data-home.ts';
import { type HttpAddress, readHttpFile } from '../../src/surfaces/http/http-file.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { toRuns } from '../to-runs.ts';
import { startListener } from './open-client.ts';

interface Sent {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Wanted {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

describe('the HTTP listener', { timeout: 600_000 }, () => {
  let shell: Shell;
  let address: HttpAddress;
  before(async () => {
    shell = openShell();
    address = await startListener(shell);
  });
  after(() => shell.close());

  /** `fetch` would not send another host. */
  const send = ({ method = 'POST', path = '/mcp', headers = {}, body = LIST }: Wanted): Promise<Sent> =>
    new Promise((done, fail) => {
      const own = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
      const asked = request({
        port: address.port,
        host: '127.0.0.1',
        method,
        path,
        headers: { ...own, ...headers },
        agent: false,
      });
      asked.on('error', fail);
      asked.on('response', (response) => {
        void text(response).then((read) =>
          done({ status: response.statusCode, headers: response.headers, body: read }),
        );
      });
      asked.end(method === 'POST' || method === 'PUT' ? body : undefined);
    });
  const authorized = (headers: Readonly<Record<string, string>> = {}) => ({
    authorization: `Bearer ${address.token}`,
    ...headers,
  });
  const assertError = ({ body }: Sent): void => {
    const { error } = JSON.parse(body) as { error: Record<string, string> };
    for (const part of ['subject', 'reason', 'next']) assert.ok(error[part], part);
  };

  it('keeps its address and token in a file that only the user can read, on loopback only', () => {
    const file = toHttpFile(toDataHome(shell.dataDir));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(readFileSync(file, 'utf8'), /"mcp": "http:\/\/127\.0\.0\.1:\d+\/mcp"/);
    assert.ok(address.token.length >= 64);
  });

  it('answers whoever has the token', async () => {
    const { status, headers, body } = await send({ headers: authorized() });
    assert.equal(status, 200);
    assert.match(body, /memory_capture/);
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('access-control')),
      [],
    );
  });

  it('refuses a missing, wrong, cut or misplaced token, without a word about the right one', async () => {
    const { token } = address;
    const wrong = ['', 'Bearer', 'Bearer ', `Bearer ${token.slice(1)}`, `Bearer ${token}x`, `Basic ${token}`, token];
    for (const authorization of wrong) {
      const sent = await send({ headers: authorization === '' ? {} : { authorization } });
      assert.equal(sent.status, 401, authorization);
      assertError(sent);
      assert.ok(!sent.body.includes(token));
    }
    assert.equal((await send({ path: `/mcp?token=${token}` })).status, 401);
  });

  it('refuses another host, as a page sends it whose name was made to point here', async () => {
    const hosts = [
      'evil.example',
      `evil.example:${address.port}`,
      '127.0.0.1',
      `127.0.0.1:${address.port + 1}`,
      '0.0.0.0',
    ];
    for (const host of hosts) {
      const sent = await send({ headers: authorized({ host }) });
      assert.equal(sent.status, 403, host);
      assertError(sent);
    }
    assert.equal((await send({ headers: authorized({ host: `localhost:${address.port}` }) })).status, 200);
  });

  it('refuses another origin and answers no preflight', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1', `https://127.0.0.1:${address.port}`]) {
      const sent = await send({ headers: authorized({ origin }) });
      assert.equal(sent.status, 403, origin);
      assertError(sent);
    }
    const own = `http://127.0.0.1:${address.port}`;
    assert.equal((await send({ headers: authorized({ origin: own }) })).status, 200);
    const preflight = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    assert.equal((await send({ method: 'OPTIONS', headers: preflight })).status, 403);
  });

  it('has nothing at other paths, and takes messages with POST only', async () => {
    for (const path of ['/', '/mcp/more', '/../etc/passwd', '/%00']) {
      const sent = await send({ path, headers: authorized() });
      assert.equal(sent.status, 404, path);
      assertError(sent);
    }
    for (const method of ['GET', 'DELETE', 'PUT'])
      assert.equal((await send({ method, headers: authorized() })).status, 405, method);
  });

  it('refuses a huge body, also one of unknown length, and still answers', async () => {
    const huge = Buffer.alloc(5 * 1024 * 1024, 'x');
    const sent = await send({ headers: authorized(), body: huge });
    assert.equal(sent.status, 413);
    assertError(sent);
    const chunked = await send({ headers: authorized({ 'transfer-encoding': 'chunked' }), body: huge }).catch(
      () => undefined,
    );
    assert.ok(chunked === undefined || chunked.status === 413);
    const small = await send({ headers: authorized({ 'transfer-encoding': 'chunked' }) });
    assert.equal(small.status, 200);
    assert.equal((await send({ headers: authorized() })).status, 200);
  });

  it('refuses whatever is no message, and never fails', async () => {
    const property = fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.json(),
        fc.constantFrom('{"x', '[', 'null', '""', '[[[['),
      ),
      async (body) => {
        const { status = 0 } = await send({ headers: authorized(), body });
        assert.ok((status >= 400 && status < 500) || status === 202, `${status} ${body}`);
      },
    );
    await fc.assert(property, { numRuns: toRuns(60) });
    assert.equal((await send({ headers: authorized() })).status, 200);
  });

  it('survives connections that send no HTTP, or end at once', async () => {
    for (const words of ['\0\x01\x02\n\n', 'GET', 'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n', '']) {
      const socket = connect(address.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.end(words);
      await new Promise((done) => socket.on('close', done).resume());
    }
    assert.equal((await send({ headers: authorized() })).status, 200);
  });

  it('answers hooks while requests come in', async () => {
    const many = Array.from({ length: 20 }, () => send({ headers: authorized() }));
    assert.equal((await shell.json<{ running: boolean }>('daemon', 'status')).running, true);
    for (const { status } of await Promise.all(many)) assert.equal(status, 200);
  });

  it('closes when the setting says so, opens again with another token, and leaves no file behind', async () => {
    const home = toDataHome(shell.dataDir);
    const until = async (holds: () => boolean) => {
      while (!holds()) await sleep(50);
    };
    await shell.json('config', 'set', 'http.enabled', 'false');
    await until(() => !existsSync(toHttpFile(home)));
    await assert.rejects(send({ headers: authorized() }));
    await shell.json('config', 'set', 'http.enabled', 'true');
    await until(() => readHttpFile(home) !== undefined);
    const again = readHttpFile(home);
    assert.notEqual(again?.token, address.token);
    await shell.json('daemon', 'stop');
    assert.equal(existsSync(join(shell.runDir, 'http.json')), false);
  });
});
