/** A word that a program refuses in several sessions: the lesson tells how a session got past it, once one did. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';

const REFUSED = "Exit code 2\nerror: unrecognized subcommand 'bunx'\n";

describe('a word that a program refuses again', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-refused-'));
  let store: Store;
  let loop: Loop;
  let calls = 0;
  const play = async (session: string, ...commands: readonly (readonly [command: string, error?: string])[]) => {
    const events = commands.flatMap(([command, error]) => {
      const name = error === undefined ? 'PostToolUse' : 'PostToolUseFailure';
      const at = new Date(Date.UTC(2026, 0, 2) + ++calls * 60_000).toISOString();
      const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `c${calls}` };
      const ended = error === undefined ? { tool_response: { stdout: 'done', stderr: '' } } : { error };
      const common = { session_id: session, transcript_path: '', cwd: dir, hook_event_name: name };
      return claudeCode.readHook(name, { ...common, ...call, ...ended }, at) ?? [];
    });
    await loop.takeEvents(events, []);
  };

  before(async () => {
    const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
    store = await openStore({ url: '', file: storeFile });
    loop = makeLoop({ store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('tells the fix that an earlier session found', async () => {
    await play('one', ['wrapx bunx seed', REFUSED], ['bunx seed']);
    await play('two', ['wrapx bunx seed', REFUSED], ['git status']);
    await play('three', ['wrapx bunx seed', REFUSED], ['git status']);
    const active = (await store.listLessons()).filter(({ status }) => status === 'active');
    assert.ok(active.length > 0);
    for (const { remediation } of active) assert.match(remediation, /`wrapx`|`bunx/);
  });
});
