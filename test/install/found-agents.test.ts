/** `install` and `uninstall` without a name: the user picks among the agents that were found. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { INSTALLS } from '../../src/agents/installs.ts';
import type { CommandInput } from '../../src/surfaces/cli/command.ts';
import { type FoundAgent, pickAgents } from '../../src/surfaces/cli/install/found-agents.ts';
import { runCli } from '../run-cli.ts';
import { openStory, type Story } from '../stories/open-story.ts';

const FOUND: readonly FoundAgent[] = INSTALLS.slice(0, 3).map((agent) => ({
  ...{ agent, settingsFile: `/home/dev/${agent.facts.id}.json`, isInstalled: false },
  gets: { 'with the result of a call': 'note' },
}));
const [FIRST, SECOND] = FOUND.map(({ agent }) => agent);

/** Answers the questions in their order. */
const pick = async (how: 'all' | 'picked', answers?: readonly string[]) => {
  const asked: string[] = [];
  const ask = async (question: string) => answers?.[asked.push(question) - 1] ?? '';
  const input = { options: {}, ...(answers === undefined ? {} : { ask }) } as unknown as CommandInput;
  return { picked: await pickAgents(input, FOUND, how, (name) => `Connect ${name}?`), asked };
};

describe('the agents that were found', () => {
  it('are asked about one by one, after the list of what each gets', async () => {
    const { picked, asked } = await pick('picked', ['y', 'n', '']);
    assert.deepEqual(picked, [FIRST]);
    assert.equal(asked.length, FOUND.length);
    for (const { settingsFile } of FOUND) assert.ok(asked[0]?.includes(settingsFile));
    assert.ok(asked[1]?.includes(`Connect ${SECOND?.facts.name}?`));
  });

  it('are all taken without a question, if the user says so', async () => {
    const { picked, asked } = await pick('all', ['n', 'n', 'n']);
    assert.deepEqual([picked.length, asked.length], [FOUND.length, 0]);
  });

  it('are only listed where nobody can be asked', async () => {
    assert.deepEqual((await pick('picked')).picked, []);
  });
});

describe('an agent whose file cannot be changed', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
    for (const folder of ['.claude', '.codex', '.cursor']) mkdirSync(join(story.home, folder));
    writeFileSync(join(story.home, '.claude/settings.json'), '{bad');
  });
  after(() => story.close());

  const run = async (command: string) => {
    const words = [command, '--all', '--json'];
    const { code, stdout } = await runCli({ words, env: story.env, cwd: story.project });
    const { done } = JSON.parse(stdout) as { done: readonly { agent: string; error?: object }[] };
    return { code, refused: done.filter(({ error }) => error).map(({ agent }) => agent) };
  };

  it('does not keep the others from being connected and disconnected', async () => {
    assert.deepEqual(await run('install'), { code: 1, refused: ['claude-code'] });
    assert.match(readFileSync(join(story.home, '.codex/hooks.json'), 'utf8'), /oncebitten/);
    assert.match(readFileSync(join(story.home, '.cursor/hooks.json'), 'utf8'), /oncebitten/);
    assert.equal(readFileSync(join(story.home, '.claude/settings.json'), 'utf8'), '{bad');
    const cursor = join(story.home, '.cursor/hooks.json');
    const ours = readFileSync(cursor, 'utf8');
    writeFileSync(cursor, `${ours}}`);
    assert.deepEqual(await run('uninstall'), { code: 1, refused: ['cursor'] });
    assert.ok(!existsSync(join(story.home, '.codex/hooks.json')));
    assert.notEqual(await story.daemonPid(), undefined, 'the daemon stays for the hooks in the broken file');
    writeFileSync(cursor, ours);
  });

  it('is said to have no hooks of ours, if it never had any', async () => {
    const { stdout } = await runCli({ words: ['install', '--json'], env: story.env, cwd: story.project });
    const { found } = JSON.parse(stdout) as { found: readonly { agent: string; installed: boolean }[] };
    assert.equal(found.find(({ agent }) => agent === 'claude-code')?.installed, false);
    assert.deepEqual(await run('uninstall'), { code: 0, refused: [] });
    assert.equal(await story.daemonPid(), undefined, 'the broken file does not keep the daemon');
    assert.equal(readFileSync(join(story.home, '.claude/settings.json'), 'utf8'), '{bad');
  });
});

