import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Answer, type Door, serveHooks } from '../../src/surfaces/daemon/serve-hooks.ts';
import { toRuns } from '../to-runs.ts';
import { openClient } from './open-client.ts';

const SECRETS = { ask: 'ask-secret', answer: 'answer-secret' };
const HEADER = 'ask-secret 1 claude-code PreToolUse -\n';
const GREETING = 'answer-secret\n';
/** All came, and there is nothing to say. */
const RECEIPT = `${GREETING}\n`;
const HANG = { timeout: 900_000 };

/** The spaces that keep a payload in parts going are no part of the reply. */
const withoutGoOn = (heard: string): string => heard.replace(/\n +/, '\n');

/** Says back what it got: event, flags and payload. */
const echo: Answer = ({ event, flags }, payload) =>
  payload === undefined ? '' : JSON.stringify({ event, flags, payload });
const echoed = (payload: unknown, event = 'PreToolUse', flags = ['-']) =>
  `${GREETING}${JSON.stringify({ event, flags, payload })}\n`;

/** Where nobody streams. */
const one = (answer: Answer) => ({
  hooks: { answer, answerAll: () => assert.fail('nobody asked for a stream') },
  control: () => assert.fail('no command line'),
});

describe('the door', HANG, () => {
  let door: Door;
  before(async () => {
    door = await serveHooks(SECRETS, one(echo));
  });
  after(() => door.close());

  /** What a client hears that sends these packets after it was greeted. */
  const converse = async (...parts: readonly (string | Buffer)[]): Promise<string> => {
    const client = await openClient(door.port);
    await client.send(HEADER);
    await client.hear(GREETING);
    await client.send(...parts);
    return withoutGoOn(await client.ended());
  };
  const knock = async (...parts: readonly string[]): Promise<string> => {
    const client = await openClient(door.port);
    await client.send(...parts);
    return withoutGoOn(await client.ended());
  };

  it('answers who knows the secret', async () => {
    assert.equal(await converse('{"a":1}\n', '\0'), echoed({ a: 1 }));
  });

  it('cuts off without a word who does not, or speaks another protocol', async () => {
    for (const header of [
      'wrong 1 claude-code PreToolUse -\n{}\0',
      ' 1 claude-code PreToolUse -\n{}\0',
      'ask-secret 2 claude-code PreToolUse -\n{}\0',
      'ask-secret 1 claude-code\n{}\0',
      'ask-secre',
      '\n',
      'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    ]) {
      const text = header.endsWith('\n') || header.includes('\0') ? header : `${header}\n`;
      assert.equal(await knock(text), '', header);
    }
  });

  it('cuts off a header that never ends', async () => {
    assert.equal(await knock('ask-secret '.padEnd(2000, 'x')), '');
  });

  it('takes a header in pieces, and one together with the payload', async () => {
    assert.equal(await knock(...HEADER, '{"a":1}'), echoed({ a: 1 }));
    assert.equal(await knock(`${HEADER}{"a":1}\0`), echoed({ a: 1 }));
  });

  it('tells flags apart, and takes none for none', async () => {
    assert.equal(await knock('ask-secret 1 x Stop quiet,probe\n{}'), echoed({}, 'Stop', ['quiet', 'probe']));
    assert.equal(await knock('ask-secret 1 x Stop\n{}'), echoed({}, 'Stop'));
  });

  it('takes a payload with newline, without, with NUL and without', async () => {
    for (const end of ['', '\n', '\0', '\n\0']) assert.equal(await converse(`{"a":1}${end}`), echoed({ a: 1 }));
  });

  it('takes a payload in pieces of any size, also in the middle of a character', async () => {
    const payload = { text: 'ä€😀}\n"\\', deep: { er: [{}, {}] } };
    const bytes = Buffer.from(`${JSON.stringify(payload, null, 1)}\n\0`);
    const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
    assert.equal(await converse(...single), echoed(payload));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 8 }), async (at) => {
        const cuts = [0, ...at.toSorted((a, b) => a - b), bytes.length];
        const parts = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
        assert.equal(await converse(...parts), echoed(payload));
      }),
      { numRuns: toRuns(30) },
    );
  });

  it('stays silent on garbage as soon as it ends', async () => {
    for (const bytes of ['garbage\0', '\0', '{"a":\0', '}\n}\n\0', Buffer.from([0xff, 0xfe, 0])])
      assert.equal(await converse(bytes), RECEIPT);
  });

  it('takes megabytes', async () => {
    const payload = { text: 'ä\n}'.repeat(700_000) };
    const bytes = Buffer.from(`${JSON.stringify(payload)}\0`);
    assert.ok(bytes.length > 2 * 1024 * 1024);
    assert.ok((await converse(bytes)) === echoed(payload));
  });

  it('ignores what comes behind a payload', async () => {
    assert.equal(await converse('{"a":1}\n', '{"b":2}\n\0'), echoed({ a: 1 }));
  });

  it('answers everybody when a hundred come at once, past those who say nothing', async () => {
    const silent = await Promise.all(Array.from({ length: 20 }, () => openClient(door.port)));
    const heard = await Promise.all(Array.from({ length: 100 }, (_, n) => converse(`{"n":${n}}`, '\0')));
    assert.deepEqual(
      heard,
      heard.map((_, n) => echoed({ n })),
    );
    for (const { socket } of silent) socket.destroy();
  });

  it('lets go of a client that says nothing for as long as it may be idle', async () => {
    const short = await serveHooks(SECRETS, one(echo), 200);
    const [client, patient] = [await openClient(short.port), await openClient(door.port)];
    assert.equal(await client.ended(), '');
    await patient.send(`${HEADER}{}\0`);
    assert.equal(withoutGoOn(await patient.ended()), echoed({}));
    await short.close();
  });
});

