/** Nobody but the user of this machine gets in, and no text that an agent or a program wrote becomes code. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Dashboard, openDashboard, SKIP, settle } from './open-dashboard.ts';

/** Runs if a page takes a text for HTML, an address or a script. */
const HOSTILE = `<img src=x onerror="window.bitten=1"><script>window.bitten=1</script>javascript:window.bitten=1`;

describe('the security of the dashboard', { skip: SKIP }, () => {
  let board: Dashboard;
  before(async () => {
    board = await openDashboard();
    await board.story.cli('lessons', 'add', '--summary', HOSTILE, '--fix', HOSTILE, '--program', 'bitten');
    const call = { session_id: 'hostile', tool_use_id: 'toolu_hostile' };
    const tool_input = { command: `cat '${HOSTILE}'` };
    await board.story.hook('SessionStart.startup', { session_id: 'hostile' });
    await board.story.hook('PostToolUseFailure.Bash', {
      ...call,
      tool_name: 'Bash',
      tool_input,
      error: `cat: ${HOSTILE}`,
    });
    // A file name may contain anything but a slash, and so may the folder of a project.
    await board.story.hook('PostToolUseFailure.Read', {
      ...{ session_id: 'hostile', tool_use_id: 'toolu_hostile_file', tool_name: 'Read' },
      tool_input: { file_path: `/repo/${HOSTILE.replaceAll('/', '')}` },
      error: `File does not exist: /repo/${HOSTILE.replaceAll('/', '')}`,
    });
    await board.story.settle();
  });
  after(() => board.close());

  it('gives the API only to those who have the token', async () => {
    for (const authorization of [undefined, 'Bearer', 'Bearer wrong', `Basic ${board.token}`, board.token]) {
      const { status, body } = await ask(board, '/api/lessons', authorization === undefined ? {} : { authorization });
      assert.equal(status, 401, authorization);
      assert.doesNotMatch(body, /bitten"|les_/);
    }
    assert.equal((await ask(board, '/api/lessons', toKey(board))).status, 200);
  });

  it('refuses a host name that somebody made to point here, and pages of other origins', async () => {
    const key = toKey(board);
    for (const host of ['evil.example', `evil.example:${new URL(board.origin).port}`, '127.0.0.1'])
      assert.notEqual((await ask(board, '/api/lessons', { ...key, host })).status, 200, host);
    for (const origin of ['http://evil.example', 'null', 'https://127.0.0.1', 'http://localhost:1'])
      for (const path of ['/api/lessons', '/'])
        assert.equal((await ask(board, path, { ...key, origin })).status, 403, `${origin} ${path}`);
  });

  it('allows no other origin to read an answer, and no page to load anything from elsewhere', async () => {
    for (const path of ['/', '/lessons', '/api/lessons']) {
      const { headers } = await ask(board, path, toKey(board));
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      const policy = String(headers['content-security-policy']);
      for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
        assert.ok(policy.split('; ').includes(rule), `${path}: ${rule}`);
    }
    const answer = await ask(
      board,
      '/api/lessons',
      { origin: 'http://evil.example', 'access-control-request-method': 'GET' },
      'OPTIONS',
    );
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });

  it('serves no file outside the dashboard', async () => {
    for (const path of [
      '/../build.json',
      '/%2e%2e/build.json',
      '/assets/../../build.json',
      '/assets/..%2f..%2fbuild.json',
      '/assets//etc/passwd',
    ])
      assert.doesNotMatch((await ask(board, path)).body, /hookInputs|root:/, path);
  });

  it('takes the token out of the address', async () => {
    const { page, context } = await board.visit('/lessons');
    await page.locator('.rows').waitFor();
    assert.doesNotMatch(page.url(), /token|#/);
    await context.close();
  });

  it('says what to do when the token is missing or wrong', async () => {
    for (const hash of ['', '#token=wrong']) {
      // A new window each, because another hash alone loads nothing anew.
      const context = await board.browser.newContext();
      const page = await context.newPage();
      await page.goto(`${board.origin}/lessons${hash}`);
      await page.getByRole('alert').getByText('oncebitten open').waitFor();
      assert.doesNotMatch(page.url(), /token|#/);
      assert.equal(await page.locator('.rows').count(), 0);
      await context.close();
    }
  });

  it('shows hostile texts as texts on every page', async () => {
    const [lesson] = await board.story.list<{ slug: string }>('lessons', 'list', '--search', 'onerror');
    const kinds = await board.story.list<{ signature: string; message: string }>('sessions', 'failures', '--all');
    const kind = kinds.find(({ message }) => message?.includes('onerror'));
    assert.ok(lesson !== undefined && kind !== undefined);
    const paths = [
      '/',
      '/lessons',
      `/lessons/${lesson.slug}`,
      '/failures',
      `/failures/${kind.signature}`,
      '/sessions',
      '/sessions/hostile',
    ];
    for (const path of paths) {
      const { page, context, complaints } = await board.visit(path);
      await page.locator('h1').waitFor();
      await settle(page);
      assert.equal(await page.evaluate(() => (globalThis as { bitten?: number }).bitten), undefined, path);
      assert.equal(await page.locator('img[src="x"]').count(), 0, path);
      if (path === '/sessions/hostile') assert.match(await page.locator('.timeline').innerText(), /repo.*onerror=/s);
      assert.deepEqual(complaints, [], path);
      await context.close();
    }
  });

  it('says which methods an address takes', async () => {
    const { status, headers } = await ask(board, '/api/lessons/none', toKey(board), 'PUT', {});
    assert.deepEqual([status, headers.allow], [405, 'GET, PATCH']);
  });

  it('does not let a page change settings that load code or send data', async () => {
    for (const key of ['detectorPlugins', 'models.provider', 'store.url']) {
      const { status } = await ask(board, `/api/settings/${key}`, toKey(board), 'PUT', { value: 'x' });
      assert.equal(status, 422, key);
    }
  });
});

function toKey({ token }: Dashboard): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

interface HttpAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Not `fetch`, because it lets nobody set the host or the origin, and cleans the path. */
function ask(
  { origin }: Dashboard,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: unknown,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((done, fail) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ hostname, port, path, method, headers: { ...headers, ...type } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, body: text }));
    });
    sent.on('error', fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
