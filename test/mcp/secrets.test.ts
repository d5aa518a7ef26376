/** Secrets in what a client sends never reach the disk, whichever field they are in. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeHiddenFinder, readSecretRows } from '../capture/secret-list.ts';
import { findBytes } from '../cli/find-bytes.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { openHttp, type TestClient } from './open-client.ts';

const ROWS = ['', 'held-out-', 'second-held-out-', 'third-held-out-'].flatMap((list, seed) =>
  readSecretRows(`${list}credentials`, seed),
);
const OWN = /^(?:app|bin|node|plugin)\//;
/** Made of parts, so that no secret stands in the repository. */
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

describe('what a client sends over MCP', { timeout: 300_000 }, () => {
  let shell: Shell;
  let client: TestClient;
  before(async () => {
    shell = openShell();
    client = await openHttp(shell);
  });
  after(async () => {
    await client.close();
    await shell.close();
  });
  const report = (input: object) =>
    client.call('memory_capture', {
      ...{ action: 'tool_outcome', session_id: 'probe-1', tool: 'shell', outcome: 'failure', cwd: client.project },
      ...input,
    });

  it('leaves no credential of the lists on the disk', async () => {
    for (const { command, output } of ROWS) assert.equal((await report({ command, output })).value.recorded, true);
    await client.call('memory_capture', { action: 'session_end_analysis', session_id: 'probe-1', cwd: client.project });
    await shell.json('daemon', 'stop');
    const find = makeHiddenFinder(ROWS);
    const leaks = readdirSync(shell.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !OWN.test(relative(shell.dataDir, file)))
      .flatMap((file) =>
        [...find(readFileSync(file, 'latin1'))].map(({ form }) => `${relative(shell.dataDir, file)}: ${form}`),
      );
    assert.deepEqual(leaks, []);
    await client.close();
    client = await openHttp(shell);
  });

  it('is refused where a name or an id contains a secret, because these are stored as they are', async () => {
    const fields = [
      { session_id: SECRET },
      { call_id: SECRET },
      { tool: SECRET },
      { model: SECRET },
      { cwd: `/tmp/${SECRET}` },
    ];
    for (const field of fields) {
      const { isError, text } = await report({ command: 'x', ...field });
      assert.equal(isError, true, Object.keys(field)[0]);
      assert.match(text, /looks like it contains a secret/);
      assert.ok(!text.includes(SECRET));
    }
    const end = { action: 'session_end_analysis', session_id: SECRET, cwd: client.project };
    assert.equal((await client.call('memory_capture', end)).isError, true);
  });

  it('is redacted in a lesson, a note and an input of any form', async () => {
    const cwd = client.project;
    await client.call('lesson_add', {
      ...{ summary: `Use ${SECRET}`, mistake: SECRET, fix: SECRET, program: ['fetchit'], cwd },
      tags: [SECRET],
    });
    const refused = await client.call('lesson_add', { summary: 'x', program: ['fetchit'], with: [SECRET], cwd });
    assert.match(refused.text, /secret/);
    const found = await client.call('lesson_search', { query: 'fetchit' });
    const [{ lesson = '' } = {}] = (await client.call('lesson_search', { status: 'draft' })).value.lessons as readonly {
      lesson: string;
    }[];
    assert.ok(!found.text.includes(SECRET));
    await client.call('lesson_feedback', { lesson, verdict: 'helpful', note: `because ${SECRET}` });
    await report({ tool: 'custom', input: { deep: [{ token: SECRET }], [SECRET]: 1 }, output: SECRET });
    await report({ tool: 'edit', path: `/tmp/${SECRET}`, output: `password=${SECRET}` });
    await client.call('lesson_search', { query: SECRET });
    await client.call('explain_call', { command: `curl -H 'Authorization: Bearer ${SECRET}'`, cwd });
    await client.call('failures', { since: SECRET });
    await shell.json('daemon', 'stop');
    assert.deepEqual(findBytes(shell.dataDir, SECRET), []);
  });
});
