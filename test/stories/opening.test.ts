import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openStory, type Story } from './open-story.ts';

const call = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
});

/** A process that certainly is none. */
const GONE = { CLAUDE_PID: '4194304' };

describe('the opening of a session', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  const fail = (command: string, id: string, session: string, error: string) =>
    story.hook('PostToolUseFailure.Bash', { ...call(command, id, session), error });
  const succeed = (command: string, id: string, session: string) =>
    story.hook('PostToolUse.Bash', { ...call(command, id, session), tool_response: { stdout: 'ok', stderr: '' } });
  const start = async (session: string, env = {}): Promise<string> => {
    await story.settle();
    const { code, stdout } = await story.hook('SessionStart.startup', { session_id: session }, env);
    assert.equal(code, 0);
    if (stdout === '') return '';
    const reply = JSON.parse(stdout);
    assert.deepEqual(Object.keys(reply.hookSpecificOutput).sort(), ['additionalContext', 'hookEventName']);
    assert.equal(reply.hookSpecificOutput.hookEventName, 'SessionStart');
    return reply.hookSpecificOutput.additionalContext;
  };

  it('says nothing when there is nothing to say', async () => {
    assert.equal(await start('one'), '');
  });

  it('tells of failures that nothing settled: command, exit code, output, time; grouped and oldest first', async () => {
    await fail('make deploy', 'a1', 'one', 'Exit code 2\nmake: *** No rule to make target `deploy`.  Stop.');
    await fail('npm run buidl', 'a2', 'one', 'Exit code 1\nnpm error Missing script: "buidl"');
    await fail('npm run buidl', 'a3', 'one', 'Exit code 1\nnpm error Missing script: "buidl"');
    await story.hook('SessionEnd', { session_id: 'one' });
    const text = await start('two');
    assert.match(text, /^UNRESOLVED TOOL FAILURES/);
    assert.match(text, /file an issue only when asked/);
    assert.match(text, /`make deploy` \(exit 2, \d{4}-\d\d-\d\d \d\d:\d\d\)\n {2}.*No rule to make target/s);
    assert.match(text, /`npm run buidl` \(exit 1, 2 times, /);
    assert.ok(text.indexOf('make deploy') < text.indexOf('npm run buidl'));
  });

  it('tells it once', async () => {
    assert.equal(await start('three'), '');
  });

  it('does not mention a red test that turned green, nor a probe that was meant to fail', async () => {
    await fail('npm test', 'b1', 'three', 'Exit code 1\n1 failing');
    await succeed('npm test -- --watch=false', 'b2', 'three');
    assert.equal(await start('four'), '');
  });

  it('tells of a failure that another success does not settle', async () => {
    for (const [i, [red, green]] of [
      ['npm run build', 'npm run lint'],
      ['gh pr create --fill', 'gh pr view'],
      ['ls && npm run deploy', 'ls'],
    ].entries()) {
      await fail(String(red), `k${i}`, 'four', 'Exit code 1\nError: it broke');
      await succeed(String(green), `l${i}`, 'four');
      assert.match(await start(`four-${i}`), new RegExp(String(red)), green);
    }
  });

  it('tells what happened again, though it looks the same', async () => {
    const open: string[] = [];
    for (const id of ['m1', 'm2']) {
      await fail('dep go', id, 'four', 'Exit code 1\nError: again');
      open.push(await start(`${id}-a`), await start(`${id}-b`));
    }
    assert.deepEqual(
      open.map((text) => text.includes('dep go')),
      [true, false, true, false],
    );
  });

  it('does not mention checks that turned green, however they were run', async () => {
    const cycles = [
      ['npm run test', 'npm test'],
      ['npx vitest run a.test.ts', 'npm test'],
      ['node --test test', 'node --test test/a.test.js'],
      ['pytest -q tests', 'pytest -q tests/test_a.py'],
      ['npm run build', 'npm run lint && npm run build'],
    ];
    for (const [i, [red = '', green = '']] of cycles.entries()) {
      await fail(red, `n${i}`, 'four', 'Exit code 1\n1 failing\nAssertionError: expected 1 to equal 2');
      await succeed(green, `o${i}`, 'four');
    }
    assert.equal(await start('four-c'), '');
  });

  it('tells of other people’s hooks that broke, as what they are, once', async () => {
    const transcript = join(story.home, '.claude/projects/x/hooked.jsonl');
    mkdirSync(dirname(transcript), { recursive: true });
    const rows = [1, 2].map((n) => ({
      type: 'attachment',
      sessionId: 'hooked',
      uuid: `u${n}`,
      cwd: story.project,
      timestamp: new Date().toISOString(),
      attachment: {
        type: 'hook_non_blocking_error',
        hookName: 'PostToolUse:Bash',
        hookEvent: 'PostToolUse',
        toolUseID: `t${n}`,
        command: 'my-linter --fix',
        stderr: 'Failed with non-blocking status code: sh: 1: my-linter: not found',
        exitCode: 127,
      },
    }));
    writeFileSync(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await story.hook('SessionEnd', { session_id: 'hooked', transcript_path: transcript });
    const text = await start('after-hooked');
    assert.match(text, /hook `my-linter --fix` \(PostToolUse:Bash\) failed 2 times with exit 127, .*not found/);
    assert.equal(await start('after-that'), '');
  });

  it('tells once of a gate that refused three times, and not of one that let a later call pass', async () => {
    const refuse = (command: string, id: string, words: string) =>
      story.hook('PostToolBatch.denied.hook', {
        session_id: 'gated',
        tool_calls: [{ tool_name: 'Bash', tool_input: { command }, tool_use_id: id, tool_response: words }],
      });
    const no = 'PreToolUse:Bash hook error: [my-guard --strict]: write a test first\n';
    await refuse('git commit -m one', 'g1', no);
    await refuse('git add -A && git commit -m two', 'g2', no);
    assert.equal(await start('gated-a'), '');
    await refuse('git commit --amend', 'g3', no);
    // Ours, the user's, and those that something got past are not told of.
    for (const n of [1, 2, 3]) {
      await refuse('npm publish', `h${n}`, 'PreToolUse:Bash hook error: Oncebitten held this call back: no');
      await refuse(
        'make deploy',
        `i${n}`,
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
      );
      await refuse('cargo run', `j${n}`, no);
    }
    await succeed('cargo run', 'j4', 'gated');
    const text = await start('gated-b');
    assert.match(
      text,
      /^- hook `my-guard --strict` \(PreToolUse:Bash\) .*`git commit --amend` 3 times.*"write a test first"/m,
    );
    assert.equal(text.match(/^- hook .* \d+ times/gm)?.length, 1);
    assert.equal(await start('gated-c'), '');
  });

  it('keeps within the budget, and the rest waits for the next session', async () => {
    for (let i = 0; i < 20; i++)
      await fail(`tool${i} run`, `c${i}`, 'four', `Exit code 1\nerror: ${'x'.repeat(450)} ${i}`);
    const first = await start('five');
    assert.ok(Buffer.byteLength(first) <= 4096);
    assert.match(first, /tool0 run/);
    const second = await start('six');
    assert.match(second, /tool\d+ run/);
    assert.doesNotMatch(second, /tool0 run/);
  });

  it('is the same without a daemon', async () => {
    await fail('terraform aply', 'e1', 'eight', 'Exit code 127\nterraform has no command named "aply".');
    await story.settle();
    await story.cli('daemon', 'stop');
    const text = await start('nine', { ONCEBITTEN_NO_DAEMON: '1' });
    assert.match(text, /terraform aply/);
    assert.equal(await start('ten', { ONCEBITTEN_NO_DAEMON: '1' }), '');
    await story.cli('daemon', 'start');
    assert.equal(await start('eleven'), '');
  });

  it('says nothing on resume or compaction', async () => {
    await fail('kubectl aply', 'f1', 'eleven', 'Exit code 1\nerror: unknown command "aply"');
    await story.settle();
    assert.equal((await story.hook('SessionStart.resume', { session_id: 'eleven' })).stdout, '');
    assert.equal((await story.hook('SessionStart.compact', { session_id: 'eleven' })).stdout, '');
    assert.match(await start('twelve'), /kubectl aply/);
  });
});

describe('a session that died', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  /** What the store would hold had the session been silent for an hour. */
  const letAnHourPass = (sessionId: string): void => {
    const database = new DatabaseSync(`${story.dataDir}/oncebitten.db`);
    const old = new Date(Date.now() - 3_600_000).toISOString();
    database.prepare('update sessions set last_seen_at = ? where session_id = ?').run(old, sessionId);
    database.close();
  };
  const open = async (session: string, env = {}): Promise<string> => {
    const { stdout } = await story.hook('SessionStart.startup', { session_id: session }, env);
    await story.settle();
    return stdout;
  };

  it('is told of at the next start, once, and one that lives or ended is not', async () => {
    await open('dead', GONE);
    await open('alive', { CLAUDE_PID: String(process.pid) });
    await open('ended', GONE);
    await story.hook('SessionEnd', { session_id: 'ended' });
    await story.settle();
    for (const session of ['dead', 'alive', 'ended']) letAnHourPass(session);
    // Something happens in the project: its brief is written anew.
    await open('other');
    const told = await open('next');
    assert.match(told, /SESSIONS THAT DIED/);
    assert.equal(told.match(/last seen/g)?.length, 1);
    assert.equal(await open('after'), '');
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    assert.equal((await store.findSession('claude-code', 'dead'))?.endReason, 'died');
    assert.equal((await store.findSession('claude-code', 'alive'))?.endReason, undefined);
    await store.close();
  });
});

