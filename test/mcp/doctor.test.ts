/** What `doctor` says about the MCP server: whether an agent has it, and whether it answers as the agent would ask it. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { startListener } from './open-client.ts';

interface Check {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly next?: string;
}

/** The checks about MCP, by name. */
async function ask(shell: Shell): Promise<Readonly<Record<string, Check>>> {
  const { stdout } = await shell.run(['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
  return Object.fromEntries(checks.filter(({ name }) => name.startsWith('MCP')).map((check) => [check.name, check]));
}

describe('doctor, about the MCP server', { timeout: 600_000 }, () => {
  it('says that it is not installed, then that it is and answers, then how to fix it', async (t) => {
    const shell = openShell();
    t.after(() => shell.close());
    mkdirSync(join(shell.home, '.claude'));
    const before = await ask(shell);
    assert.match(before['MCP server of Claude Code']?.detail ?? '', /not installed.*install claude-code --mcp/);
    assert.equal(before['MCP over stdio'], undefined);
    await shell.json('install', 'claude-code', '--mcp');
    await startListener(shell);
    const installed = await ask(shell);
    for (const name of ['MCP server of Claude Code', 'MCP over stdio', 'MCP over HTTP'])
      assert.equal(installed[name]?.state, 'ok', name);
    for (const name of ['MCP over stdio', 'MCP over HTTP']) assert.match(installed[name]?.detail ?? '', /6 tools/);

    const settings = join(shell.home, '.claude.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace(shell.dataDir, '/elsewhere'));
    assert.match((await ask(shell))['MCP server of Claude Code']?.next ?? '', /install claude-code --mcp/);
    rmSync(join(shell.dataDir, 'bin/oncebitten'));
    const broken = (await ask(shell))['MCP over stdio'];
    assert.deepEqual([broken?.state, /daemon start/.test(broken?.next ?? '')], ['bad', true]);
    await shell.json('config', 'set', 'http.enabled', 'false');
    assert.match((await ask(shell))['MCP over HTTP']?.detail ?? '', /switched off/);
  });
});
