/** A person's word against the daemon's: the real hooks, the real daemon, and commands beside it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStory, type Story } from './open-story.ts';

const ERROR = 'Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number> | <url> | <branch>] [flags]\n';

const bash = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command, description: 'look at the change' },
  tool_use_id: id,
});

describe('a lesson that a person rejects', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  const lessons = () => story.list<Lesson>('lessons', 'list', '--all');
  const ask = async (session: string): Promise<string> => {
    await story.hook('SessionStart.startup', { session_id: session });
    return (await story.hook('PreToolUse.Bash', bash('gh pr diff 9 --stat', `${session}-0`, session))).stdout;
  };
  const makeMistake = async (session: string): Promise<void> => {
    const [wrong, right] = ['gh pr diff 12 --stat', 'gh pr diff 12 --name-only'];
    await story.hook('PostToolUseFailure.Bash', { ...bash(wrong, `${session}-1`, session), error: ERROR });
    await story.hook('PreToolUse.Bash', bash(right, `${session}-2`, session));
    const done = { tool_response: { stdout: 'src/a.ts\n', stderr: '' } };
    await story.hook('PostToolUse.Bash', { ...bash(right, `${session}-2`, session), ...done });
    await story.hook('SessionEnd', { session_id: session });
    await story.settle();
  };

  it('was learned, and notes when it spoke', async () => {
    await ask('one');
    await makeMistake('one');
    assert.match(await ask('two'), /--name-only/);
    await story.settle();
    const [lesson] = await lessons();
    assert.ok(Date.now() - Date.parse(lesson?.lastMatchedAt ?? '') < 60_000);
  });

  it('is silent at once in the running daemon', async () => {
    const [lesson] = await lessons();
    await story.cli('lessons', 'reject', lesson?.slug ?? '', '--reason', 'not here');
    assert.equal(await ask('three'), '');
  });

  it('stays away when the mistake is made again and again', async () => {
    for (const session of ['four', 'five', 'six']) {
      await ask(session);
      await makeMistake(session);
    }
    const all = await lessons();
    assert.deepEqual(
      all.map(({ status, archival }) => [status, archival?.reason]),
      [['archived', 'not here']],
    );
    assert.ok((all[0]?.occurrences ?? 0) > 1, 'it is counted all the same');
    assert.equal(await ask('seven'), '');
  });

  it('speaks again when the person takes it back, with all that was learned meanwhile', async () => {
    await story.cli('lessons', 'undo');
    const [lesson] = await lessons();
    assert.equal(lesson?.status, 'active');
    assert.ok((lesson?.occurrences ?? 0) > 1);
    assert.match(await ask('eight'), /--name-only/);
  });
});
