/** The API as a program uses it: every operation answers in its declared shape, and errors have one shape. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeApi } from '../../src/surfaces/api/make-api.ts';
import type { Operation } from '../../src/surfaces/api/operation.ts';
import { OPERATIONS } from '../../src/surfaces/api/operations.ts';
import { makeRunCommand } from '../../src/surfaces/api/run-command.ts';
import { COMMANDS } from '../../src/surfaces/cli/commands.ts';
import { openStory, type Story } from '../stories/open-story.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/sessions');

describe('the API', () => {
  let story: Story;
  let api: ReturnType<typeof makeApi>;
  const faults: string[] = [];
  before(async () => {
    story = await openStory();
    await story.cli('scan', '--agent', 'claude-code', '--path', SAMPLES);
    const run = makeRunCommand({ home: toDataHome(story.dataDir), env: story.env, cwd: story.project });
    api = makeApi({ run, watch: async function* () {}, log: (line) => faults.push(line) });
  });
  after(() => story.close());

  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await api.request(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
  };

  it('answers every question in the shape that the document declares', async () => {
    const [lesson] = await story.list<{ id: string }>('lessons', 'list');
    const [session] = await story.list<{ sessionId: string }>('sessions');
    const questions = Object.entries<Operation>(OPERATIONS).filter(([, { method }]) => method === 'get');
    for (const [name, { path, answer }] of questions) {
      const place = path.replace('{lesson}', lesson?.id ?? '').replace('{session}', session?.sessionId ?? '');
      const { status, body } = await send('GET', place);
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`);
      const parsed = answer.safeParse(body);
      assert.ok(parsed.success, `${name}: ${parsed.error?.message}`);
    }
    assert.deepEqual(faults, []);
  });

  it('lists every operation in its document', async () => {
    const { paths } = (await send('GET', '/openapi.json')).body as { paths: Record<string, Record<string, object>> };
    for (const [name, { method, path }] of Object.entries<Operation>(OPERATIONS))
      assert.ok(paths[path]?.[method] !== undefined, name);
  });

  it('takes a decision, tells it, and undoes it', async () => {
    const [lesson] = await story.list<{ id: string }>('lessons', 'list', '--status', 'active');
    const path = `/lessons/${lesson?.id}`;
    assert.equal((await send('POST', `${path}/decisions`, { decision: 'archive', reason: 'a test' })).status, 200);
    assert.equal(((await send('GET', path)).body as { status: string }).status, 'archived');
    assert.equal((await send('POST', '/undo', { lesson: lesson?.id })).status, 200);
    assert.equal(((await send('GET', path)).body as { status: string }).status, 'active');
  });

  it('pages through a list', async () => {
    const page = async (from: string) =>
      (await send('GET', `/lessons?limit=2&from=${from}`)).body as { items: { id: string }[]; next: number | null };
    const first = await page('1');
    assert.equal(first.items.length, 2);
    const second = await page(String(first.next));
    assert.ok(second.items.every(({ id }) => first.items.every((one) => one.id !== id)));
  });

  it('says with an ETag that nothing has changed', async () => {
    const { headers } = await send('GET', '/lessons');
    const again = await api.request('/lessons', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    assert.equal(again.status, 304);
  });

  it('gives every error the same shape', async () => {
    const wrong: readonly (readonly [string, string, number, unknown?])[] = [
      ['GET', '/nothing', 404],
      ['GET', '/lessons/none', 422],
      ['GET', '/lessons?limit=many', 400],
      ['GET', '/history?by=colour', 400],
      ['GET', '/failures?since=whenever', 400],
      ['POST', '/lessons/x/decisions', 400, { decision: 'burn' }],
      ['POST', '/lessons', 400, {}],
      ['POST', '/nothing', 404, {}],
      ['PUT', '/settings/none', 422, { value: 1 }],
      ['PUT', '/lessons', 405, {}],
      ['DELETE', '/history', 405],
    ];
    for (const [method, path, status, body] of wrong) {
      const answer = await send(method, path, body);
      assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      const { error } = answer.body as { error: Record<string, string> };
      assert.deepEqual(Object.keys(error), ['subject', 'reason', 'next']);
      assert.ok(Object.values(error).every((text) => text !== ''));
    }
  });

  it('refuses a body that is no JSON', async () => {
    for (const [type, body] of [
      ['application/json', '{bad'],
      ['application/x-www-form-urlencoded', 'summary=x'],
    ] as const) {
      const answer = await api.request('/lessons', { method: 'POST', headers: { 'content-type': type }, body });
      assert.equal(answer.status, 400, type);
      assert.ok('error' in ((await answer.json()) as object));
    }
  });

  it('names only commands that exist', () => {
    const names = new Set(COMMANDS.map(({ name }) => name));
    const any = new Proxy({}, { get: (_of, key) => (key === 'then' ? undefined : 'approve') });
    for (const [name, { command }] of Object.entries<Operation>(OPERATIONS)) {
      const [of] = command({ params: any, query: any, body: any });
      assert.ok(names.has(of), `${name}: ${of}`);
    }
  });
});
