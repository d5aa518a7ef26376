/**
 * Codex 0.142, 0.144 and 0.166, in code mode and outside it: every call that was made is captured once, and how it ended
 * is right or unknown. What was made is known twice: from the story that the scripted model tells, and from the hooks,
 * which fire for every command, patch and server tool, also inside scripts.
 *
 * Versions are looked for in `<rig root>/install/codex*` and in the folders of `ONCEBITTEN_CODEX_VERSIONS`
 * (separated by `:`), each made by `npm i --ignore-scripts @openai/codex@<version>`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toToolName } from '../../src/agents/codex/calls.ts';
import { codexHistory } from '../../src/agents/codex/history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { judgeFacts } from '../../src/capture/outcomes/judge-facts.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat, findTranscripts } from '../../src/capture/transcripts/session-files.ts';
import type { Checks } from './checks.ts';
import { DIRECT, type Made, SCRIPTS, type Scene } from './codex-code-story.ts';
import { openRig, type Rig, type RunContext, type RunResult, type Script, type Turn } from './rig.ts';

type Row = EventOf<'call-ended'> | EventOf<'background-ended'>;

interface Version {
  /** `0.144`. */
  readonly name: string;
  /** A model of that version whose tools are scripts, and what else switches code mode on. */
  readonly model: string;
  readonly args: readonly string[];
  /** Rollouts have rows for the commands in scripts. */
  readonly hasRows: boolean;
  /** How the model spawns an agent that knows the conversation. */
  readonly spawn: Turn;
}

const SPAWN: Turn = {
  text: 'go',
  tools: [
    {
      name: 'spawn_agent',
      namespace: 'collaboration',
      input: { message: 'help', task_name: 'helper', fork_turns: 'all' },
    },
  ],
};

const VERSIONS: readonly Version[] = [
  {
    name: '0.142',
    model: 'gpt-5.5',
    args: ['-c', 'features.code_mode_only=true'],
    hasRows: false,
    spawn: toScript("text(await tools.multi_agent_v1__spawn_agent({message: 'help', fork_context: true}));"),
  },
  { name: '0.144', model: 'gpt-5.6-sol', args: [], hasRows: false, spawn: SPAWN },
  { name: '0.166', model: 'gpt-6.1-sol', args: [], hasRows: true, spawn: SPAWN },
];
const PLAIN_MODEL = 'gpt-5.5';
const BINARY = 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex';

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('codex');
  const installed = findInstalled(rig);
  for (const version of VERSIONS) {
    const bin = installed.get(version.name);
    const next = `npm i --ignore-scripts @openai/codex@${version.name} in ${rig.root}/install/codex-${version.name}`;
    checks.check(`${version.name}: the client is installed`, bin !== undefined, bin ?? `missing; next: ${next}`);
    if (bin === undefined) continue;
    rig.use(bin);
    await acceptRun(await run(rig, version, 'code', SCRIPTS), version, 'code mode', checks);
    await acceptRun(await run(rig, version, 'direct', DIRECT), version, 'no scripts', checks);
    await acceptThreads(rig, version, checks);
  }
}

function findInstalled({ root }: Rig): ReadonlyMap<string, string> {
  const folder = join(root, 'install');
  const beside = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('codex')) : [];
  const named = (process.env.ONCEBITTEN_CODEX_VERSIONS ?? '').split(':').filter((path) => path !== '');
  return new Map(
    [...beside.map((name) => join(folder, name)), ...named].flatMap((path): [string, string][] => {
      const [manifest, bin] = [join(path, 'node_modules/@openai/codex/package.json'), join(path, BINARY)];
      if (!existsSync(manifest) || !existsSync(bin)) return [];
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
      return [[version.split('.').slice(0, 2).join('.'), bin]];
    }),
  );
}

interface Run extends RunResult {
  readonly scenes: readonly Scene[];
  readonly rows: readonly Row[];
}

async function run(
  rig: Rig,
  version: Version,
  name: 'code' | 'direct',
  story: (context: RunContext) => readonly Scene[],
): Promise<Run> {
  const isCode = name === 'code';
  let scenes: readonly Scene[] = [];
  const result = await rig.run(`oncebitten-${name}-${version.name}`, {
    model: isCode ? version.model : PLAIN_MODEL,
    config: `[mcp_servers.echo]\ncommand = "${process.execPath}"\nargs = ["${ECHO_SERVER}"]\n`,
    steps: [{ prompt: 'RIG-MAIN go', args: isCode ? version.args : [] }],
    hooks: (context) => makeHooks(rig, context),
    script: (context) => {
      scenes = story(context);
      const turns = [...scenes.map(({ turn }) => turn), { text: 'all finished' }];
      return { routes: [{ name: 'main', match: 'RIG-MAIN', noTools: true, turns }] };
    },
  });
  return { ...result, scenes, rows: await readRows(result.home) };
}

