/**
 * Secrets: made-up credentials of every kind go through everything the product has, in every place they turn up; then
 * nothing of them may stand in any file of the data directory. The daemon is killed on the way, and is away for a while.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { type FindLeak, findLeaks, makeLeakFinder } from '../capture/leaks.ts';
import { type Credential, LINE_KINDS, TOKEN_KINDS } from '../capture/secret-kinds.ts';
import { LINE_PLACES, type Place, TOKEN_PLACES } from '../capture/secret-places.ts';
import { waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

interface Hiding {
  readonly credential: Credential;
  readonly places: readonly Place[];
}

const ALL_PLACES = Object.values({ ...TOKEN_PLACES, ...LINE_PLACES });
const sample = (kind: fc.Arbitrary<Credential>, seed: number): Credential =>
  fc.sample(kind, { numRuns: 1, seed })[0] ?? { shown: '', hidden: [] };
const tokens = Object.values(TOKEN_KINDS).map((kind, i) => sample(kind, i));
const HIDINGS: readonly Hiding[] = [
  ...tokens.map((credential) => ({ credential, places: ALL_PLACES })),
  ...Object.values(LINE_KINDS).map((kind, i) => ({
    credential: sample(kind, 1000 + i),
    places: Object.values(LINE_PLACES),
  })),
];
/** Every kind in every place. */
const TEXTS = HIDINGS.flatMap(({ credential, places }) => places.map((place) => place(credential.shown)));
const [TOKEN = { shown: '', hidden: [] }] = tokens;

/** A text in the many fields that take one; `sort` turns the wheel. */
function toPayload(text: string, id: string, sort: number): readonly [fixture: string, fields: object] {
  const bash = { session_id: 'live', tool_use_id: id, tool_name: 'Bash' };
  const payloads = [
    ['PostToolUse.Bash', { ...bash, tool_input: { command: text }, tool_response: { stdout: 'ok', stderr: '' } }],
    ['PostToolUse.Bash', { ...bash, tool_input: { command: 'env' }, tool_response: { stdout: text, stderr: text } }],
    ['PostToolUseFailure.Bash', { ...bash, tool_input: { command: text }, error: `Exit code 1\nError: ${text}` }],
    ['UserPromptSubmit', { session_id: 'live', prompt: text }],
    ['PostToolUse.Write', { session_id: 'live', tool_use_id: id, tool_input: { file_path: text, content: text } }],
    ['PostToolUse.Edit', { session_id: 'live', tool_use_id: id, tool_input: { file_path: '/a', new_string: text } }],
    ['PostToolUseFailure.Read', { session_id: 'live', tool_use_id: id, tool_input: { file_path: text }, error: text }],
    ['PreToolUse.Bash', { ...bash, tool_input: { command: text } }],
    ['PostToolUse.Grep', { session_id: 'live', tool_use_id: id, tool_name: 'mcp__x__y', tool_input: { query: text } }],
  ] as const;
  return payloads[sort % payloads.length] ?? payloads[0];
}

const toBatch = (session: string, texts: readonly string[]) => ({
  session_id: session,
  tool_calls: texts.map((text, i) => ({
    tool_name: i % 3 === 0 ? 'mcp__x__y' : 'Bash',
    tool_input: i % 3 === 1 ? { command: text } : { command: 'printenv', query: text },
    tool_use_id: `${session}-${i}`,
    tool_response: i % 3 === 2 ? text : `Exit code 1\n${text}`,
  })),
});

