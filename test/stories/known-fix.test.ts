/** A failure that an earlier session got past: the agent is shown how, with the error, and what came of it is measured. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { StoredDelivery } from '../../src/base/model/delivery.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { type HookAnswer, openStory, type Story } from './open-story.ts';

const ROOT = join(import.meta.dirname, '../..');
const MISTAKE = 'gh pr diff 12 --stat';
const FIX = 'gh pr diff 12 --name-only';
const ERROR = 'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';
const done = { tool_response: { stdout: 'a.ts\n', stderr: '', interrupted: false } };

const bash = (session: string, id: string, command: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'look at the change' },
  tool_use_id: id,
});

const readNote = ({ code, stdout, stderr }: HookAnswer): { readonly event?: string; readonly text: string } => {
  assert.deepEqual([code, stderr], [0, '']);
  if (stdout === '') return { text: '' };
  const { hookSpecificOutput, ...rest } = JSON.parse(stdout);
  assert.deepEqual([Object.keys(rest), Object.keys(hookSpecificOutput)], [[], ['hookEventName', 'additionalContext']]);
  return { event: hookSpecificOutput.hookEventName, text: hookSpecificOutput.additionalContext };
};

describe('a failure that an earlier session got past', () => {
  let story: Story;
  let calls = 0;
  const fail = async (session: string, command = MISTAKE, more: object = {}, error = ERROR) => {
    const fixture = 'agent_id' in more ? 'PostToolUseFailure.Bash.subagent' : 'PostToolUseFailure.Bash';
    return readNote(await story.hook(fixture, { ...bash(session, `c${++calls}`, command), error, ...more }));
  };
  const work = async (session: string, command = FIX): Promise<void> => {
    const answer = await story.hook('PostToolUse.Bash', { ...bash(session, `c${++calls}`, command), ...done });
    assert.equal(answer.stdout, '', 'a call that works hears nothing');
  };
  const batch = async (session: string, call: object) =>
    readNote(await story.hook('PostToolBatch.Read.error', { session_id: session, tool_calls: [call] }));
  const read = async (): Promise<readonly StoredDelivery[]> => {
    await story.settle();
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    try {
      return (await store.listDeliveries({})).filter(({ kind }) => kind === 'failure');
    } finally {
      await store.close();
    }
  };

  before(async () => {
    story = await openStory();
    await story.cli('config', 'set', 'holdout.share', '0');
    await story.hook('SessionStart.startup', { session_id: 'teacher' });
    assert.equal((await fail('teacher')).text, '', 'a new failure hears nothing');
    await work('teacher');
    await story.settle();
    assert.equal((await fail('teacher')).text, '', 'the session that found the fix knows it');
  });
  after(() => story.close());

  it('is met with the fix, as the answer to the failure and without a permission decision', async () => {
    const { event, text } = await fail('one');
    assert.equal(event, 'PostToolUseFailure');
    assert.match(text, /--name-only/);
  });

  it('is told again in other sessions, where it helps', async () => {
    for (const session of ['a', 'b', 'c', 'd']) {
      assert.match((await fail(session, 'gh pr diff 77 --stat')).text, /gh pr diff 77 --name-only/);
      await work(session, 'gh pr diff 77 --name-only');
    }
  });

  it('is told once in a conversation, whichever event comes first, and to each sub-agent', async () => {
    assert.equal((await fail('one')).text, '');
    const call = { ...bash('one', 'c1', MISTAKE), tool_response: ERROR };
    assert.equal((await batch('one', call)).text, '');
    const inside = await fail('one', MISTAKE, { agent_id: 'sub1', agent_type: 'general-purpose' });
    assert.match(inside.text, /--name-only/);
    const first = await batch('two', { ...call, session_id: undefined });
    assert.deepEqual([first.event, /--name-only/.test(first.text)], ['PostToolBatch', true]);
    assert.equal((await fail('two')).text, '');
  });

  it('is known also where the command hides its exit code: the batch tells', async () => {
    const call = { ...bash('hider', 'h1', `${MISTAKE} | head -3`), tool_response: 'unknown flag: --stat\n' };
    assert.match((await batch('hider', call)).text, /--name-only/);
  });

  it('is not told for another failure', async () => {
    assert.equal((await fail('three', 'gh pr diff 12 --web', {}, 'Exit code 1\nunknown flag: --web\n')).text, '');
  });

  it('is told by the lesson or by the fix, never by both', async () => {
    const pre = (session: string) => story.hook('PreToolUse.Bash', bash(session, `c${++calls}`, MISTAKE));
    assert.match((await pre('lesson-first')).stdout, /--name-only/);
    assert.equal((await fail('lesson-first')).text, '');
    assert.match((await fail('fix-first')).text, /--name-only/);
    assert.equal((await pre('fix-first')).stdout, '');
  });

  it('is told nothing by a hook without a daemon', () => {
    const payload = { ...bash('cold', 'cold-1', MISTAKE), hook_event_name: 'PostToolUseFailure', error: ERROR };
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(ROOT, 'dist/hook.cjs'), 'claude-code', 'PostToolUseFailure', '-'],
      { input: JSON.stringify({ ...payload, cwd: story.project }), env: { ...story.env }, encoding: 'utf8' },
    );
    assert.deepEqual([stdout, status], ['', 0]);
  });

  it('is recorded at its call and judged by later calls of the same intent', async () => {
    const shown = (await read()).filter(({ sessionId, contextId }) => sessionId === 'one' && contextId === '');
    assert.deepEqual(
      shown.map(({ mode, arm, bytes, outcome }) => [mode, arm, bytes > 0, outcome]),
      [['note', 'shown', true, 'ignored']],
      'the session repeated the same call',
    );
    assert.match((await fail('four', 'gh pr diff 78 --stat')).text, /--name-only/);
    await work('four', 'gh pr diff 78 --name-only');
    const [judged] = (await read()).filter(({ sessionId }) => sessionId === 'four');
    assert.deepEqual([judged?.outcome, judged?.failingAttempts, judged?.callsToSuccess], ['clean', 0, 1]);
  });

  it('is listed among the deliveries and counted apart from lessons', async () => {
    const rows = await story.list<Record<string, unknown>>('stats', 'deliveries');
    const [four] = rows.filter(({ sessionId }) => sessionId === 'four');
    assert.deepEqual(
      [four?.kind, /--name-only/.test(String(four?.knownFix)), four?.lesson],
      ['failure', true, undefined],
    );
    const stats = (await story.cli('stats')) as { cures: { shown: number }; by: { lesson: { key: string }[] } };
    assert.ok(stats.cures.shown >= 5, String(stats.cures.shown));
    assert.ok(stats.by.lesson.every(({ key }) => key.startsWith('les_')));
  });

  it('is explained: the text and its sessions, or why there is none', async () => {
    const ask = (command: string, error: string, ...more: readonly string[]) => {
      const input = JSON.stringify({ command });
      return story.cli('explain', '--tool', 'Bash', '--input', input, '--failure', error, ...more) as Promise<{
        silence: string | null;
        text: string | null;
        knownFix: { text: string; sessions: { sessionId: string }[] } | null;
      }>;
    };
    const known = await ask('gh pr diff 5 --stat', ERROR);
    assert.deepEqual([known.silence, /--name-only/.test(known.text ?? '')], [null, true]);
    const taught = known.knownFix?.sessions.map(({ sessionId }) => sessionId) ?? [];
    assert.ok(taught.includes('teacher') && taught.includes('four'), taught.join());
    assert.equal((await ask('gh pr diff 5 --web', 'unknown flag: --web')).silence, 'unknown failure');
    assert.equal((await ask(MISTAKE, ERROR, '--session', 'two')).silence, 'told before');
    assert.equal((await ask(MISTAKE, ERROR, '--agent', 'codex')).silence, null);
    const [one] = (await read()).filter(({ sessionId, contextId }) => sessionId === 'one' && contextId === '');
    const stored = (await story.cli('explain', '--call', one?.callId ?? '')) as typeof known;
    assert.deepEqual([stored.silence, stored.knownFix?.text], ['told before', known.knownFix?.text]);
  });

  it('is told at most three fixes in a conversation', async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta'];
    for (const name of names) {
      await fail('teacher', `gh ${name} run 1 --stat`, {}, `Exit code 1\nunknown flag for ${name}: --stat\n`);
      await work('teacher', `gh ${name} run 1 --name-only`);
    }
    await story.settle();
    const texts: string[] = [];
    for (const name of names)
      texts.push(
        (await fail('greedy', `gh ${name} run 2 --stat`, {}, `Exit code 1\nunknown flag for ${name}: --stat\n`)).text,
      );
    assert.deepEqual(
      texts.map((text) => text !== ''),
      [true, true, true, false],
    );
  });

  it('is silent when a person mutes everything or switches known fixes off', async () => {
    await story.cli('lessons', 'mute', '--all');
    assert.equal((await fail('muted')).text, '');
    await story.cli('lessons', 'unmute', '--all');
    await story.cli('config', 'set', 'delivery.knownFixes', 'false');
    assert.equal((await fail('off')).text, '');
    await story.cli('config', 'set', 'delivery.knownFixes', 'true');
    await story.settle();
    assert.match((await fail('on-again')).text, /--name-only/);
  });

  it('is silent when a person mutes the failure by its id, until it is unmuted', async () => {
    const [first] = await story.list<{ signature: string; program: string }>('sessions', 'failures');
    const asked = ['explain', '--tool', 'Bash', '--input', JSON.stringify({ command: MISTAKE }), '--failure', ERROR];
    const { signature } = (await story.cli(...asked)) as { signature: string };
    assert.equal(first?.signature, signature);
    for (const id of [signature, `cure_${signature}`]) {
      await story.cli('lessons', 'mute', id);
      assert.equal((await fail(`muted-by-${id}`)).text, '');
      await story.cli('lessons', 'unmute', id);
      assert.match((await fail(`unmuted-by-${id}`)).text, /--name-only/);
    }
    await assert.rejects(story.cli('lessons', 'mute', 'sig4_unknown'), /is not known/);
  });

  it('is a lesson that people find, word anew, mute and reject, where no lesson tells it before the call', async () => {
    const clash = 'Exit code 1\nerror: the options --json and --detailed exclude each other\n';
    const meet = (session: string) => fail(session, 'shipit status --detailed --json', {}, clash);
    const listFixes = async () =>
      (
        await story.list<{ slug: string; status: string; triggers: object; evidence: object[] }>('lessons', 'list')
      ).filter(({ triggers }) => 'failure' in triggers);
    const earlier = (await listFixes()).length;
    await meet('finder');
    await work('finder', 'shipit status --detailed');
    await story.settle();
    const fixes = await listFixes();
    assert.equal(fixes.length, earlier + 1);
    const fix = fixes.find(({ slug }) => slug.includes('shipit'));
    assert.deepEqual([fix?.status, fix?.evidence.length], ['active', 1]);
    const slug = fix?.slug ?? '';
    assert.match((await meet('reader')).text, /--json/);
    await story.cli('lessons', 'edit', slug, '--fix', 'ask for one report at a time');
    await story.settle();
    assert.match((await meet('second-reader')).text, /one report at a time/);
    await story.cli('lessons', 'mute', slug);
    assert.equal((await meet('muted-reader')).text, '');
    await story.cli('lessons', 'unmute', slug);
    assert.match((await meet('third-reader')).text, /one report at a time/);
    await story.cli('lessons', 'archive', slug, '--reason', 'not here');
    await story.settle();
    assert.equal((await meet('last-reader')).text, '');
  });

  it('is silent in this project once a person called it not helpful', async () => {
    const [delivery] = (await read()).filter(({ sessionId }) => sessionId === 'four');
    await story.cli('lessons', 'feedback', delivery?.id ?? '', 'not-helpful');
    await story.settle();
    assert.equal((await fail('after-feedback')).text, '');
    const asked = (await story.cli(
      ...['explain', '--tool', 'Bash', '--input', JSON.stringify({ command: MISTAKE }), '--failure', ERROR],
    )) as { silence: string };
    assert.equal(asked.silence, 'not helpful');
  });
});

describe('a known fix that is withheld from half of the sessions', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
    await story.cli('config', 'set', 'holdout.share', '0.5');
    await story.cli('config', 'set', 'holdout.after', '0');
  });
  after(() => story.close());

  it('is recorded in both arms, and not shown in one', async () => {
    const fail = (session: string, id: string) =>
      story.hook('PostToolUseFailure.Bash', { ...bash(session, id, MISTAKE), error: ERROR });
    await story.hook('SessionStart.startup', { session_id: 'zero' });
    await fail('zero', 'z1');
    await story.hook('PostToolUse.Bash', { ...bash('zero', 'z2', FIX), ...done });
    await story.settle();
    const heard: string[] = [];
    const sessions = Array.from({ length: 12 }, (_, n) => `drawn-${n}`);
    for (const session of sessions) if (readNote(await fail(session, session)).text !== '') heard.push(session);
    await story.settle();
    assert.ok(heard.length > 0 && heard.length < sessions.length, heard.join());
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    const deliveries = await store.listDeliveries({});
    await store.close();
    assert.equal(deliveries.length, sessions.length);
    for (const { sessionId, arm, bytes } of deliveries)
      assert.deepEqual([arm, bytes > 0], heard.includes(sessionId) ? ['shown', true] : ['holdout', false], sessionId);
  });
});