describe('CRITICAL lessons and drafts at the start', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
    const words = ['--summary', 'Never run all tests', '--mistake', 'it hangs', '--fix', 'pytest -x'];
    await story.cli('lessons', 'add', ...words, '--program', 'pytest', '--priority', '9');
    await story.settle();
  });
  after(() => story.close());

  const ask = async (fixture: string, fields: object, env = {}): Promise<string> => {
    const { stdout } = await story.hook(fixture, fields, env);
    return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  };
  const TOLD = /^CRITICAL LESSONS from earlier work:\n- \S+: Never run all tests\n {2}Mitigate: pytest -x$/;

  it('are told when a session begins or was compacted, and speak at the call all the same', async () => {
    assert.match(await ask('SessionStart.startup', { session_id: 'one' }), TOLD);
    assert.match(await ask('SessionStart.compact', { session_id: 'one' }), TOLD);
    assert.equal(await ask('SessionStart.resume', { session_id: 'one' }), '');
    const said = await ask('PreToolUse.Bash', call('pytest', 'c1', 'one'));
    const trailer = /\n===\n<!-- oncebitten: (\{.*\}) -->$/;
    assert.match(said, /^=== CRITICAL lesson from earlier work/);
    const { shown } = JSON.parse(trailer.exec(said)?.[1] ?? '') as { shown: readonly { why: string }[] };
    assert.deepEqual(
      shown.map(({ why }) => why),
      ['program pytest'],
    );
  });

  it('are the same without a daemon', async () => {
    await story.settle();
    await story.cli('daemon', 'stop');
    assert.match(await ask('SessionStart.startup', { session_id: 'two' }, { ONCEBITTEN_NO_DAEMON: '1' }), TOLD);
    await story.cli('daemon', 'start');
    await story.settle();
  });

  it('are recorded as what they are, and not judged by what the session does', async () => {
    const done = { tool_response: { stdout: 'ok', stderr: '' } };
    await story.hook('PostToolUse.Bash', { ...call('pytest', 'c9', 'two'), ...done });
    await story.hook('SessionEnd', { session_id: 'two' });
    await story.settle();
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    const all = await store.listDeliveries({ agent: 'claude-code' });
    await store.close();
    const facts = all.map(({ sessionId, kind, callId, outcome }) =>
      [sessionId, kind, callId, outcome ?? 'open'].join(),
    );
    assert.deepEqual(facts.toSorted(), [
      'one,call,c1,open',
      'one,session-start,,open',
      'one,session-start,,open',
      'two,session-start,,incomplete',
    ]);
  });

  it('say how many drafts wait, as long as they do', async () => {
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    const [lesson] = await store.listLessons();
    const change = { by: 'test', reason: 'new', at: new Date().toISOString() };
    for (const n of [1, 2])
      await store.saveLesson(
        makeTestLesson({ slug: `draft-${n}`, contentHash: `sha256:${n}`, status: 'draft' }),
        change,
      );
    await store.close();
    await story.cli('lessons', 'archive', lesson?.slug ?? '');
    const started = () => ask('SessionStart.startup', { session_id: 'three' });
    assert.equal(await started(), '2 draft lessons wait for the user: oncebitten lessons review');
    await story.cli('review', '--reject', 'draft-1', '--approve', 'draft-2');
    assert.equal(await started(), '');
  });
});

