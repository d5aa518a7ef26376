import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { run as forget } from '../../src/surfaces/cli/data/forget.ts';
import { openStory, type Story } from '../stories/open-story.ts';
import { findBytes } from './find-bytes.ts';

const COLD = { ONCEBITTEN_NO_DAEMON: '1' };
/** A whole id, of which nothing was seen. */
const KEPT = '4c1f0a52-7d3b-4e0e-9a51-2f6f3f1f0b03';

interface Failure {
  readonly sessionId: string;
}

/** What an agent does with a word in every place where text can be. */
class Actor {
  readonly story: Story;
  readonly cwd: string;
  readonly session: string;
  readonly word: string;
  n = 0;

  constructor(story: Story, cwd: string, session: string, word: string) {
    this.story = story;
    this.cwd = cwd;
    this.session = session;
    this.word = word;
    mkdirSync(cwd, { recursive: true });
    mkdirSync(join(story.home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-')), { recursive: true });
  }

  get transcript(): string {
    const folder = this.cwd.replace(/[^a-zA-Z0-9]/g, '-');
    return join(this.story.home, '.claude/projects', folder, `${this.session}.jsonl`);
  }

  async mistake(env = {}): Promise<void> {
    const { word } = this;
    const error = `Exit code 1\nunknown flag: --stat\n${word} in the output\n`;
    const failed = `gh pr diff ${word} --stat`;
    await this.call('PostToolUseFailure.Bash', failed, { error }, true, env);
    const done = { tool_response: { stdout: `${word}.ts\n`, stderr: '' } };
    await this.call('PostToolUse.Bash', `gh pr diff ${word} --name-only`, done, false, env);
    await this.call('PostToolUseFailure.Bash', `make ${word}`, { error: `Exit code 2\n${word}: broken\n` }, true, env);
  }

  async call(fixture: string, command: string, fields: object, isError: boolean, env = {}): Promise<void> {
    const id = `${this.session}-${this.n++}`;
    const origin = { session_id: this.session, cwd: this.cwd, transcript_path: this.transcript };
    const call = { tool_name: 'Bash', tool_input: { command, description: this.word }, tool_use_id: id };
    const row = (type: string, content: unknown) => {
      const at = { sessionId: this.session, cwd: this.cwd, gitBranch: this.word, timestamp: new Date().toISOString() };
      appendFileSync(this.transcript, `${JSON.stringify({ type, ...at, message: { role: type, content } })}\n`);
    };
    row('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command } }]);
    const content = 'error' in fields ? fields.error : this.word;
    row('user', [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }]);
    await this.story.hook(fixture, { ...origin, ...call, ...fields }, env);
  }

  end(): Promise<unknown> {
    const origin = { session_id: this.session, cwd: this.cwd, transcript_path: this.transcript };
    return this.story.hook('SessionEnd', origin);
  }
}

describe('forget', () => {
  let story: Story;
  let kraken: Actor;
  let squid: Actor;
  before(async () => {
    story = await openStory();
    kraken = new Actor(story, join(story.home, 'krakenproject'), 'krakensession', 'krakenword');
    squid = new Actor(story, join(story.home, 'squidproject'), 'squidsession', 'squidword');
    for (const actor of [kraken, squid]) {
      // Two repositories: only then is the lesson one for all projects.
      mkdirSync(join(actor.cwd, '.git'), { recursive: true });
      writeFileSync(join(actor.cwd, '.git/HEAD'), 'ref: refs/heads/main\n');
      const url = `https://example.com/sea/${basename(actor.cwd)}.git`;
      writeFileSync(join(actor.cwd, '.git/config'), `[remote "origin"]\n\turl = ${url}\n`);
      await actor.mistake();
      await actor.end();
    }
    await story.settle();
  });
  after(() => story.close());

  const lessons = () => story.list<Lesson>('lessons', 'list');
  const failures = () => story.list<Failure>('sessions', 'failures', '--each');
  const daemonPid = () => story.daemonPid();

  it('begins with something to forget, also in files that wait', async () => {
    const [lesson] = await lessons();
    assert.deepEqual([lesson?.sessions, lesson?.projects], [2, 2]);
    await story.cli('daemon', 'stop');
    await kraken.mistake(COLD);
    await squid.mistake(COLD);
    for (const word of ['krakenword', 'krakenproject']) assert.notDeepEqual(findBytes(story.dataDir, word), [], word);
    await story.cli('pause', '--project', kraken.cwd);
    await story.cli('resume', '--project', kraken.cwd);
  });

  it('asks first: without --yes and a person it refuses, and a dry run only counts', async () => {
    await assert.rejects(story.cli('forget', '--project', kraken.cwd), /no terminal to ask.*--dry-run.*--yes/s);
    const before = await failures();
    const { removed, forgotten } = (await story.cli('forget', '--project', kraken.cwd, '--dry-run')) as {
      removed: { calls: number; facts: number };
      forgotten: boolean;
    };
    assert.equal(forgotten, false);
    assert.deepEqual([removed.calls, removed.facts], [3, 3]);
    assert.deepEqual(await failures(), before);
  });

  it('lets a person say no', async () => {
    const asked: string[] = [];
    const result = await forget({
      home: toDataHome(story.dataDir),
      arguments: [],
      options: { project: kraken.cwd },
      env: {},
      cwd: story.project,
      readStdin: async () => '',
      readLines: async function* () {},
      ask: async (question) => {
        asked.push(question);
        return 'no';
      },
      progress: () => {},
    });
    assert.match(asked[0] ?? '', /To be removed: project krakenproject[\s\S]*Type yes/);
    assert.deepEqual(result.json, { forgotten: false });
    assert.equal((await failures()).length > 2, true);
  });

  it('says what is wrong with a wish', async () => {
    await assert.rejects(story.cli('forget', '--yes'), /exactly one of --project, --session and --all/);
    await assert.rejects(story.cli('forget', '--session', 'nobody', '--yes'), /session nobody.*is not known/);
    await assert.rejects(story.cli('forget', '--project', '/nowhere', '--yes'), /project \/nowhere.*is neither/);
  });

  it('removes every byte of a project from the data directory, with the daemon running', async () => {
    await story.cli('daemon', 'start');
    const pid = await daemonPid();
    await story.cli('forget', '--project', kraken.cwd, '--yes');
    for (const word of ['krakenword', 'krakenproject']) assert.deepEqual(findBytes(story.dataDir, word), [], word);
    assert.notEqual(await daemonPid(), undefined, 'the daemon runs again');
    assert.notEqual(await daemonPid(), pid);
  });

  it('keeps what others taught, in their words', async () => {
    const [lesson, ...more] = await lessons();
    assert.equal(more.length, 0);
    assert.deepEqual([lesson?.sessions, lesson?.projects], [1, 1]);
    assert.match(lesson?.evidence.map(({ excerpt }) => excerpt).join() ?? '', /squidword/);
    assert.deepEqual([...new Set((await failures()).map(({ sessionId }) => sessionId))], ['squidsession']);
  });

  it('is not undone by a scan, and new work is captured again', async () => {
    await story.cli('scan', '--path', join(story.home, '.claude/projects'));
    await story.cli('scan', '--path', join(story.home, '.claude/projects'));
    await story.settle();
    for (const word of ['krakenword', 'krakenproject']) assert.deepEqual(findBytes(story.dataDir, word), [], word);
    assert.deepEqual([...new Set((await failures()).map(({ sessionId }) => sessionId))], ['squidsession']);
    const next = new Actor(story, kraken.cwd, 'krakensession2', 'newword');
    await next.mistake();
    await story.settle();
    assert.ok((await failures()).some(({ sessionId }) => sessionId === 'krakensession2'));
  });

  it('removes a session that is at work, without its past coming back through its transcript', async () => {
    const running = new Actor(story, squid.cwd, 'manta', 'mantaword');
    await running.mistake();
    await story.settle();
    await story.cli('forget', '--session', 'manta', '--yes');
    assert.deepEqual(findBytes(story.dataDir, 'mantaword'), []);
    const { word } = running;
    Object.assign(running, { word: 'afterwards' });
    await running.mistake();
    await running.end();
    await story.settle();
    assert.deepEqual(findBytes(story.dataDir, word), []);
    assert.notDeepEqual(findBytes(story.dataDir, 'afterwards'), []);
  });

  it('removes everything but settings, hooks and what is switched off', async () => {
    writeFileSync(join(story.dataDir, 'config.jsonc'), '{ "minScore": 0.8 }\n');
    await story.cli('pause', '--session', KEPT);
    await story.cli('forget', '--all', '--yes');
    for (const word of ['squidword', 'squidproject', 'newword', 'afterwards', 'squidsession', 'krakensession'])
      assert.deepEqual(findBytes(story.dataDir, word), [], word);
    assert.deepEqual(await lessons(), []);
    assert.match(readFileSync(join(story.dataDir, 'config.jsonc'), 'utf8'), /0\.8/);
    assert.equal(existsSync(join(story.dataDir, 'bin/hook')), true);
    assert.match(readFileSync(join(story.dataDir, 'switches.json'), 'utf8'), new RegExp(KEPT));
    await story.cli('scan', '--path', join(story.home, '.claude/projects'));
    assert.deepEqual(await failures(), []);
    assert.deepEqual(findBytes(story.dataDir, 'squidword'), []);
  });
});
