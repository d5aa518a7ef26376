/** Agents are asked for reports where they begin, and nowhere else. */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { parseReports } from '../../src/distill/propose/self-reports/parse-reports.ts';
import { REPORT_PROTOCOL } from '../../src/distill/propose/self-reports/report-protocol.ts';
import type { StatsReport } from '../../src/measure/make-stats-report.ts';
import { openStory, type Story } from './open-story.ts';
import { writeSession } from './session-file.ts';

describe('the protocol for reports', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: true, protocol: true });
    await story.cli('daemon', 'start');
    await story.settle();
  });
  after(() => story.close());

  const start = async (source: string, session: string, env = {}): Promise<string> => {
    const { code, stdout } = await story.hook('SessionStart.startup', { session_id: session, source }, env);
    assert.equal(code, 0);
    return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  };

  it('is told at a start, after clear and after compaction; a session that goes on knows it', async () => {
    for (const source of ['startup', 'clear', 'compact'])
      assert.ok((await start(source, `p-${source}`)).endsWith(REPORT_PROTOCOL), source);
    assert.equal(await start('resume', 'p-resume'), '');
  });

  it('counts among the bytes that were added to conversations', async () => {
    await story.settle();
    const { added } = (await story.cli('stats')) as StatsReport;
    const protocol = added?.kinds.find(({ kind }) => kind === 'protocol');
    assert.deepEqual([protocol?.texts, protocol?.bytes], [3, 3 * Buffer.byteLength(REPORT_PROTOCOL)]);
  });

  it('is told without a daemon, too', async () => {
    assert.ok((await start('startup', 'p-cold', { ONCEBITTEN_HOST: 'nobody' })).endsWith(REPORT_PROTOCOL));
  });

  it('is told to every sub-agent, without a permission decision', async () => {
    const fields = {
      session_id: 'p-startup',
      agent_id: 'sub-1',
      agent_type: 'Explore',
      hook_event_name: 'SubagentStart',
    };
    const { stdout } = await story.hook('SubagentStart', fields);
    const { hookSpecificOutput } = JSON.parse(stdout);
    assert.deepEqual(hookSpecificOutput, { hookEventName: 'SubagentStart', additionalContext: REPORT_PROTOCOL });
  });

  it('is not told while everything is muted', async () => {
    await story.cli('mute', '--all', '--for', '1h');
    assert.equal(await start('startup', 'p-muted'), '');
    assert.equal((await story.hook('SubagentStart', { session_id: 'p-muted' })).stdout, '');
    await story.cli('unmute', '--all');
  });

  it('is heeded at once: a report at the end of a turn is learned from', async () => {
    const place = { session: 'p-live', cwd: story.project };
    const file = join(story.home, '.claude/projects/-live/p-live.jsonl');
    const calls = [
      { id: 'v1', command: 'shipit up -v', error: 'Exit code 3\nbad luck' },
      { id: 'v2', command: 'shipit up -q', output: 'up' },
    ];
    const at = { session_id: place.session, transcript_path: file };
    const input = (n: 0 | 1) => ({
      tool_name: 'Bash',
      tool_input: { command: calls[n]?.command },
      tool_use_id: `v${n + 1}`,
    });
    await story.hook('PostToolUseFailure.Bash', { ...at, ...input(0), error: calls[0]?.error });
    await story.hook('PostToolUse.Bash', { ...at, ...input(1), tool_response: { stdout: 'up', stderr: '' } });
    writeSession(file, place, calls);
    const text =
      '#lesson\ntool: Bash\ntrigger: shipit up -v\nmistake: it cannot be verbose here\nfix: shipit up -q\n#/lesson';
    const row = {
      type: 'assistant',
      uuid: 'v3',
      sessionId: place.session,
      cwd: place.cwd,
      timestamp: new Date().toISOString(),
    };
    appendFileSync(
      file,
      `${JSON.stringify({ ...row, message: { role: 'assistant', content: [{ type: 'text', text }] } })}\n`,
    );
    await story.hook('Stop', at);
    await story.settle();
    const lessons = await story.list<Lesson>('lessons', 'list');
    const [lesson] = lessons.filter(({ triggers }) => triggers.programs?.[0]?.name === 'shipit');
    assert.equal(lesson?.status, 'active');
    assert.match(lesson?.remediation ?? '', /`-v`.*`-q`|`shipit up -q`.*`shipit up -v`/);
    assert.doesNotMatch(JSON.stringify(lesson), /verbose here/);
  });

  it('is about 200 tokens, and no report itself', () => {
    assert.ok(REPORT_PROTOCOL.length < 1_000);
    assert.deepEqual(parseReports(REPORT_PROTOCOL), []);
  });
});
