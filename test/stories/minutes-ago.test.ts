import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStory, type Story } from './open-story.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const MISTAKE = 'gh pr diff 12 --stat';
const FIX = 'gh pr diff 12 --name-only';
const ERROR = 'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';
const SUB_AGENT = { agent_id: 'sub1', agent_type: 'general-purpose' };
const PATIENCE_MS = 20_000;

const bash = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'look at the change' },
  tool_use_id: id,
});
const done = { tool_response: { stdout: 'ok\n', stderr: '' } };

describe('a correction of this session', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
    // The same words worked before, so one correction is not enough for a lesson of the project.
    await story.hook('SessionStart.startup', { session_id: 'zero' });
    for (const id of ['z1', 'z2', 'z3'])
      await story.hook('PostToolUse.Bash', { ...bash(`gh pr diff ${id} --stat`, id, 'zero'), ...done });
    await story.settle();
  });
  after(() => story.close());

  const ask = async (command: string, id: string, session: string, fields = {}): Promise<string> => {
    const fixture = 'agent_id' in fields ? 'PreToolUse.Bash.subagent' : 'PreToolUse.Bash';
    return (await story.hook(fixture, { ...bash(command, id, session), ...fields })).stdout;
  };
  const manifest = (): string => readFileSync(join(story.dataDir, 'manifest.json'), 'utf8');

  it('is in the manifest at once', async (t) => {
    await story.hook('SessionStart.startup', { session_id: 'one' });
    await story.hook('SessionStart.startup', { session_id: 'two' });
    assert.equal(await ask(MISTAKE, 'a1', 'one'), '');
    await story.hook('PostToolUseFailure.Bash', { ...bash(MISTAKE, 'a1', 'one'), error: ERROR });
    assert.equal(await ask(FIX, 'a2', 'one'), '');
    await story.hook('PostToolUse.Bash', { ...bash(FIX, 'a2', 'one'), ...done });
    const correctedMs = performance.now();
    while (!manifest().includes('--name-only') && performance.now() - correctedMs < PATIENCE_MS) await sleep(5);
    t.diagnostic(`from the correction to the manifest: ${Math.round(performance.now() - correctedMs)} ms`);
    assert.ok(manifest().includes('--name-only'));
  });

  it('is no lesson of the project yet', async () => {
    const [lesson] = await story.list<Lesson>('lessons', 'list', '--all');
    assert.equal(lesson?.status, 'draft');
  });

  it('protects the rest of the session, and its sub-agents', async () => {
    assert.match(await ask('gh pr diff 99 --stat', 'a3', 'one'), /earlier in this session.*--name-only/s);
    assert.match(await ask(MISTAKE, 'a4', 'one', SUB_AGENT), /--name-only/);
    assert.equal(await ask(MISTAKE, 'a5', 'one'), '', 'once per context');
    assert.equal(await ask(FIX, 'a6', 'one'), '');
  });

  it('says nothing to another session of the project', async () => {
    // Not the very same call: whoever makes that one is told that it failed.
    assert.equal(await ask('gh pr diff 98 --stat', 'b1', 'two'), '');
  });
});

describe('a lesson that asks what already happened', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
    const lessons = [
      {
        summary: 'Install before you build',
        triggers: {
          tools: ['shell'],
          programs: [{ name: 'make', sub: ['build'] }],
          session: { unless: [{ ran: 'npm install' }] },
        },
      },
      { summary: 'Read before you edit', triggers: { tools: ['edit'], session: { unless: [{ read: '{path}' }] } } },
    ];
    for (const lesson of lessons) await add({ ...lesson, priority: 9 });
  });
  after(() => story.close());

  const add = async (lesson: object): Promise<void> => {
    const adding = promisify(execFile)(process.execPath, [CLI, 'lessons', 'add', '--stdin'], { env: story.env });
    adding.child.stdin?.end(JSON.stringify(lesson));
    await adding;
  };
  const build = async (session: string, context = ''): Promise<string> => {
    const fields = context === '' ? {} : { ...SUB_AGENT, agent_id: context };
    const fixture = context === '' ? 'PreToolUse.Bash' : 'PreToolUse.Bash.subagent';
    const call = bash('make build', `b-${session}-${context}`, session);
    return (await story.hook(fixture, { ...call, ...fields })).stdout;
  };
  const edit = async (session: string, path: string): Promise<string> => {
    const input = { file_path: path, old_string: 'a', new_string: 'b' };
    const call = { session_id: session, tool_name: 'Edit', tool_use_id: `e-${session}`, tool_input: input };
    return (await story.hook('PreToolUse.Edit', call)).stdout;
  };
  const begin = (session: string) => story.hook('SessionStart.startup', { session_id: session });
  const install = (session: string) =>
    story.hook('PostToolUse.Bash', { ...bash('npm install --silent', 'i', session), ...done });
  const read = (session: string, path: string) =>
    story.hook('PostToolUse.Read', { session_id: session, tool_input: { file_path: path }, tool_use_id: 'r' });

  it('speaks while it has not happened', async () => {
    await begin('early');
    assert.match(await build('early'), /Install before/);
    assert.match(await edit('early', '/x/a.ts'), /Read before/);
  });

  it('is silent once it has, also to sub-agents', async () => {
    await begin('late');
    await install('late');
    await read('late', '/x/a.ts');
    assert.equal(await build('late'), '');
    assert.equal(await build('late', 'sub1'), '');
    assert.equal(await edit('late', '/x/a.ts'), '');
    assert.match(await edit('late', '/x/b.ts'), /Read before/);
  });

  it('is not silenced by what failed', async () => {
    await begin('failed');
    const failed = { ...bash('npm install', 'f', 'failed'), error: 'Exit code 1\nnpm ERR! network' };
    await story.hook('PostToolUseFailure.Bash', failed);
    assert.match(await build('failed'), /Install before/);
  });

  it('is silent where nobody saw the beginning', async () => {
    assert.equal(await build('unseen'), '');
  });

  it('knows as much without the daemon', async () => {
    await begin('cold');
    await install('cold');
    await begin('cold-early');
    await story.cli('daemon', 'stop');
    assert.equal(await build('cold'), '');
    await story.cli('daemon', 'stop');
    assert.match(await build('cold-early'), /Install before/);
  });
});
