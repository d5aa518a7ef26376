/** Lessons that are withheld by chance: the daemon and the hook without one agree, and what is withheld is judged. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Delivery } from '../../src/base/model/delivery.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { openStory, type Story } from './open-story.ts';

const ROOT = join(import.meta.dirname, '../..');
const MISTAKE = 'gh pr diff 12 --stat';
const FIX = 'gh pr diff 12 --name-only';
const ERROR = 'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';
const SESSIONS = Array.from({ length: 16 }, (_, n) => `drawn-${n}`);

const bash = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'look at the change' },
  tool_use_id: id,
});

describe('a lesson that is withheld from half of the sessions', () => {
  let story: Story;
  const withDaemon: string[] = [];
  before(async () => {
    story = await openStory();
    await story.cli('config', 'set', 'holdout.share', '0.5');
    await story.cli('config', 'set', 'holdout.after', '0');
    await story.hook('SessionStart.startup', { session_id: 'zero' });
    await story.hook('PostToolUseFailure.Bash', { ...bash(MISTAKE, 'z1', 'zero'), error: ERROR });
    await story.hook('PostToolUse.Bash', { ...bash(FIX, 'z2', 'zero'), tool_response: { stdout: 'a\n', stderr: '' } });
    await story.settle();
    for (const session of SESSIONS) {
      const { stdout } = await story.hook('PreToolUse.Bash', bash(MISTAKE, `${session}-1`, session));
      if (stdout !== '') withDaemon.push(session);
    }
    await story.settle();
  });
  after(() => story.close());

  const read = async (): Promise<readonly Delivery[]> => {
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    try {
      return await store.listDeliveries({});
    } finally {
      await store.close();
    }
  };

  it('is said in some and not in others, and both are recorded', async () => {
    assert.ok(withDaemon.length > 0 && withDaemon.length < SESSIONS.length, withDaemon.join());
    const deliveries = await read();
    assert.equal(deliveries.length, SESSIONS.length);
    for (const { sessionId, arm, bytes } of deliveries) {
      assert.equal(arm, withDaemon.includes(sessionId) ? 'shown' : 'holdout', sessionId);
      assert.equal(bytes > 0, arm === 'shown');
    }
  });

  it('is said to the sub-agents of the same sessions, by a hook without a daemon', () => {
    const fixture = join(ROOT, 'test/fixtures/claude-code/hooks/PreToolUse.Bash.subagent.json');
    const recorded = JSON.parse(readFileSync(fixture, 'utf8'));
    const cold = SESSIONS.filter((session) => {
      const payload = { ...recorded, cwd: story.project, ...bash(MISTAKE, `${session}-2`, session), agent_id: 'sub1' };
      const { stdout, status } = spawnSync(
        process.execPath,
        [join(ROOT, 'dist/hook.cjs'), 'claude-code', 'PreToolUse', '-'],
        {
          ...{ input: JSON.stringify(payload), env: { ...story.env }, encoding: 'utf8' },
        },
      );
      assert.equal(status, 0);
      return stdout !== '';
    });
    assert.deepEqual(cold, withDaemon);
  });

  it('is judged by the next call in either arm, and only what was said moves it', async () => {
    for (const session of SESSIONS)
      await story.hook('PostToolUse.Bash', {
        ...bash(FIX, `${session}-3`, session),
        tool_response: { stdout: 'a\n', stderr: '' },
      });
    await story.settle();
    const main = (await read()).filter(({ contextId }) => contextId === '');
    assert.deepEqual([...new Set(main.map(({ outcome }) => outcome))], ['clean']);
    const { history } = (await story.cli('lessons', 'show', (await listSlugs())[0] ?? '')) as {
      history: { reason: string }[];
    };
    const moves = history.filter(({ reason }) => reason.startsWith('clean after delivery'));
    assert.ok(moves.length > 0 && moves.length <= withDaemon.length, String(moves.length));
  });

  it('is never withheld from an examination', async () => {
    const { ok, checks } = (await story.cli('doctor')) as { ok: boolean; checks: unknown };
    assert.equal(ok, true, JSON.stringify(checks));
  });

  const listSlugs = async (): Promise<readonly string[]> =>
    (await story.list<{ slug: string }>('lessons', 'list')).map(({ slug }) => slug);
});