describe('what was learned of late, at the start', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  const start = async (session: string, env = {}): Promise<string> => {
    const { stdout } = await story.hook('SessionStart.startup', { session_id: session }, env);
    return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  };
  const learn = async (slug: string, fields: Parameters<typeof makeTestLesson>[0] = {}): Promise<void> => {
    const at = new Date().toISOString();
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    const origin = { kind: 'episode', by: 'test', trust: 'observed' } as const;
    const lesson = makeTestLesson({ slug, contentHash: `sha256:${slug}`, origin, createdAt: at, ...fields });
    await store.saveLesson(lesson, { by: 'test', reason: 'new', at });
    await store.close();
    // Any command that changes lessons compiles them anew.
    await story.cli('lessons', 'edit', slug, '--priority', '6');
    await story.settle();
  };

  it('is told once, by name, and again only when there is something new', async () => {
    await learn('first');
    assert.match(await start('one'), /^1 lesson was learned .*\bfirst\b/);
    assert.equal(await start('two'), '');
    await learn('second');
    const text = await start('three');
    assert.match(text, /^2 lessons were learned /);
    for (const slug of ['first', 'second']) assert.ok(text.includes(slug));
    assert.equal(await start('four'), '');
  });

  it('is told once also when no daemon runs', async () => {
    await learn('third');
    await story.cli('daemon', 'stop');
    const alone = { ONCEBITTEN_NO_DAEMON: '1' };
    assert.match(await start('five', alone), /^3 lessons were learned .*\bthird\b/);
    assert.equal(await start('six', alone), '');
    await story.cli('daemon', 'start');
    assert.equal(await start('seven'), '');
  });

  it('leaves out what a person wrote, what waits for one, and what is days old', async () => {
    const old = new Date(Date.now() - 4 * 24 * 60 * 60_000).toISOString();
    await learn('written', { origin: { kind: 'user', by: 'test', trust: 'stated' } });
    await learn('ancient', { createdAt: old });
    assert.equal(await start('eight'), '');
    await learn('unsure', { needsReview: true });
    assert.doesNotMatch(await start('nine'), /learned/);
  });
});
