/** A mistake made in one coding agent is warned of in the other agents that work on the same repository. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { StatsReport } from '../../src/measure/make-stats-report.ts';
import { openStory, readHookCommand, type Story } from './open-story.ts';
import { loadPlugin, type PluginHooks } from './opencode-plugin.ts';

const CODEX_FIXTURES = join(import.meta.dirname, '../fixtures/codex/hooks');
const CODEX_SESSIONS = ['019a8f20-0000-7000-8000-000000000001', '019a8f20-0000-7000-8000-000000000002'] as const;
const MISTAKE = 'shipit up --fast web';
const ERROR = 'unknown flag: --fast\n\nUsage:  shipit up [flags] [service]\n';

describe('a mistake made in Codex', () => {
  let story: Story;
  let plugin: PluginHooks;
  let calls = 0;
  before(async () => {
    story = await openStory();
    for (const folder of [story.project, join(story.home, 'other')])
      assert.equal(spawnSync('git', ['init', '-q', folder]).status, 0);
    for (const agent of ['codex', 'opencode']) await story.cli('install', agent, '--force');
    await story.cli('config', 'set', 'holdout.share', '0');
    plugin = await loadPlugin(story);
  });
  after(() => story.close());

  const toRollout = (session: string) => join(story.home, '.codex/sessions/2026/11/15', `rollout-${session}.jsonl`);
  const writeRow = (session: string, type: string, payload: object): void => {
    mkdirSync(dirname(toRollout(session)), { recursive: true });
    const row = { timestamp: new Date().toISOString(), type, payload };
    appendFileSync(toRollout(session), `${JSON.stringify(row)}\n`);
  };
  const tellCodex = async (fixture: string, session: string, fields: object = {}): Promise<string> => {
    const recorded = JSON.parse(readFileSync(join(CODEX_FIXTURES, `${fixture}.json`), 'utf8'));
    const place = { session_id: session, cwd: story.project, transcript_path: toRollout(session) };
    const command = readHookCommand(story.home, recorded.hook_event_name, '.codex/hooks.json');
    const answer = await story.run(command, `${JSON.stringify({ ...recorded, ...place, ...fields })}\n`);
    assert.deepEqual([answer.code, answer.stderr], [0, '']);
    return answer.stdout;
  };
  /** Codex writes how a command ended into its session file, then runs the hook. */
  const runInCodex = async (session: string, command: string, error?: string): Promise<string> => {
    const id = `call_${++calls}`;
    const call = { tool_input: { command }, tool_use_id: id };
    const heard = await tellCodex('PreToolUse.Bash', session, call);
    const [exit_code, status] = error === undefined ? [0, 'completed'] : [1, 'failed'];
    const aggregated_output = error ?? 'done\n';
    const item = { type: 'CommandExecution', id, command: ['bash', '-lc', command], exit_code, status };
    writeRow(session, 'event_msg', { type: 'item_completed', item: { ...item, aggregated_output } });
    return heard + (await tellCodex('PostToolUse.Bash', session, { ...call, tool_response: aggregated_output }));
  };
  /** A session that fails and then works. It returns the text that the agent got with the failing call. */
  const failInCodex = async (session: string): Promise<string> => {
    writeRow(session, 'session_meta', { id: session, cwd: story.project, cli_version: '0.166.0', source: 'cli' });
    await tellCodex('SessionStart.startup', session);
    await runInCodex(session, 'shipit status');
    const heard = await runInCodex(session, 'shipit up --fast', ERROR);
    await runInCodex(session, 'shipit up --quick');
    await runInCodex(session, 'shipit logs web');
    await tellCodex('SessionEnd', session);
    await story.settle();
    return heard;
  };

  const startClaude = (session: string) => story.hook('SessionStart.startup', { session_id: session });
  /** The text that Claude Code gets before a call of its tool `Bash`. */
  const askInClaude = async (session: string, command: string, cwd = story.project): Promise<string> => {
    const call = { tool_name: 'Bash', tool_input: { command, description: 'x' }, tool_use_id: `toolu_${++calls}` };
    const { code, stdout, stderr } = await story.hook('PreToolUse.Bash', { session_id: session, cwd, ...call });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  };
  /** The text that OpenCode gets with the result of a call of its tool `bash`, which is where it takes a note. */
  const runInOpenCode = async (sessionID: string, command: string): Promise<string> => {
    const call = { tool: 'bash', sessionID, callID: `call_${++calls}` };
    const [exit, printed] = command.includes('--fast') ? [1, ERROR] : [0, 'done\n'];
    const output = { title: '', output: printed, metadata: { exit, output: printed } };
    await plugin['tool.execute.before']?.(call, { args: { command } });
    await plugin['tool.execute.after']?.({ ...call, args: { command } }, output);
    assert.ok(output.output.startsWith(printed));
    return output.output.slice(printed.length);
  };

  const assertWarned = (text: string): void => {
    assert.match(text, /`shipit up` has no `--fast`/);
    assert.match(text, /`shipit up --quick web`/, 'the call itself, corrected');
    assert.doesNotMatch(text, /codex|exec_command/i, 'no word that only Codex knows');
  };

  it('becomes one active lesson of the repository, for the shell of any agent', async () => {
    assert.equal(await failInCodex(CODEX_SESSIONS[0]), '');
    assert.match(await failInCodex(CODEX_SESSIONS[1]), /--quick/, 'Codex itself is warned in its next session');
    const [lesson, ...others] = await story.list<Lesson>('lessons', 'list');
    assert.deepEqual([lesson?.status, lesson?.scope.kind, lesson?.sessions, others], ['active', 'project', 2, []]);
    assert.deepEqual(lesson?.triggers.tools, ['shell']);
    assert.deepEqual(
      lesson?.evidence.map(({ agent, sessionId }) => [agent, sessionId]),
      CODEX_SESSIONS.map((session) => ['codex', session]),
    );
  });

  it('is warned of in Claude Code before the call, once', async () => {
    await startClaude('claude');
    assert.equal(await askInClaude('claude', 'shipit up --quick web'), '');
    assertWarned(await askInClaude('claude', MISTAKE));
    assert.equal(await askInClaude('claude', MISTAKE), '');
  });

  it('is warned of in OpenCode with the result of the call, once', async () => {
    await plugin.event?.({ event: { type: 'session.created', properties: { info: { id: 'opencode' } } } }, {});
    assert.equal(await runInOpenCode('opencode', 'shipit logs web'), '');
    assertWarned(await runInOpenCode('opencode', MISTAKE));
    assert.equal(await runInOpenCode('opencode', MISTAKE), '');
  });

  it('is not mentioned in another repository', async () => {
    await startClaude('elsewhere');
    assert.equal(await askInClaude('elsewhere', MISTAKE, join(story.home, 'other')), '');
  });

  it('has one delivery under each agent', async () => {
    await story.settle();
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    const deliveries = await store.listDeliveries({}).finally(() => store.close());
    assert.deepEqual(deliveries.map(({ agent, sessionId, kind, arm }) => [agent, sessionId, kind, arm]).sort(), [
      ['claude-code', 'claude', 'call', 'shown'],
      ['codex', CODEX_SESSIONS[1], 'call', 'shown'],
      ['opencode', 'opencode', 'call', 'shown'],
    ]);
    const { totals, by } = (await story.cli('stats')) as StatsReport;
    assert.equal(totals.shown, 3);
    const shown = Object.fromEntries(by.agent.map((group) => [group.key, group.shown]));
    assert.deepEqual(shown, { codex: 1, 'claude-code': 1, opencode: 1 });
  });
});
