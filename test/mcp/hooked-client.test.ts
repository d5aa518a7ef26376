/** A client that has hooks, too: what it reports is not recorded a second time. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { sendToDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { openHttp, openStdio, type TestClient } from './open-client.ts';

describe('a client whose calls hooks record', { timeout: 600_000 }, () => {
  let shell: Shell;
  const clients: TestClient[] = [];
  before(() => {
    shell = openShell();
  });
  after(async () => {
    for (const client of clients) await client.close();
    await shell.close();
  });

  const report = async (name: string, session_id: string) => {
    const client = await openStdio(shell, name);
    clients.push(client);
    const call = { tool: 'shell', command: 'shipit', outcome: 'failure', output: 'error', exit_code: 1 };
    return (await client.call('memory_capture', { action: 'tool_outcome', session_id, ...call })).value;
  };

  it('is known by its name, while its hooks are installed', async () => {
    assert.equal((await report('claude-code', 'one-1')).recorded, true);
    await shell.json('install', 'claude-code', '--force');
    const { recorded, because } = await report('claude-code', 'two-1');
    assert.deepEqual([recorded, because], [false, 'the hooks of Claude Code record the calls of this session already']);
    assert.equal((await report('gemini-cli-mcp-client', 'three-1')).recorded, true);
    await shell.json('uninstall', 'claude-code');
    assert.equal((await report('claude-code', 'two-1')).recorded, true);
  });

  it('is known by its name in a project with hooks, but not elsewhere', async () => {
    await shell.json('install', 'claude-code', '--force', '--project', `${shell.home}/..`);
    assert.equal((await report('claude-code', 'four-1')).recorded, false);
    await shell.json('uninstall', 'claude-code', '--project', `${shell.home}/..`);
  });

  for (const [way, open] of Object.entries({ stdio: openStdio, HTTP: openHttp }))
    it(`is known by its session over ${way}`, async () => {
      const client = await open(shell);
      clients.push(client);
      await shell.json('daemon', 'start');
      const sessionId = `hooked-${way}`;
      const call = {
        tool_name: 'Bash',
        tool_input: { command: 'shipit' },
        tool_use_id: 'toolu_1',
        error: 'Exit code 1',
      };
      const wire = { session_id: sessionId, cwd: client.project, hook_event_name: 'PostToolUseFailure', ...call };
      const sent = { event: 'claude-code PostToolUseFailure', payload: JSON.stringify(wire) };
      assert.notEqual((await sendToDaemon(toDataHome(shell.dataDir), sent)).answer, undefined);
      const { value } = await client.call('memory_capture', {
        ...{ action: 'tool_outcome', session_id: sessionId, call_id: 'toolu_1', tool: 'Bash', command: 'shipit' },
        ...{ outcome: 'failure', exit_code: 1, cwd: client.project },
      });
      assert.equal(value.recorded, false);
      assert.match(String(value.because), /^the hooks of Claude Code record/);
      const sessions = await shell.list<{ readonly sessionId: string; readonly agent: string }>('sessions');
      assert.deepEqual(
        sessions.filter((one) => one.sessionId === sessionId).map(({ agent }) => agent),
        ['claude-code'],
      );
    });
});
