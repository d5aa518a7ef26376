import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findBytes } from '../cli/find-bytes.ts';
import { openStory, type Story } from './open-story.ts';

/** Said in the conversation, and nowhere else. */
const MARK = 'zanzibar';

const row = (content: string, more: object = {}) =>
  `${JSON.stringify({ type: 'user', isSidechain: false, message: { role: 'user', content }, uuid: 'u', ...more })}\n`;

describe('a lesson that asks for words', () => {
  let story: Story;
  let sessions = 0;
  before(async () => {
    story = await openStory();
    const lesson = ['--summary', 'push the tag too', '--fix', 'git push --follow-tags', '--program', 'git push'];
    await story.cli('lessons', 'add', ...lesson, '--keyword', 'release');
    await story.settle();
  });
  after(() => story.close());

  /** What a call hears in a new session in which this was said. */
  const ask = async (said: string | undefined, fields: object = {}): Promise<string> => {
    const session = `words-${sessions++}`;
    const transcript = join(story.home, `${session}.jsonl`);
    if (said !== undefined) writeFileSync(transcript, row(said));
    const call = { tool_name: 'Bash', tool_input: { command: 'git push' }, tool_use_id: `t-${session}` };
    const about = { session_id: session, transcript_path: transcript, ...call, ...fields };
    const fixture = 'agent_id' in fields ? 'PreToolUse.Bash.subagent' : 'PreToolUse.Bash';
    const { code, stdout } = await story.hook(fixture, about);
    assert.equal(code, 0);
    return stdout;
  };

  it('speaks when they were said, and only then', async () => {
    assert.match(await ask(`cut the Release, ${MARK}`), /follow-tags/);
    assert.equal(await ask(`go on, ${MARK}`), '');
    assert.equal(await ask(undefined), '', 'nobody can tell');
    const tool_input = { command: 'git push', description: 'Push the release' };
    assert.match(await ask(undefined, { tool_input }), /follow-tags/);
  });

  it('does so without a daemon', async () => {
    await story.cli('daemon', 'stop');
    assert.match(await ask('cut the release'), /follow-tags/);
    await story.cli('daemon', 'stop');
    assert.equal(await ask('go on'), '');
  });

  it("hears a sub-agent's own conversation", async () => {
    const agent = { agent_id: 'sub1', agent_type: 'general-purpose' };
    const own = join(story.home, `words-${sessions}/subagents`);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'agent-sub1.jsonl'), row('release it', { isSidechain: true, agentId: 'sub1' }));
    assert.match(await ask('go on', agent), /follow-tags/);
    assert.equal(await ask('cut the release', agent), '', 'its own file is elsewhere');
  });

  it('keeps none of them', async () => {
    // A hook has started this daemon, and it may only now get ready: the files of one that starts come and go.
    await story.cli('daemon', 'start');
    await story.settle();
    await story.cli('daemon', 'stop');
    assert.equal(existsSync(join(story.dataDir, 'oncebitten.db')), true);
    assert.deepEqual(findBytes(story.dataDir, MARK), []);
  });
});
