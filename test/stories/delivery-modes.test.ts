/** Lessons that hold calls back or correct them, with the built hook, with and without a daemon. */
import assert from 'node:assert/strict';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { kill } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const MISTAKE = 'gh pr diff 12 --stat';
const FIX = 'gh pr diff 12 --name-only';
const ERROR =
  'Exit code 1\nunknown flag: --stat\nDid you mean --name-only?\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';

const bash = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'look at the change' },
  tool_use_id: id,
});

interface Answer {
  readonly systemMessage?: string;
  readonly hookSpecificOutput: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly updatedInput?: { readonly command: string };
  };
}

describe('a lesson that may do more than advise', () => {
  let story: Story;
  let slug = '';
  before(async () => {
    story = await openStory({ install: false });
    await story.cli('install', 'claude-code', '--force', '--allow-pause');
    await story.hook('SessionStart.startup', { session_id: 'zero' });
    await story.hook('PostToolUseFailure.Bash', { ...bash(MISTAKE, 'z1', 'zero'), error: ERROR });
    await story.hook('PostToolUse.Bash', {
      ...bash(FIX, 'z2', 'zero'),
      tool_response: { stdout: 'src/a.ts\n', stderr: '' },
    });
    await story.settle();
    const [lesson] = await story.list<Lesson>('lessons', 'list');
    slug = lesson?.slug ?? assert.fail('nothing was learned');
    assert.deepEqual(lesson?.replacement, { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' });
  });
  after(() => story.close());

  const ask = async (command: string, id: string, session: string): Promise<Answer | undefined> => {
    const { code, stdout, stderr } = await story.hook('PreToolUse.Bash', bash(command, id, session));
    assert.deepEqual([code, stderr], [0, '']);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };
  const isRefused = (answer: Answer | undefined) => answer?.hookSpecificOutput.permissionDecision === 'deny';
  const killDaemon = async (): Promise<void> => {
    const pid = await story.daemonPid();
    assert.ok(pid !== undefined, 'no daemon was running');
    kill(pid);
  };
  const read = async <T>(work: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<T>): Promise<T> => {
    const store = await openSqliteStore(`${story.dataDir}/oncebitten.db`);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };

  it('is a note while it is seen once only, though pauses are allowed', async () => {
    const answer = await ask(MISTAKE, 'a1', 'note');
    assert.deepEqual(Object.keys(answer ?? {}), ['hookSpecificOutput']);
    assert.equal(isRefused(answer), false);
  });

  it('refuses once where a person says so; the retry passes though the daemon was killed in between', async () => {
    await story.cli('lessons', 'edit', slug, '--mode', 'pause');
    await story.settle();
    const answer = await ask(MISTAKE, 'b1', 'killed');
    assert.equal(isRefused(answer), true);
    assert.match(answer?.hookSpecificOutput.permissionDecisionReason ?? '', /--name-only/);
    assert.match(answer?.systemMessage ?? '', new RegExp(`oncebitten lessons mute ${slug}`));
    await killDaemon();
    assert.equal(await ask(MISTAKE, 'b2', 'killed'), undefined);
  });

  it('refuses once without a daemon, and the daemon that has come lets the retry pass', async () => {
    if ((await story.daemonPid()) !== undefined) await killDaemon();
    assert.equal(isRefused(await ask(MISTAKE, 'c1', 'cold')), true);
    await story.cli('daemon', 'start');
    assert.equal(await ask('gh pr diff 13 --stat', 'c2', 'cold'), undefined);
  });

  it('counts its refusal neither as a failure nor as the user’s, and judges it by the retry', async () => {
    const reason = (await ask(MISTAKE, 'd1', 'told'))?.hookSpecificOutput.permissionDecisionReason ?? '';
    await story.hook('PostToolBatch', {
      session_id: 'told',
      tool_calls: [{ ...bash(MISTAKE, 'd1', 'told'), tool_response: `PreToolUse:Bash hook error: ${reason}` }],
    });
    await story.settle();
    const calls: readonly StoredCall[] = await read((store) => store.listCalls({ sessionId: 'told' }));
    assert.deepEqual(
      calls.map(({ outcome, outcomeType }) => [outcome, outcomeType.replace('told-', '')]),
      [['denied', 'own-refusal']],
    );
    const deliveries = () => read((store) => store.listDeliveries({ agent: 'claude-code', sessionId: 'told' }));
    assert.deepEqual((await deliveries()).map(toVerdict), ['pause open']);
    await story.hook('PostToolUse.Bash', { ...bash(FIX, 'd2', 'told'), tool_response: { stdout: 'a\n', stderr: '' } });
    await story.settle();
    assert.deepEqual((await deliveries()).map(toVerdict), ['pause clean']);
    assert.equal((await story.list<Lesson>('lessons', 'list')).length, 1);
  });

  it('corrects the call where the user allows that, and what ran judges it', async () => {
    await story.cli('config', 'set', 'delivery.maxMode', 'rewrite');
    await story.cli('lessons', 'edit', slug, '--mode', 'rewrite');
    await story.settle();
    const answer = await ask('gh pr diff 77 --stat', 'e1', 'rewritten');
    assert.equal(answer?.hookSpecificOutput.updatedInput?.command, 'gh pr diff 77 --name-only');
    assert.equal('permissionDecision' in (answer?.hookSpecificOutput ?? {}), false);
    await story.hook('PostToolUse.Bash', {
      ...bash('gh pr diff 77 --name-only', 'e1', 'rewritten'),
      tool_response: { stdout: 'a\n', stderr: '' },
    });
    await story.settle();
    const all = await read((store) => store.listDeliveries({ agent: 'claude-code', sessionId: 'rewritten' }));
    assert.deepEqual(all.map(toVerdict), ['rewrite clean']);
  });

  it('never refuses while nothing can be written down', async () => {
    await story.cli('lessons', 'edit', slug, '--mode', 'pause');
    await story.settle();
    const { claimsDir } = toDataHome(story.dataDir);
    if (existsSync(claimsDir)) renameSync(claimsDir, `${claimsDir}.away`);
    writeFileSync(claimsDir, '');
    for (const id of ['f1', 'f2']) assert.equal(isRefused(await ask(MISTAKE, id, 'unwritable')), false);
    await killDaemon();
    assert.equal(isRefused(await ask(MISTAKE, 'f3', 'unwritable')), false);
  });
});

function toVerdict({ mode, outcome = 'incomplete', outcomeAt }: Delivery): string {
  return `${mode} ${outcomeAt === undefined ? 'open' : outcome}`;
}
