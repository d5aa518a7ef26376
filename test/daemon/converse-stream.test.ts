import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { type AnswerAll, type Door, type StreamMessage, serveHooks } from '../../src/surfaces/daemon/serve-hooks.ts';
import { toRuns } from '../to-runs.ts';
import { openClient } from './open-client.ts';

const SECRETS = { ask: 'ask-secret', answer: 'answer-secret' };
const HEADER = 'ask-secret 1 claude-code - stream\n';
const GREETING = 'answer-secret\n';
const HANG = { timeout: 900_000 };

describe('a connection for many events', HANG, () => {
  let door: Door;
  let told: StreamMessage[] = [];
  let delay: Promise<void> | undefined;
  const answerAll: AnswerAll = (_header, messages) => {
    told.push(...messages);
    if (messages.some(({ event }) => event === 'Boom')) throw new Error('boom');
    return { lines: messages.map(({ event, payload }) => JSON.stringify({ event, payload })), delay };
  };
  before(async () => {
    door = await serveHooks(SECRETS, {
      hooks: { answer: () => assert.fail('one event only'), answerAll },
      control: () => assert.fail('no command line'),
    });
  });
  beforeEach(() => {
    told = [];
    delay = undefined;
  });
  after(() => door.close());

  const open = async () => {
    const client = await openClient(door.port);
    await client.send(HEADER);
    await client.hear(GREETING);
    return client;
  };

  it('gets a line for each, in their order, and stays open', async () => {
    const client = await open();
    await client.send('Stop\n{"n":1}\0Stop\n{"n":2}\0');
    await client.hear('"n":2');
    await client.send('Stop\n{"n":3}\0');
    await client.hear('"n":3');
    client.socket.end();
    const lines = [1, 2, 3].map((n) => `${JSON.stringify({ event: 'Stop', payload: { n } })}\n`);
    assert.equal(await client.ended(), GREETING + lines.join(''));
  });

  it('tells the same however its bytes arrive', async () => {
    const message = fc.tuple(fc.constantFrom('Stop', 'PreToolUse'), fc.string({ unit: 'binary', maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), fc.nat(50), async (messages, cut) => {
        told = [];
        const bytes = Buffer.from(messages.map(([event, text]) => `${event}\n${JSON.stringify({ text })}\0`).join(''));
        const client = await open();
        await client.send(bytes.subarray(0, cut), bytes.subarray(cut));
        client.socket.end();
        await client.ended();
        assert.deepEqual(
          told,
          messages.map(([event, text]) => ({ event, payload: { text: text.toWellFormed() } })),
        );
      }),
      { numRuns: toRuns(40) },
    );
  });

  it('is told of what is no JSON, and gets no receipt when it could not be taken', async () => {
    const client = await open();
    await client.send('Stop\nnonsense\0');
    await client.hear('}');
    assert.deepEqual(told, [{ event: 'Stop', payload: undefined }]);
    await client.send('Boom\n{}\0');
    assert.ok(!(await client.ended()).includes('Boom'));
  });

  it('waits while what came before it is not stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    delay = promise;
    const client = await open();
    await client.send('Stop\n{"n":1}\0');
    await client.hear('"n":1');
    delay = undefined;
    await client.send('Stop\n{"n":2}\0');
    assert.equal(told.length, 1);
    resolve();
    await client.hear('"n":2');
    assert.equal(told.length, 2);
    client.socket.end();
    await client.ended();
  });

  it('is not for who speaks to the daemon itself', async () => {
    // In two packets, and in one.
    for (const parts of [
      ['ask-secret 1 oncebitten - stream\n', 'stop\n{}\0'],
      ['ask-secret 1 oncebitten - stream\nstop\n{}\0'],
    ]) {
      const client = await openClient(door.port);
      await client.send(...parts);
      await client.ended();
      assert.deepEqual(told, []);
    }
  });
});