/** A transcript of calls: each asks with the text, or is answered with it. */
function renderTranscript(session: string, cwd: string, texts: readonly string[]): string {
  const row = (type: string, content: unknown, i: number) => ({
    type,
    sessionId: session,
    cwd,
    gitBranch: `try/${TOKEN.shown}`,
    version: '2.1.0',
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString(),
    message: { role: type, content },
  });
  return texts
    .flatMap((text, i) => {
      const [asked, said] = i % 2 === 0 ? [text, 'ok'] : ['printenv', text];
      const use = { type: 'tool_use', id: `${session}-${i}`, name: 'Bash', input: { command: asked } };
      const result = { type: 'tool_result', tool_use_id: `${session}-${i}`, is_error: i % 4 === 1, content: said };
      return [row('assistant', [use], 2 * i), row('user', [result], 2 * i + 1), row('user', text, 2 * i + 1)];
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

describe('secrets', () => {
  let story: Story;
  let findLeak: FindLeak;
  before(async () => {
    story = await openStory();
    findLeak = makeLeakFinder(HIDINGS.map(({ credential }) => credential));
    execFileSync('git', ['init', '-q'], { cwd: story.project });
    const remote = `https://x-access-token:${TOKEN.shown}@github.com/acme/shop.git`;
    execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: story.project });
  });
  after(() => story.close());

  const assertClean = (): void => assert.deepEqual(findLeaks(story.dataDir, findLeak), {});
  const listCalls = async (sessionId: string): Promise<readonly StoredCall[]> => {
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    try {
      return await store.listCalls({ sessionId });
    } finally {
      await store.close();
    }
  };
  const sendAll = async (session: string, hidings: readonly Hiding[], env = {}): Promise<void> => {
    for (let at = 0; at < hidings.length; at += 8) {
      const sent = hidings.slice(at, at + 8).map(({ credential, places }, i) => {
        const text = places[(at + i) % places.length]?.(credential.shown) ?? '';
        const [fixture, fields] = toPayload(text, `${session}-${at + i}`, at + i);
        return story.hook(fixture, fields, env);
      });
      for (const answer of await Promise.all(sent)) assert.equal(answer.code, 0);
    }
  };

  it('of more than forty kinds are looked for, and would be found', () => {
    assert.ok(HIDINGS.length > 40 && TEXTS.length > 1000);
    for (const text of TEXTS) assert.notEqual(findLeak(text), undefined, text);
  });

  it('do not get out of a hook without a daemon', async () => {
    await story.cli('daemon', 'stop');
    const alone = { ONCEBITTEN_NO_DAEMON: '1' };
    // A process of its own each: some of them, and one with all.
    await sendAll(
      'cold',
      HIDINGS.filter((_, i) => i % 5 === 0),
      alone,
    );
    await story.hook('PostToolBatch', toBatch('cold', TEXTS), alone);
    const cwd = join(story.project, TOKEN.shown);
    mkdirSync(cwd);
    await story.hook('SessionStart.startup', { session_id: 'inside', cwd }, alone);
    assert.notEqual(readdirSync(join(story.dataDir, 'spool')).length, 0);
    assertClean();
  });

  it('do not get out of the daemon, alive or killed', async () => {
    await story.cli('daemon', 'start');
    await story.hook('SessionStart.startup', { session_id: 'live' });
    await sendAll('live', HIDINGS);
    await story.hook('PostToolBatch', toBatch('batch', TEXTS));
    await story.settle();
    assertClean();
    const pid = await story.daemonPid();
    await story.hook('PostToolBatch', toBatch('killed', TEXTS.slice(0, 100)));
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    assertClean();
    await story.cli('daemon', 'start');
    await story.settle();
    assertClean();
    const calls = await listCalls('batch');
    assert.equal(calls.length, TEXTS.length);
    const marked = calls.filter((call) => /\[redacted:/.test(`${call.inputSummary}${call.outputSummary}`));
    assert.ok(marked.length > 0.9 * calls.length, `${marked.length} of ${calls.length}`);
  });

  it('that only the scanner knows are found by the installed daemon', async () => {
    const command = `psql "postgres://app:Zq8'Rt2wL5mXc9@db.internal/shop"`;
    const fields = { session_id: 'scanner', tool_use_id: 's1', tool_input: { command } };
    await story.hook('PostToolUse.Bash', fields);
    await story.settle();
    const [call] = await listCalls('scanner');
    assert.equal(call?.inputSummary, 'psql "[redacted:database-connection-string]');
  });

  it('do not get out of a scan', async () => {
    const folder = join(story.home, 'sessions');
    mkdirSync(folder);
    writeFileSync(join(folder, 'scanned.jsonl'), renderTranscript('scanned', story.project, TEXTS));
    const totals = (await story.cli('scan', '--agent', 'claude-code', '--path', folder)) as { calls: number };
    assert.equal(totals.calls, TEXTS.length);
    assertClean();
  });

  it('do not get into a lesson, its evidence or the manifest', async () => {
    const tell = (command: string, id: string) => ({ session_id: 'lesson', tool_use_id: id, tool_input: { command } });
    const asked = `GH_TOKEN=${TOKEN.shown} gh pr diff 12`;
    const error = `Exit code 1\nunknown flag: --stat\n${TOKEN.shown}`;
    await story.hook('PostToolUseFailure.Bash', { ...tell(`${asked} --stat`, 'l1'), error });
    const done = { tool_response: { stdout: TOKEN.shown, stderr: '' } };
    await story.hook('PostToolUse.Bash', { ...tell(`${asked} --name-only --body ${TOKEN.shown}`, 'l2'), ...done });
    await story.hook('SessionEnd', { session_id: 'lesson' });
    await story.settle();
    const lessons = await story.list<Lesson>('lessons', 'list');
    const learned = lessons.find((lesson) => lesson.triggers.programs?.[0]?.args?.any?.includes('--stat'));
    assert.ok(learned !== undefined, 'a lesson was learned');
    assert.match(readFileSync(join(story.dataDir, 'manifest.json'), 'utf8'), /--stat/);
    assertClean();
  });

  it('do not get into a lesson that a person writes', async () => {
    const words = ['--summary', `use ${TOKEN.shown}`, '--mistake', TOKEN.shown, '--fix', `x --token ${TOKEN.shown}`];
    const added = (await story.cli('lessons', 'add', '--program', 'deploy', ...words)) as Lesson;
    assert.match(added.summary, /^use \[redacted:/);
    const inTrigger = story.cli('lessons', 'add', '--program', 'x', '--with', TOKEN.shown, '--summary', 's');
    await assert.rejects(inTrigger, /secret in its trigger/);
    assertClean();
  });

  it('do not get into the log or the list of troubles', async () => {
    await story.cli('daemon', 'stop');
    const url = `postgres://app:${TOKEN.shown}@127.0.0.1:1/none`;
    const settingsFile = join(story.dataDir, 'config.jsonc');
    writeFileSync(settingsFile, JSON.stringify({ store: { url } }), { mode: 0o600 });
    await waitUntil('a hook brings the daemon back', async () => {
      await story.hook('PostToolUse.Bash', { session_id: 'live' });
      return (await story.daemonPid()) !== undefined;
    });
    await story.hook('PostToolBatch', toBatch('away', TEXTS.slice(0, 50)));
    await story.settle();
    const [host = ''] = readdirSync(join(story.dataDir, 'run'));
    assert.match(readFileSync(join(story.dataDir, 'run', host, 'daemon.log'), 'utf8'), /127\.0\.0\.1:1/);
    // The password is the user's own there.
    rmSync(settingsFile);
    assertClean();
  });
});