describe('a folder of commands that cannot be written', () => {
  let story: Story;
  const inHome = (path: string) => join(story.home, path);
  before(async () => {
    story = await openStory({ install: false });
    for (const folder of ['.claude/commands/oncebitten/learn.md', '.gemini', '.cursor'])
      mkdirSync(inHome(folder), { recursive: true });
    // Nobody can make files there, not even root.
    symlinkSync('/sys', inHome('.gemini/commands'));
    writeFileSync(inHome('.cursor/commands'), 'mine');
  });
  after(() => story.close());

  const run = (...words: readonly string[]) => runCli({ words, env: story.env, cwd: story.project });

  it('is reported, and keeps no hooks and no other agent away', { skip: process.platform !== 'linux' }, async () => {
    const { code, stdout } = await run('install', '--all');
    assert.equal(code, 1);
    assert.match(stdout, /BUT \S+\.gemini\/commands\S* cannot be written \(.*left out\. Next: make it/);
    assert.match(
      stdout,
      /BUT \S+\.cursor\/commands is not a folder, so commands .* were left out\. Next: move it away/,
    );
    for (const file of ['.claude/settings.json', '.gemini/settings.json', '.cursor/hooks.json'])
      assert.match(readFileSync(inHome(file), 'utf8'), /oncebitten/, file);
    assert.ok(existsSync(inHome('.claude/commands/oncebitten/lessons.md')));
  });

  it('stays as it is when the agents are disconnected', async () => {
    const { code, stdout } = await run('uninstall', '--all');
    assert.equal(code, 0, stdout);
    for (const file of ['.claude/settings.json', '.gemini/settings.json', '.cursor/hooks.json'])
      assert.ok(!existsSync(inHome(file)), file);
    assert.ok(existsSync(inHome('.claude/commands/oncebitten/learn.md')));
    assert.equal(readFileSync(inHome('.cursor/commands'), 'utf8'), 'mine');
  });
});

describe('agents that are disconnected', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
  });
  after(() => story.close());

  const run = (...words: readonly string[]) => runCli({ words, env: story.env, cwd: story.project });
  const listHome = () => readdirSync(story.home).filter((name) => name !== '.oncebitten');

  it('leave no folder that was not there before', async () => {
    const before = listHome();
    for (const { facts } of INSTALLS) assert.equal((await run('install', facts.id, '--force')).code, 0, facts.id);
    assert.ok(listHome().length > before.length);
    for (const { facts } of INSTALLS) assert.equal((await run('uninstall', facts.id)).code, 0, facts.id);
    assert.deepEqual(listHome(), before);
  });

  it('are disconnected by several commands at once', async () => {
    const before = listHome();
    for (const { facts } of INSTALLS) await run('install', facts.id, '--force');
    const all = await Promise.all(Array.from({ length: 4 }, () => run('uninstall', '--all')));
    for (const { code, stdout, stderr } of all) assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(listHome(), before);
  });
});

describe('a data directory from which no daemon can start', { skip: process.platform === 'win32' }, () => {
  it('is named once, and no agent gets hooks', async (context) => {
    const story = await openStory({ install: false });
    context.after(() => story.close());
    for (const folder of ['.claude', '.cursor']) mkdirSync(join(story.home, folder));
    const home = join(story.home, 'back\\slash');
    const words = ['install', '--all', '--home', home];
    const { code, stdout } = await runCli({ words, env: story.env, cwd: story.project });
    assert.equal(code, 1);
    assert.equal(stdout.split('contains a backslash').length, 2, stdout);
    assert.match(stdout, /Cursor: NOT DONE, for the same reason/);
    assert.deepEqual(readdirSync(join(story.home, '.claude')), []);
  });
});