const ECHO_SERVER = join(
  process.env.ONCEBITTEN_RIG ?? join(import.meta.dirname, '../../../shared/real-clients'),
  'mcp-echo.mjs',
);

/** A probe on every event, a hook that refuses one command, and a rule of Codex's own against another. */
function makeHooks(rig: Rig, { home, hookLog }: RunContext & { readonly hookLog: string }): object {
  mkdirSync(join(home, 'rules'), { recursive: true });
  const rule = 'prefix_rule(pattern=["git","push"], decision="forbidden", justification="not from here")\n';
  writeFileSync(join(home, 'rules/default.rules'), rule);
  const refusal = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not this' };
  const answer = `let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{if(s.includes('hidden-thing'))process.stdout.write(JSON.stringify({hookSpecificOutput:${JSON.stringify(refusal)}}))})`;
  const command = `'${process.execPath}' -e '${answer.replaceAll("'", `'\\''`)}'`;
  const hooks = rig.hooksFor?.(hookLog) ?? {};
  return { ...hooks, PreToolUse: [...(hooks.PreToolUse ?? []), { hooks: [{ type: 'command', command }] }] };
}

async function acceptRun(run: Run, version: Version, mode: string, checks: Checks): Promise<void> {
  const name = `${version.name} ${mode}`;
  const made = run.scenes.flatMap((scene) => scene.made);
  checks.check(
    `${name}: the client ended well`,
    run.results.every(({ code }) => code === 0),
  );
  const [wanted, found] = [made.map(toMadeLabel).sort(), run.rows.map(toRowLabel).sort()];
  checks.check(
    `${name}: ${made.length} calls made, ${run.rows.length} captured, the same ones`,
    wanted.join('\n') === found.join('\n'),
    toDifference(wanted, found),
  );
  checkOutcomes(name, made, run.rows, version, checks);
  checkHooks(name, run, version, checks);
}

/** Right, or unknown where nothing that the client wrote tells it. */
function checkOutcomes(
  name: string,
  made: readonly Made[],
  rows: readonly Row[],
  version: Version,
  checks: Checks,
): void {
  const free = new Set(rows);
  const wrong: string[] = [];
  let unknown = 0;
  for (const call of made) {
    const mayBeUnknown = call.isHidden === true && !version.hasRows;
    const same = [...free].filter((row) => toRowLabel(row) === toMadeLabel(call));
    const row = same.find((one) => isRight(call, one)) ?? same[0];
    if (row !== undefined) free.delete(row);
    if (row?.result.unended === true && mayBeUnknown) unknown++;
    else if (row === undefined || !isRight(call, row))
      wrong.push(`${toMadeLabel(call)}: ${JSON.stringify(row?.result)}`);
  }
  checks.check(`${name}: outcomes right, ${unknown} unknown`, wrong.length === 0, wrong.join('\n'));
}

function isRight({ outcome, exitCode }: Made, row: Row): boolean {
  const found = row.result.unended === true ? 'unknown' : judgeFacts(row).outcome;
  return found === outcome && (exitCode === undefined || row.result.exitCode === exitCode);
}

/** A hook fires before each command, patch and server tool, whatever becomes of it. */
function checkHooks(name: string, run: Run, version: Version, checks: Checks): void {
  const before = run.hooks.filter(({ event }) => event === 'PreToolUse').map(({ payload }) => toHookLabel(payload));
  const heard = run.rows.filter(({ tool }) => tool === 'shell' || tool === 'edit' || tool.startsWith('mcp:'));
  const found = heard.map(toRowLabel);
  checks.check(
    `${name}: ${before.length} calls that hooks were told before are the same calls`,
    before.length > 0 && before.sort().join('\n') === found.sort().join('\n'),
    toDifference(before, found),
  );
  if (!version.hasRows) return;
  const after = run.hooks.filter(({ event }) => event === 'PostToolUse');
  const unlike = after.filter(({ payload }) => !heard.some((row) => isTold(row, payload)));
  checks.check(
    `${name}: ${after.length} calls that hooks were told after have the same id, text and output`,
    after.length > 0 && unlike.length === 0,
    unlike.map(({ payload }) => JSON.stringify(payload)).join('\n'),
  );
}

function isTold(
  row: Row,
  { tool_use_id, tool_name, tool_input, tool_response }: Readonly<Record<string, unknown>>,
): boolean {
  if (row.callId !== tool_use_id || toRowLabel(row) !== toHookLabel({ tool_name, tool_input })) return false;
  // A hook is given what the model is: the limit of the call cuts it, the row has all.
  const isCut = String(tool_response).startsWith('Warning: truncated output');
  return row.tool !== 'shell' || isCut || row.result.text === tool_response;
}

/** A session that is resumed goes on in the same file; a forked agent has a file that begins with its parent's rows. */
async function acceptThreads(rig: Rig, version: Version, checks: Checks): Promise<void> {
  const exec = (cmd: string): Turn => toScript(`const r = await tools.exec_command({cmd: '${cmd}'}); text(r);`);
  const start = { prompt: 'RIG-MAIN go', args: version.args };
  const resumed = await rig.run(`oncebitten-resume-${version.name}`, {
    model: version.model,
    hooks: ({ hookLog }) => rig.hooksFor?.(hookLog) ?? {},
    steps: [start, { prompt: 'RIG-MAIN again', args: ['resume', '--last', ...version.args] }],
    script: toMain(exec('echo before; exit 2'), { text: 'rest' }, exec('echo after; exit 3')),
  });
  await checkThreads(`${version.name} resumed`, resumed, ['2', '3'], checks);
  // The child's conversation begins with its parent's: the scripted model cannot tell them apart, each takes some turns.
  const forked = await rig.run(`oncebitten-fork-${version.name}`, {
    model: version.model,
    hooks: ({ hookLog }) => rig.hooksFor?.(hookLog) ?? {},
    steps: [start],
    script: toMain(
      exec('echo parent; exit 2'),
      version.spawn,
      exec('sleep 1; exit 3'),
      exec('sleep 1; exit 4'),
      exec('sleep 1; exit 5'),
    ),
  });
  await checkThreads(`${version.name} forked`, forked, ['2', '3', '4', '5'], checks);
}

function toScript(input: string): Turn {
  return { text: 'go', tools: [{ name: 'exec', custom: true, input }] };
}

function toMain(...turns: Turn[]): Script {
  return { routes: [{ name: 'main', match: 'RIG-MAIN', noTools: true, turns: [...turns, { text: 'done' }] }] };
}

/** Each command once, in the session and for the agent that hooks name. */
async function checkThreads(name: string, run: RunResult, codes: readonly string[], checks: Checks): Promise<void> {
  const rows = (await readRows(run.home)).filter(({ tool }) => tool === 'shell');
  const told = run.hooks
    .filter(({ event, payload }) => event === 'PreToolUse' && payload.tool_name === 'Bash')
    .map(({ payload }) => `${payload.session_id} ${payload.agent_id ?? ''} ${toHookLabel(payload)}`);
  const found = rows.map((row) => `${row.sessionId} ${row.contextId} ${toRowLabel(row)}`);
  checks.check(
    `${name}: ${told.length} commands that hooks were told of are captured once, for the same agent`,
    told.length === codes.length && told.sort().join('\n') === found.sort().join('\n'),
    toDifference(told, found),
  );
  // The end of the main conversation may cut its agents off.
  const ended = rows.filter(({ result }) => result.unended !== true && result.cancelled !== true);
  const wrong = ended.filter(({ input, result }) => !input.command?.endsWith(`exit ${result.exitCode}`));
  checks.check(
    `${name}: their exit codes are right`,
    ended.length > 0 && wrong.length === 0,
    wrong.map(toRowLabel).join(),
  );
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

function toMadeLabel({ tool, text }: Made): string {
  return `${tool} ${text}`;
}

function toRowLabel({ tool, rawTool, input }: Row): string {
  if (tool === 'shell') return `shell ${input.command ?? '?'}`;
  // Rows name the file by its whole path, patches as they were written.
  return tool === 'edit' ? `edit ${(input.path ?? '?').split('/').at(-1)}` : `${tool} ${rawTool}`;
}

function toHookLabel({ tool_name, tool_input }: Readonly<Record<string, unknown>>): string {
  const { command = '' } = (tool_input ?? {}) as { readonly command?: string };
  if (tool_name === 'Bash') return `shell ${command}`;
  if (tool_name === 'apply_patch') return `edit ${/^\*\*\* \w+ File: (.+)$/m.exec(command)?.[1]}`;
  return `${toToolName(String(tool_name))} ${tool_name}`;
}

function toDifference(wanted: readonly string[], found: readonly string[]): string {
  const rest = [...found];
  const missing = wanted.filter((label) => {
    const at = rest.indexOf(label);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
  return [...missing.map((label) => `missing: ${label}`), ...rest.map((label) => `too many: ${label}`)].join('\n');
}
