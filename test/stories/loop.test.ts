import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { StatsReport } from '../../src/measure/make-stats-report.ts';
import { openStory, type Story } from './open-story.ts';

const MISTAKE = 'gh pr diff 12 --stat';
const FIX = 'gh pr diff 12 --name-only';
const ERROR = 'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';

const bash = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'look at the change' },
  tool_use_id: id,
});

/** Every key of a JSON value, at any depth. */
const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)])
    : [];

describe('the whole loop, from recorded payloads', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  const deliveries = async (): Promise<readonly Delivery[]> => {
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    try {
      return await store.listDeliveries({});
    } finally {
      await store.close();
    }
  };
  const lessons = () => story.list<Lesson>('lessons', 'list');

  it('says nothing while nothing is known', async () => {
    await story.hook('SessionStart.startup', { session_id: 'one' });
    const answer = await story.hook('PreToolUse.Bash', bash(MISTAKE, 'a1', 'one'));
    assert.deepEqual(answer, { code: 0, stdout: '', stderr: '' });
  });

  it('learns a lesson from a failing command and its corrected successor', async () => {
    await story.hook('PostToolUseFailure.Bash', { ...bash(MISTAKE, 'a1', 'one'), error: ERROR });
    await story.hook('PreToolUse.Bash', bash(FIX, 'a2', 'one'));
    await story.hook('PostToolUse.Bash', {
      ...bash(FIX, 'a2', 'one'),
      tool_response: { stdout: 'src/a.ts\n', stderr: '' },
    });
    await story.hook('SessionEnd', { session_id: 'one' });
    await story.settle();
    const [lesson, ...others] = await lessons();
    assert.equal(others.length, 0);
    assert.deepEqual(lesson?.triggers.programs, [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } }]);
    assert.equal(lesson?.status, 'active');
  });

  it('delivers it before the next such call, in the right envelope and without a permission decision', async () => {
    await story.hook('SessionStart.startup', { session_id: 'two' });
    const answer = await story.hook('PreToolUse.Bash', bash('gh pr diff 99 --stat', 'b1', 'two'));
    assert.equal(answer.code, 0);
    const reply = JSON.parse(answer.stdout);
    assert.deepEqual(Object.keys(reply), ['hookSpecificOutput']);
    assert.deepEqual(Object.keys(reply.hookSpecificOutput).sort(), ['additionalContext', 'hookEventName']);
    assert.equal(reply.hookSpecificOutput.hookEventName, 'PreToolUse');
    assert.match(reply.hookSpecificOutput.additionalContext, /--name-only/);
    assert.deepEqual(
      keysOf(reply).filter((key) => /permission|decision|continue|updatedInput/i.test(key)),
      [],
    );
  });

  it('says it once per context: not again to the agent, but to its sub-agent', async () => {
    assert.equal((await story.hook('PreToolUse.Bash', bash(MISTAKE, 'b2', 'two'))).stdout, '');
    const sub = { ...bash(MISTAKE, 'b3', 'two'), agent_id: 'sub1', agent_type: 'general-purpose' };
    assert.match((await story.hook('PreToolUse.Bash.subagent', sub)).stdout, /--name-only/);
    assert.equal((await story.hook('PreToolUse.Bash.subagent', { ...sub, tool_use_id: 'b4' })).stdout, '');
  });

  it('stays silent on the fix, on other commands and on words that only look like the mistake', async () => {
    for (const command of [
      FIX,
      'git diff --stat',
      `echo "${MISTAKE}"`,
      `grep -r '${MISTAKE}' .`,
      `cat <<'E'\n${MISTAKE}\nE`,
    ]) {
      assert.equal((await story.hook('PreToolUse.Bash', bash(command, 'b5', 'three'))).stdout, '', command);
    }
  });

  it('judges the delivery by the next call of the same intent, never by its own', async () => {
    await story.hook('PostToolUseFailure.Bash', { ...bash('gh pr diff 99 --stat', 'b1', 'two'), error: ERROR });
    await story.settle();
    assert.deepEqual(
      (await deliveries()).map((one) => one.outcome),
      [undefined, undefined],
    );
    await story.hook('PostToolUse.Bash', {
      ...bash('gh pr diff 99 --name-only', 'b6', 'two'),
      tool_response: { stdout: 'x', stderr: '' },
    });
    await story.settle();
    const main = (await deliveries()).find((one) => one.contextId === '');
    assert.equal(main?.outcome, 'clean');
    assert.equal(main?.callId, 'b1');
    assert.ok((main?.latencyUs ?? 0) > 0 && (main?.bytes ?? 0) > 0);
  });

  it('moves the confidence of the lesson with the outcome, and keeps why', async () => {
    const [lesson] = await lessons();
    const { history } = (await story.cli('lessons', 'show', lesson?.slug ?? '')) as { history: { reason: string }[] };
    assert.equal(
      history.some(({ reason }) => /clean after delivery/.test(reason)),
      true,
    );
  });

  it('closes what can no longer be judged when the session ends', async () => {
    await story.hook('SessionEnd', { session_id: 'two' });
    await story.settle();
    const sub = (await deliveries()).find((one) => one.contextId !== '');
    assert.equal(sub?.outcome, 'incomplete');
  });

  it('counts every byte that it added, with what stands around the lessons', async () => {
    const { totals, added } = (await story.cli('stats')) as StatsReport;
    const kinds = new Map(added?.kinds.map(({ kind, bytes }) => [kind, bytes]));
    assert.ok((kinds.get('note') ?? 0) > totals.bytes, 'the trailer counts too');
  });

  it('explains itself', async () => {
    const explained = (await story.cli(
      'explain',
      '--tool',
      'Bash',
      '--input',
      JSON.stringify({ command: MISTAKE }),
    )) as { matches: unknown[] };
    assert.equal(explained.matches.length, 1);
  });

  it('passes its own examination, which leaves no trace', async () => {
    const before = (await deliveries()).length;
    const { ok, checks } = (await story.cli('doctor')) as { ok: boolean; checks: { name: string; detail: string }[] };
    assert.equal(ok, true, JSON.stringify(checks));
    assert.match(checks.find((check) => check.name.startsWith('a lesson'))?.detail ?? '', /arrived in/);
    await story.settle();
    assert.equal((await deliveries()).length, before);
  });
});
