/** The fix of a failure comes after the failure was read: in a live session, and behind a scan in the middle of a session. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { DaemonStatus } from '../../src/surfaces/daemon/ask-daemon.ts';
import { openStory, type Story } from './open-story.ts';
import { appendCalls, writeSession } from './session-file.ts';

const MISTAKE = 'gh pr diff 12 --stat';
const FIX = 'gh pr diff 12 --name-only';
const ERROR = 'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';
/** The daemon lets a file rest for 50 times the time that reading it took, which is long on a slow machine. */
const PATIENCE_MS = 180_000;

describe('the same mistake in a second live session', () => {
  let story: Story;
  let calls = 0;
  const bash = (session_id: string, command: string) => ({
    ...{ session_id, tool_name: 'Bash', tool_use_id: `c${++calls}` },
    tool_input: { command, description: 'look at the change' },
  });
  /** The daemon has learned from each call before the next one comes. */
  const fail = async (session: string): Promise<void> => {
    await story.hook('PostToolUseFailure.Bash', { ...bash(session, MISTAKE), error: ERROR });
    await story.settle();
  };
  const work = async (session: string): Promise<void> => {
    const tool_response = { stdout: 'a.ts\n', stderr: '', interrupted: false };
    await story.hook('PostToolUse.Bash', { ...bash(session, FIX), tool_response });
    await story.settle();
  };
  const find = async (): Promise<Lesson> => {
    const lessons = await story.list<Lesson>('lessons', 'list', '--all');
    assert.equal(lessons.length, 1, JSON.stringify(lessons.map(({ summary }) => summary)));
    const [lesson] = lessons;
    assert.ok(lesson);
    return lesson;
  };

  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  it('is evidence with the call that fixed it, and counts once', async () => {
    await fail('one');
    await work('one');
    const first = await find();
    await fail('two');
    await work('two');
    const lesson = await find();
    assert.equal(lesson.id, first.id);
    assert.equal(lesson.occurrences, 2);
    assert.equal(lesson.sessions, 2);
    assert.equal(lesson.evidence.length, 2);
    for (const { excerpt = '' } of lesson.evidence) {
      assert.ok(excerpt.includes(MISTAKE), excerpt);
      assert.match(excerpt, /fixed by: .*--name-only/s);
    }
    assert.match(lesson.remediation, /--name-only/);
  });
});

describe('a session that is half-written at the first scan of the daemon', () => {
  let story: Story;
  const place = () => ({ session: 'half', cwd: story.project });
  const file = () => join(story.home, '.claude/projects/half', 'half.jsonl');
  const waitFor = async (isDone: () => Promise<boolean>): Promise<boolean> => {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) if (await isDone()) return true;
    return false;
  };

  before(async () => {
    story = await openStory({ install: false, scans: true });
    writeSession(file(), place(), [{ id: 'h1', command: MISTAKE, error: ERROR }]);
    await story.cli('daemon', 'start');
    const isScanned = async (): Promise<boolean> => {
      const { scan } = (await story.cli('daemon', 'status')) as Partial<DaemonStatus>;
      return scan?.last !== undefined;
    };
    assert.ok(await waitFor(isScanned), 'the daemon scanned');
  });
  after(() => story.close());

  it('teaches what its second half shows', async () => {
    appendCalls(file(), place(), [{ id: 'h2', command: FIX }]);
    const isLearned = async (): Promise<boolean> => {
      const lessons = await story.list<Lesson>('lessons', 'list', '--all');
      return lessons.some(({ remediation }) => remediation.includes('--name-only'));
    };
    assert.ok(await waitFor(isLearned));
  });
});