describe('the door, when its answerer has trouble', HANG, () => {
  it('stays silent and goes on', async () => {
    let calls = 0;
    const door = await serveHooks(
      SECRETS,
      one(() => {
        if (++calls === 1) throw new Error('at once');
        return calls === 2 ? Promise.reject(new Error('later')) : 'fine';
      }),
    );
    for (const expected of [GREETING, GREETING, `${GREETING}fine\n`]) {
      const client = await openClient(door.port);
      await client.send(`${HEADER}{}\0`);
      assert.equal(withoutGoOn(await client.ended()), expected);
    }
    await door.close();
  });

  it('survives clients that leave in the middle', async () => {
    const door = await serveHooks(
      SECRETS,
      one(async () => 'x'.repeat(100_000)),
    );
    for (const parts of [[], ['ask'], [HEADER], [HEADER, '{"a"'], [`${HEADER}{}\0`]]) {
      const client = await openClient(door.port);
      await client.send(...parts);
      client.socket.resetAndDestroy();
    }
    const client = await openClient(door.port);
    await client.send(`${HEADER}{}\0`);
    assert.equal((await client.ended()).length, GREETING.length + 100_001);
    await door.close();
  });
});

describe('closing the door', HANG, () => {
  it('ends even with clients that stay, and nobody new comes in', async () => {
    const door = await serveHooks(SECRETS, one(echo));
    const silent = await openClient(door.port);
    const halfway = await openClient(door.port);
    await halfway.send(HEADER);
    await halfway.hear(GREETING);
    await door.close();
    assert.equal(await silent.ended(), '');
    assert.equal(await halfway.ended(), GREETING);
    await assert.rejects(openClient(door.port));
  });

  it('lets a conversation that is under way come to its end', async () => {
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<string>();
    const door = await serveHooks(
      SECRETS,
      one(() => {
        wasAsked();
        return promise;
      }),
    );
    const client = await openClient(door.port);
    await client.send(`${HEADER}{}\0`);
    await asked;
    const closed = door.close();
    resolve('last words');
    assert.equal(await client.ended(), `${GREETING}last words\n`);
    await closed;
  });
});
