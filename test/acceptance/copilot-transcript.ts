/**
 * Copilot CLI: what its hooks tell of a run and what its log keeps of it are the same calls, sub-agent included;
 * refusals, a command left running and an interruption are told as such.
 */
import { join } from 'node:path';
import type { Checks } from './checks.ts';
import { compareCalls, readHome, type ToldCall } from './compare-calls.ts';
import { type HookRecord, openRig, type Rig, type RigTool, type RunContext, type RunResult, type Turn } from './rig.ts';

const sh = (command: string, more: object = {}): RigTool => ({
  name: 'bash',
  input: { command, description: 'x', ...more },
});
const say = (...tools: RigTool[]): Turn => ({ text: 'go', tools });

const everything = ({ project }: RunContext): readonly Turn[] => {
  const file = (name: string, path: string, more: object = {}): RigTool => ({
    name,
    input: { path: join(project, path), ...more },
  });
  return [
    say(sh('echo fine')),
    say(sh('echo before; exit 3')),
    say(sh('echo warned >&2')),
    say(file('view', 'missing.txt')),
    say(file('view', 'hello.txt')),
    say(file('edit', 'hello.txt', { old_str: 'NOT THERE', new_str: 'x' })),
    say(file('edit', 'hello.txt', { old_str: 'world', new_str: 'moon' })),
    say(file('create', 'new.txt', { file_text: 'fresh\n' })),
    say({ name: 'glob', input: { pattern: '*.txt' } }),
    say({ name: 'grep', input: { pattern: 'moon' } }),
    say(sh('sleep 0.3; echo slow'), sh('ls /nonexistent-place'), file('view', 'hello.txt')),
    say({ name: 'view', input: { wrong: 1 } }),
    say({ name: 'no_such_tool', input: { a: 1 } }),
    say(sh('cat hidden-thing')),
    say(sh('touch made-it')),
    say(sh('sleep 0.2; echo later; exit 5', { mode: 'async' })),
    say(sh('sleep 1')),
    say({
      name: 'task',
      input: { description: 'd', prompt: 'STORY-SUB go', agent_type: 'general-purpose', name: 'sub', mode: 'sync' },
    }),
    { text: 'all finished' },
  ];
};

/** The client fetches by itself what a command printed that had been left running. */
const UNHEARD = ['read_bash success'];

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('copilot');
  await checkAll(await runAll(rig), checks);
  const stopped = await rig.run('oncebitten-stopped', {
    script: { routes: [{ name: 'main', match: 'RIG-MAIN', turns: [say(sh(INTERRUPT)), { text: 'survived' }] }] },
  });
  const { events, rows, skipped } = await readHome('copilot', '/nonexistent', toEnv(stopped));
  const ends = rows.map(({ result }) => (result.cancelled ? 'cancelled' : 'other')).join();
  checks.check('an interrupted call is cancelled', ends === 'cancelled' && skipped.length === 0, ends);
  checks.check('and the interruption is told', events.filter((event) => event.kind === 'interrupted').length === 1);
}

/** The client takes no `kill` of a name: the one that runs this command is looked for among its ancestors. */
const INTERRUPT = `'${process.execPath}' -e "
const fs = require('node:fs');
for (let pid = process.ppid; pid > 1; ) {
  if (fs.readlinkSync('/proc/' + pid + '/exe').endsWith('/copilot')) { process.kill(pid, 'SIGINT'); break; }
  pid = Number(fs.readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ').pop().split(' ')[1]);
}"; sleep 3; echo survived`;

function toEnv({ home }: RunContext): Readonly<Record<string, string>> {
  return { COPILOT_HOME: join(home, '.copilot') };
}

function runAll(rig: Rig): Promise<RunResult> {
  const answer = `let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{if(s.includes('hidden-thing'))process.stdout.write(JSON.stringify({permissionDecision:'deny',permissionDecisionReason:'not this'}))})`;
  const options = {
    args: ['--deny-tool', 'shell(touch)'],
    hooks: ({ hookLog }: { readonly hookLog: string }) => {
      const hooks = rig.hooksFor?.(hookLog) ?? {};
      const bash = `'${process.execPath}' -e '${answer.replaceAll("'", `'\\''`)}'`;
      return { ...hooks, preToolUse: [...(hooks.preToolUse ?? []), { type: 'command', bash }] };
    },
    script: (context: RunContext) => ({
      routes: [
        { name: 'sub', match: 'STORY-SUB', turns: [say(sh('echo from-sub')), say(sh('exit 4')), { text: 'sub done' }] },
        { name: 'main', match: 'RIG-MAIN', turns: everything(context) },
      ],
    }),
  };
  return rig.run('oncebitten-transcript', options);
}

async function checkAll(run: RunResult, checks: Checks): Promise<void> {
  checks.check('the session ends cleanly', run.results[0]?.code === 0, `exit ${run.results[0]?.code}`);
  const read = await readHome('copilot', run.home, {});
  const named = await readHome('copilot', '/nonexistent', toEnv(run));
  checks.check('its log is found in the home, and where the variable says', read.files === 1 && named.files === 1);
  checks.check('every record is known', read.skipped.length === 0, read.skipped.join(', '));
  checks.check('a second read tells nothing', read.again === 0, String(read.again));
  compareCalls(toTold(run.hooks), read.rows, UNHEARD, checks);

  const denials = read.rows.flatMap(({ result }) => (result.denied === undefined ? [] : [result.denied.by]));
  checks.check('a hook and a rule refused', denials.join() === 'hook,rule', denials.join());
  const subs = read.rows.filter((row) => row.contextId !== '').map((row) => `${row.input.command}`);
  checks.check('the sub-agent has its own context', subs.join() === 'echo from-sub,exit 4', subs.join());
  const ends = read.events.flatMap((event) => (event.kind === 'background-ended' ? [event.result.exitCode] : []));
  checks.check('a command left running has its end', ends.length > 0 && ends.every((code) => code === 5), ends.join());
  const prompts = read.events.flatMap((event) => (event.kind === 'prompted' ? [event.text] : []));
  checks.check('the prompt, and not the task of the sub-agent', prompts.join() === 'RIG-MAIN go', prompts.join());
  const places = new Set(read.rows.map(({ cwd, model, agentVersion }) => `${cwd} ${model} ${agentVersion}`));
  checks.check(
    'with folder, model and version',
    places.size === 1 && [...places].join().startsWith(run.project),
    [...places].join(),
  );
}

/** A hook before each call, and one of two after those that ran; nothing but the order and the input joins them. */
function toTold(hooks: readonly HookRecord[]): readonly ToldCall[] {
  const ends = hooks.filter(({ event }) => event.startsWith('postToolUse'));
  return hooks
    .filter(({ event }) => event === 'preToolUse')
    .map(({ payload }) => {
      const { toolName, toolArgs } = payload;
      const key = JSON.stringify([toolName, toolArgs]);
      const at = ends.findIndex(({ payload: end }) => JSON.stringify([end.toolName, end.toolArgs]) === key);
      const [end] = at === -1 ? [] : ends.splice(at, 1);
      return { rawTool: String(toolName), input: toolArgs, ...toEnd(end) };
    });
}

function toEnd(end: HookRecord | undefined): { readonly outcome: string; readonly exitCode?: number } {
  if (end === undefined) return { outcome: 'denied' };
  if (end.event === 'postToolUseFailure') return { outcome: 'failure' };
  const code = /completed with exit code (\d+)>/.exec(JSON.stringify(end.payload.toolResult))?.[1];
  if (code === undefined || code === '0') return { outcome: 'success' };
  return { outcome: 'failure', exitCode: Number(code) };
}
