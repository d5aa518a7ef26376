/**
 * Codex: what its hooks tell of a run and what its rollouts keep of it are the same calls. Every call that a hook told
 * is one row of the same id, tool and command; the rows beyond are those of calls that fire no hook.
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toToolName } from '../../src/agents/codex/calls.ts';
import { codexHistory } from '../../src/agents/codex/history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat, findTranscripts } from '../../src/capture/transcripts/session-files.ts';
import type { Checks } from './checks.ts';
import { type HookRecord, openRig, type Rig, type RigTool, type RunContext, type RunResult, type Turn } from './rig.ts';

type Row = EventOf<'call-ended'> | EventOf<'background-ended'>;

const sh = (cmd: string, more: object = {}): RigTool => ({ name: 'exec_command', input: { cmd, ...more } });
const patch = (...lines: string[]): RigTool => ({
  name: 'apply_patch',
  custom: true,
  input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});
const code = (input: string): RigTool => ({ name: 'exec', custom: true, input });
const spawn = (input: object): RigTool => ({ name: 'spawn_agent', namespace: 'multi_agent_v1', input });
const say = (...tools: RigTool[]): Turn => ({ text: 'go', tools });

/** What is asked of the client, and the row that must come of it: `tool outcome exit-code context`. */
const DIRECT: readonly (readonly [Turn, ...string[]])[] = [
  [say(sh('echo fine')), 'shell success 0 main'],
  [say(sh('echo before; exit 3')), 'shell failure 3 main'],
  [say(sh('echo warned >&2')), 'shell success 0 main'],
  [say(patch('*** Update File: hello.txt', '@@', '-NOT THERE', '+x')), 'edit failure - main'],
  [say(patch('*** Update File: hello.txt', '@@', ' hello', '-world', '+moon')), 'edit success - main'],
  [say(patch('*** Add File: new.txt', '+fresh')), 'edit success - main'],
  [
    say(sh('sleep 0.3; echo slow'), sh('ls /nonexistent-place'), sh('echo third')),
    'shell success 0 main',
    'shell failure 2 main',
    'shell success 0 main',
  ],
  [say({ name: 'no_such_tool', input: { a: 1 } }), 'other failure - main'],
  [say(sh('cat hidden-thing')), 'shell denied - main'],
  [say(sh('git push origin main')), 'shell denied - main'],
  [say(sh('sleep 1; echo late; exit 7', { yield_time_ms: 250 })), 'shell failure 7 main'],
  [say({ search: true, input: { query: 'spawn agent echo', limit: 8 } }), 'other success - main'],
  [say({ name: 'echo', namespace: 'mcp__echo', input: { text: 'hi' } }), 'mcp:echo/echo success - main'],
  [say({ name: 'fail', namespace: 'mcp__echo', input: {} }), 'mcp:echo/fail failure - main'],
  [say(spawn({ message: 'STORY-SUB go' })), 'task success - main', 'shell success 0 sub', 'shell failure 4 sub'],
  [say(sh('sleep 3; echo waited')), 'shell success 0 main'],
];

const SCRIPTS: readonly (readonly [Turn, ...string[]])[] = [
  [
    say(code("text((await tools.exec_command({cmd:'echo nested'})).output)")),
    'other success - main',
    'shell success 0 main',
  ],
  [
    say(code("await Promise.all([tools.exec_command({cmd:'echo a; exit 5'}), tools.exec_command({cmd:'echo b'})])")),
    'other success - main',
    'shell failure 5 main',
    'shell success 0 main',
  ],
  [
    say(code("await tools.apply_patch('*** Begin Patch\\n*** Add File: made.txt\\n+fresh\\n*** End Patch')")),
    'other success - main',
    'edit success - main',
  ],
  [say(code("throw new Error('boom')")), 'other failure - main'],
];

const FORK: readonly Turn[] = [
  say({ search: true, input: { query: 'spawn agent', limit: 8 } }),
  say(sh('echo before the fork')),
  say(spawn({ message: 'STORY-FORK go', fork_context: true })),
  ...['one', 'two', 'three'].map((word, n) => say(sh(`sleep ${n === 0 ? 2 : 0.2}; echo ${word}`))),
];

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('codex');
  const hooks = ({ hookLog }: { readonly hookLog: string }) => rig.hooksFor?.(hookLog) ?? {};
  const direct = await runDirect(rig);
  const scripts = await rig.run('oncebitten-code', {
    model: 'gpt-6.1-sol',
    hooks,
    script: { routes: [{ name: 'main', match: 'RIG-MAIN', noTools: true, turns: toTurns(SCRIPTS) }] },
  });
  // The parent's history is the child's: the scripted model cannot tell them apart, and each takes some of the turns.
  const forked = await rig.run('oncebitten-fork', {
    hooks,
    script: { routes: [{ name: 'main', match: 'RIG-MAIN', turns: FORK }] },
  });
  checkRows('direct', await readRows(direct.home), DIRECT, checks);
  checkRows('code mode', await readRows(scripts.home), SCRIPTS, checks);
  await compareHooks('direct', direct, ['no_such_tool', 'tool_search'], checks);
  await compareHooks('code mode', scripts, ['exec'], checks);
  await compareHooks('fork', forked, ['tool_search'], checks);
}

