/** Questions to a model after a session's end, by a real daemon to a real server: once, and on nobody's path. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_LESSON } from '../models/answer-script.ts';
import { makeHistory, writePast } from '../models/write-history.ts';
import { openStory, type Story } from './open-story.ts';

describe('a daemon that may ask a model', () => {
  let story: Story;
  let path: string;
  const asked: string[] = [];
  // The server answers when it is told to: whoever waits for it would wait for ever.
  const release = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    asked.push(await text(request));
    await release.promise;
    const message = { role: 'assistant', content: JSON.stringify({ add: [GOOD_LESSON], evidence: [], retire: [] }) };
    const reply = { id: '1', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message }] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...reply, usage: { prompt_tokens: 900, completion_tokens: 80 } }));
  });

  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    story = await openStory({ install: true, apart: true });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    for (const [key, value] of Object.entries({ provider: 'openai', model: 'm', baseUrl, auto: 'true' }))
      await story.cli('config', 'set', `models.${key}`, value);
    await story.cli('daemon', 'start');
    path = writePast(
      story.home,
      { session: 'past', cwd: story.project, atMs: Date.now() - 60_000 },
      makeHistory('past'),
    );
  });
  after(async () => {
    release.resolve();
    await story.close();
    server.closeAllConnections();
    server.close();
  });

  const endSession = () => story.hook('SessionEnd', { session_id: 'past', transcript_path: path });
  const waitFor = async (is: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 200 && !(await is()); tries++) await sleep(100);
  };

  it('asks one question when a session has ended', async () => {
    assert.equal((await endSession()).code, 0);
    await waitFor(() => asked.length > 0);
    assert.match(asked[0] ?? '', /frob: the selection is empty/);
  });

  it('answers hooks and takes in calls while the model thinks', async () => {
    const { code } = await story.hook('PreToolUse.Bash', { session_id: 'now', tool_use_id: 't1' });
    assert.equal(code, 0);
    await story.settle();
    assert.equal(asked.length, 1);
  });

  it('leaves nothing for another process to ask about', async () => {
    const report = (await story.cli('learn', '--yes')) as { readonly asked: number };
    assert.equal(report.asked, 0);
    assert.equal(asked.length, 1);
  });

  it('learns from the answer, and does not ask again', async () => {
    release.resolve();
    const list = () => story.list<{ readonly origin: { readonly kind: string } }>('lessons', 'list', '--all');
    const hasLearned = async () => (await list()).some(({ origin }) => origin.kind === 'model');
    await waitFor(hasLearned);
    assert.ok(await hasLearned());
    await endSession();
    await story.settle();
    assert.equal(asked.length, 1);
  });
});
