import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { DEFAULT_HOOK_FILE, toHookCommand } from '../../src/surfaces/install/hook-command.ts';
import { openStory, type Story } from '../stories/open-story.ts';

const GUESTS = join(import.meta.dirname, '../fixtures/guests');
const SILENT = { code: 0, stdout: '', stderr: '' };

describe("other agents at the hooks of Claude's settings", () => {
  let story: Story;
  before(async () => {
    story = await openStory();
    const program = ['--program', 'npm tset'];
    await story.cli('lessons', 'add', '--summary', 'it is npm test', '--fix', 'npm test', ...program);
  });
  after(() => story.close());

  const send = (guest: string, name: string, fields: object, env = {}) => {
    const payload = JSON.parse(readFileSync(join(GUESTS, guest, `${name}.json`), 'utf8'));
    return story.send(name.split('.')[0] ?? '', `${JSON.stringify({ ...payload, ...fields })}\n`, env);
  };
  const calls = async () => {
    await story.settle();
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    try {
      return (await store.listCalls({})).map(({ agent, tool, outcome }) => `${agent} ${tool} ${outcome}`).sort();
    } finally {
      await store.close();
    }
  };

  for (const [daemon, env] of [
    ['with the daemon', {}],
    ['without the daemon', { ONCEBITTEN_NO_DAEMON: '1' }],
  ] as const) {
    it(`get a lesson once and in their own format, ${daemon}`, async () => {
      if (daemon === 'without the daemon') await story.cli('daemon', 'stop');
      const fields = { session_id: daemon, cwd: story.project };
      const cursor = await send('cursor', 'PreToolUse', fields, env);
      assert.deepEqual(Object.keys(JSON.parse(cursor.stdout)), ['additional_context']);
      assert.match(cursor.stdout, /npm test/);
      // Both the user's and the project's settings may contain the hook.
      assert.deepEqual(await send('cursor', 'PreToolUse', fields, env), { ...SILENT, stdout: '{}\n' });
      const vscode = await send('vscode', 'PreToolUse', fields, env);
      assert.match(
        vscode.stdout,
        /^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","additionalContext":".*npm test/,
      );
      const copilot = await send('copilot', 'PreToolUse', fields, env);
      assert.match(copilot.stdout, /^\{"additionalContext":".*npm test/);
      assert.deepEqual(await send('codex', 'PreToolUse', fields, env), SILENT);
    });
  }

  /** The hook of the agent's own settings, with the same data directory. */
  const sendOwn = (agent: string, event: string, payload: object) =>
    story.run(toHookCommand(DEFAULT_HOOK_FILE, agent, event), `${JSON.stringify(payload)}\n`);
  const readGuest = (guest: string, name: string) =>
    JSON.parse(readFileSync(join(GUESTS, guest, `${name}.json`), 'utf8'));

  it('hear a lesson and the start of a session once, whichever of two settings has the hook', async () => {
    const critical = [
      '--summary',
      'never drop the shop',
      '--fix',
      'ask first',
      '--program',
      'drop',
      '--priority',
      '10',
    ];
    await story.cli('lessons', 'add', ...critical);
    await story.cli('daemon', 'start');
    for (const { agent, before, start, call } of [
      { agent: 'cursor', before: 'preToolUse', start: 'sessionStart', call: readGuest('cursor', 'PreToolUse') },
      {
        ...{ agent: 'copilot', before: 'preToolUse', start: 'sessionStart' },
        call: { sessionId: 'twice', toolName: 'bash', toolArgs: { command: 'npm tset' } },
      },
    ]) {
      const place = { session_id: 'twice', cwd: story.project };
      const told = [
        await send(agent, 'SessionStart', place),
        await sendOwn(agent, start, {
          ...readGuest(agent, 'SessionStart'),
          ...place,
          sessionId: 'twice',
          source: 'new',
        }),
      ];
      assert.equal(told.filter(({ stdout }) => stdout.includes('never drop')).length, 1, agent);
      const heard = [await sendOwn(agent, before, { ...call, ...place }), await send(agent, 'PreToolUse', place)];
      assert.deepEqual(
        heard.map(({ stdout }) => stdout.includes('npm test')),
        [true, false],
        agent,
      );
    }
  });

  it('are counted under their own names, once, and never as Claude Code', async () => {
    await story.cli('daemon', 'start');
    for (const guest of readdirSync(GUESTS).filter((name) => !name.includes('.')))
      for (const file of readdirSync(join(GUESTS, guest)))
        for (const _ of ['settings.json', 'settings.local.json'])
          await send(guest, file.replace(/\.json$/, ''), { cwd: story.project });
    assert.deepEqual(await calls(), ['cursor shell failure', 'vscode write success']);
  });
});