function runDirect(rig: Rig): Promise<RunResult> {
  const refusal = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not this' };
  const answer = `let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{if(s.includes('hidden-thing'))process.stdout.write(JSON.stringify({hookSpecificOutput:${JSON.stringify(refusal)}}))})`;
  const echo = join(
    process.env.ONCEBITTEN_RIG ?? join(import.meta.dirname, '../../../shared/real-clients'),
    'mcp-echo.mjs',
  );
  const sub = (match: string, ...turns: Turn[]) => ({ name: match, match, turns: [...turns, { text: 'done' }] });
  return rig.run('oncebitten-transcript', {
    config: `[mcp_servers.echo]\ncommand = "${process.execPath}"\nargs = ["${echo}"]\n`,
    hooks: (context) => {
      writeRule(context);
      const hooks = rig.hooksFor?.(context.hookLog) ?? {};
      const command = `'${process.execPath}' -e '${answer.replaceAll("'", `'\\''`)}'`;
      return { ...hooks, PreToolUse: [...(hooks.PreToolUse ?? []), { hooks: [{ type: 'command', command }] }] };
    },
    script: {
      routes: [
        sub('STORY-SUB', { tools: [sh('echo from-sub')] }, { tools: [sh('exit 4')] }),
        { name: 'main', match: 'RIG-MAIN', turns: toTurns(DIRECT) },
      ],
    },
  });
}

/** Codex's own rule against a command. */
function writeRule({ home }: RunContext): void {
  mkdirSync(join(home, 'rules'), { recursive: true });
  const rule = 'prefix_rule(pattern=["git","push"], decision="forbidden", justification="not from here")\n';
  writeFileSync(join(home, 'rules/default.rules'), rule);
}

function toTurns(story: readonly (readonly [Turn, ...string[]])[]): readonly Turn[] {
  return [...story.map(([turn]) => turn), { text: 'all finished' }];
}

/** Every file of the client's home, as the scanner reads it: one row per call, the end in the background the last word. */
async function readRows(home: string): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  for (const place of codexHistory.places) {
    const files = findTranscripts(join(home, place), (path) => findFormat(codexHistory, path) !== undefined);
    for (const { path } of files) {
      // Nobody writes any more: a call that the end of the run cut off is told as never ended.
      utimesSync(path, 0, 0);
      await readTranscriptFile({ path, history: codexHistory }, (events) => {
        for (const row of events.filter(isRow)) rows.set(`${row.sessionId} ${row.contextId} ${row.callId}`, row);
      });
    }
  }
  return [...rows.values()];
}

function isRow(event: AgentEvent): event is Row {
  return event.kind === 'call-ended' || event.kind === 'background-ended';
}

function checkRows(
  name: string,
  rows: readonly Row[],
  story: readonly (readonly [Turn, ...string[]])[],
  checks: Checks,
): void {
  const found = rows.map(toLabel).sort();
  const expected = story.flatMap(([, ...labels]) => labels).sort();
  checks.check(
    `${name}: every call is one row with its outcome`,
    found.join() === expected.join(),
    `${found.join(', ')}`,
  );
}

function toLabel({ tool, contextId, result, input }: Row): string {
  const failed = result.isError || (result.exitCode ?? 0) !== 0;
  const outcome = result.denied === undefined ? (failed ? 'failure' : 'success') : 'denied';
  if (tool === 'shell' && input.command === undefined) return 'shell without command';
  return `${tool} ${outcome} ${result.exitCode ?? '-'} ${contextId === '' ? 'main' : 'sub'}`;
}

/** Which calls fire no hook at all is expected by name; of the others some fire only the one before. */
async function compareHooks(name: string, run: RunResult, unheard: readonly string[], checks: Checks): Promise<void> {
  const rows = await readRows(run.home);
  const told = run.hooks.filter(({ event }) => event === 'PreToolUse' || event === 'PostToolUse');
  const wrong = told.filter((record) => rows.filter((row) => isSame(row, record)).length !== 1);
  const after = told.filter(({ event }) => event === 'PostToolUse');
  const detail = wrong.map(({ event, payload }) => `${event} ${JSON.stringify(payload)}`).join('\n');
  checks.check(
    `${name}: ${told.length} hooks, ${after.length} of them after a call, each is one row`,
    told.length > 0 && wrong.length === 0,
    detail,
  );
  const ids = new Set(told.map(({ payload }) => payload.tool_use_id));
  const rest = [...new Set(rows.filter((row) => !ids.has(row.callId)).map((row) => row.rawTool))].sort();
  checks.check(
    `${name}: the other rows are of tools without hooks`,
    rest.join() === [...unheard].sort().join(),
    rest.join(),
  );
}

function isSame(row: Row, { event, payload }: HookRecord): boolean {
  const { session_id, agent_id = '', tool_use_id, tool_name, tool_input, tool_response } = payload;
  if (row.callId !== tool_use_id || row.sessionId !== session_id || row.contextId !== agent_id) return false;
  if (row.tool !== (tool_name === 'Bash' ? 'shell' : toToolName(String(tool_name)))) return false;
  const isShell = row.tool === 'shell';
  if (isShell && row.input.command !== (tool_input as { readonly command?: string }).command) return false;
  // A forked agent may be cut off by the end of its parent, between its hook and its rollout.
  if (event === 'PreToolUse' || row.result.unended === true) return true;
  // Only calls that worked fire it; a command that ran has worked, whatever its exit code.
  return row.result.denied === undefined && (isShell ? row.result.text === tool_response : !row.result.isError);
}
