/** Two repairs of one failure with other words become one lesson about what they have in common. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { toRecordedView } from '../../src/base/triggers/call-view.ts';
import { checkTriggers } from '../../src/base/triggers/check-triggers.ts';
import { REPAIR } from '../../src/distill/propose/repair/repair.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';

const REFUSED = 'Exit code 1\nNo store is open';

describe('a second repair of the same failure', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-widened-'));
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

  it('makes the lesson one about both, which fires on other words and is silent on the fix', async () => {
    await play('one', ['frob deploy', REFUSED], ['frob open && frob deploy']);
    const [first] = await findRepairs();
    assert.ok(first !== undefined && !fires(first, 'frob list web'));
    await play('two', ['frob env list', REFUSED], ['frob open && frob env list']);
    const [lesson, ...others] = await findRepairs();
    assert.ok(lesson !== undefined && others.length === 0, 'one lesson');
    assert.deepEqual([lesson.id, lesson.sessions, lesson.status], [first.id, 2, 'active']);
    assert.equal(lesson.edit && applyEdit(lesson.edit, 'frob list web'), 'frob open && frob list web');
    assert.deepEqual(
      ['frob list web', 'frob deploy', 'frob open && frob list web'].map((line) => fires(lesson, line)),
      [true, true, false],
    );
  });

  it('counts the first words again as more evidence of it', async () => {
    const [before] = await findRepairs();
    await play('three', ['frob deploy', REFUSED], ['frob open && frob deploy']);
    const [after, ...others] = await findRepairs();
    assert.deepEqual([after?.id, after?.sessions, others.length], [before?.id, 3, 0]);
  });

  it('does not join a repair of another failure', async () => {
    await play('four', ['frob push web', 'Exit code 1\nthe level is missing'], ['frob push --level 2 web']);
    const lessons = await findRepairs();
    assert.equal(lessons.length, 2);
    assert.ok(!lessons.some((lesson) => fires(lesson, 'frob open && frob push --level 2 web')));
  });

  async function findRepairs(): Promise<readonly Lesson[]> {
    return (await store.listLessons()).filter(({ origin, status }) => origin.by === REPAIR && status !== 'archived');
  }
});

function fires({ triggers }: Lesson, command: string): boolean {
  return checkTriggers(triggers, {}, toRecordedView({ tool: 'shell', rawTool: 'Bash', command }), { callOnly: true })
    .holds;
}
