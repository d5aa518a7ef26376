/**
 * OpenCode: what its plugin hooks tell of a run and what its database keeps of it are the same calls. Every call that
 * `tool.execute.after` told is one row of the same id, session, tool, input and outcome; the rows beyond are those of
 * calls that failed or were refused, which no hook tells.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readToolCall } from '../../src/agents/opencode/calls.ts';
import { opencodeHistory } from '../../src/agents/opencode/history.ts';
import { toDoneResult } from '../../src/agents/opencode/results.ts';
import { findText, findWire, type Wire } from '../../src/agents/wire.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { isRecord } from '../../src/base/records.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import type { Checks } from './checks.ts';
import { openRig, type Rig, type RigTool, type RunContext, type RunResult, type Script, type Turn } from './rig.ts';

type Row = EventOf<'call-ended'>;

const tool = (name: string, input: object): RigTool => ({ name, input });
const sh = (command: string, more: object = {}): RigTool => tool('bash', { command, description: 'x', ...more });
const say = (...tools: RigTool[]): Turn => ({ text: 'go', tools });

/** What is asked of the client, and the row that must come of it: `tool outcome exit-code`. */
const story = (project: string): readonly (readonly [Turn, ...string[]])[] => {
  const file = (name: string) => join(project, name);
  return [
    [say(sh('echo fine')), 'shell success 0'],
    [say(sh('echo REWRITE-ME')), 'shell success 0'],
    [say(sh('echo before; exit 3')), 'shell failure 3'],
    [say(sh('echo begun; sleep 9', { timeout: 500 })), 'shell failure -'],
    [say(sh('rm -f nothing')), 'shell denied -'],
    [say(tool('read', { filePath: file('missing.txt') })), 'read failure -'],
    [say(tool('read', { filePath: file('hello.txt') })), 'read success -'],
    [say(tool('edit', { filePath: file('hello.txt'), oldString: 'NOT THERE', newString: 'x' })), 'edit failure -'],
    [say(tool('edit', { filePath: file('hello.txt'), oldString: 'world', newString: 'moon' })), 'edit success -'],
    [say(tool('write', { filePath: file('new.txt'), content: 'fresh\n' })), 'write success -'],
    [
      say(sh('sleep 0.3; echo slow'), sh('ls /nonexistent-place'), tool('read', { filePath: file('hello.txt') })),
      'shell success 0',
      'shell failure 2',
      'read success -',
    ],
    [say(tool('read', { wrong: 1 })), 'read failure -'],
    [say(tool('no_such_tool', { a: 1 })), 'other failure -'],
    [say(tool('echo_echo', { text: 'hi' })), 'mcp:echo/echo success -'],
    [say(tool('echo_fail', {})), 'mcp:echo/fail failure -'],
    [
      say(tool('task', { description: 'd', prompt: 'STORY-SUB do it', subagent_type: 'general' })),
      'task success -',
      'shell failure 4',
    ],
  ];
};

const REFUSED = 'shell denied -';
const TITLE = { name: 'title', match: '.', system: 'title generator', noTools: true, turns: [] };
const FULL = { input: 198_000, output: 10 };

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('opencode');
  const run = await runStory(rig);
  const { rows, events, files } = await readHome(run.home);
  checks.check('one database is found', files.length === 1 && files[0]?.endsWith('opencode.db') === true, files.join());
  const expected = [...story('').flatMap(([, ...lines]) => lines), REFUSED, 'shell success 0'].sort();
  const told = rows.map(toLine).sort();
  const same = isDeepStrictEqual(told, expected);
  checks.check(`${expected.length} calls are rows, each once`, same, same ? '' : `\n${told.join('\n')}`);
  compareHooks(run, rows, checks);
  compareWords(run, events, checks);
  await compareExport(rig, run, rows, checks);
}

function runStory(rig: Rig): Promise<RunResult> {
  const dir = process.env.ONCEBITTEN_RIG ?? join(import.meta.dirname, '../../../shared/real-clients');
  const full = { ...say(sh('echo full')), usage: FULL };
  return rig.run('oncebitten-transcript', {
    config: {
      permission: { bash: { '*': 'allow', 'rm *': 'deny', 'curl *': 'ask' } },
      mcp: { echo: { type: 'local', command: [process.execPath, join(dir, 'mcp-echo.mjs')], enabled: true } },
    },
    script: ({ project }: RunContext): Script => ({
      routes: [
        TITLE,
        { name: 'sub', match: 'STORY-SUB', turns: [say(sh('echo from-sub; exit 4')), { text: 'done' }] },
        { name: 'main', match: 'STORY-MAIN', turns: [...story(project).map(([turn]) => turn), { text: 'Done.' }] },
        { name: 'ask', match: 'STORY-ASK', turns: [say(sh('curl -s localhost')), { text: 'Done.' }] },
        { name: 'full', match: 'STORY-FULL', noTools: true, turns: [full, { text: 'SUMMARY' }, { text: 'Done.' }] },
      ],
    }),
    steps: [
      { prompt: 'STORY-MAIN go' },
      { prompt: 'STORY-ASK go', args: ['--no-auto'] },
      { prompt: 'STORY-FULL go' },
      { prompt: 'another way', args: ['--continue', '--fork'] },
    ],
  });
}

async function readHome(home: string) {
  const files = listScanFiles({ agent: 'opencode', home, env: {} }).map(({ path }) => path);
  const events: AgentEvent[] = [];
  for (const path of files) events.push(...(await readAll(path)));
  return { files, events, rows: events.filter((event): event is Row => event.kind === 'call-ended') };
}

async function readAll(path: string): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const { skipped } = await readTranscriptFile({ path, history: opencodeHistory }, (read) => {
    events.push(...read);
  });
  if (skipped.size > 0) throw new Error(`not understood: ${JSON.stringify([...skipped])}`);
  return events;
}

function toLine(row: Row): string {
  return `${row.tool} ${judgeOutcome(row).outcome} ${row.result.exitCode ?? '-'}`;
}

function compareHooks(run: RunResult, rows: readonly Row[], checks: Checks): void {
  const calls = run.hooks.filter(({ event }) => event === 'tool.execute.after').map(({ payload }) => payload);
  const byId = Map.groupBy(rows, (row) => row.callId);
  const wrong = calls.filter((payload) => {
    const [row, ...others] = byId.get(findText(findWire(payload, 'input') ?? {}, 'callID') ?? '') ?? [];
    return row === undefined || others.length > 0 || !isSame(payload, row);
  });
  const detail = wrong.map((payload) => JSON.stringify(payload.input)).join('\n');
  checks.check(`the ${calls.length} calls that hooks told are the same in the database`, wrong.length === 0, detail);
  const ids = new Set(calls.map((payload) => findText(findWire(payload, 'input') ?? {}, 'callID')));
  const beyond = rows.filter((row) => !ids.has(row.callId)).map((row) => `${row.rawTool} ${judgeOutcome(row).outcome}`);
  const unheard = ['bash denied', 'bash denied', 'edit failure', 'read failure', 'read failure', 'echo_fail failure'];
  const isKnown = isDeepStrictEqual(beyond.sort(), unheard.sort());
  checks.check('the other rows are those that fire no hook', isKnown, isKnown ? '' : beyond.join(', '));
}

function isSame(payload: Wire, row: Row): boolean {
  const [input, output] = [findWire(payload, 'input') ?? {}, findWire(payload, 'output') ?? {}];
  const call = readToolCall(findText(input, 'tool') ?? '', input.args, row.callId);
  const result = toDoneResult(call.rawTool, findText(output, 'output') ?? '', findWire(output, 'metadata') ?? {});
  return (
    call.tool === row.tool &&
    call.rawTool === row.rawTool &&
    isDeepStrictEqual(input.args, JSON.parse(row.input.json)) &&
    findText(input, 'sessionID') === row.sessionId &&
    judgeOutcome({ ...call, result }).outcome === judgeOutcome(row).outcome &&
    result.exitCode === row.result.exitCode
  );
}

function compareWords(run: RunResult, events: readonly AgentEvent[], checks: Checks): void {
  const prompts = events.flatMap((event) => (event.kind === 'prompted' ? [event.text] : []));
  const wanted = ['STORY-MAIN go', 'STORY-ASK go', 'STORY-FULL go', 'another way'];
  const isAll = prompts.length === wanted.length && wanted.every((text, at) => prompts[at]?.includes(text));
  checks.check('the prompts are those that were typed', isAll, isAll ? '' : JSON.stringify(prompts));
  const compacted = events.filter((event) => event.kind === 'compacted').length;
  checks.check('one compaction is told, and not again by the fork', compacted === 1, String(compacted));
  checks.check(
    'the summary is not taken for words',
    !events.some((event) => 'text' in event && event.text === 'SUMMARY'),
  );
  checks.check(
    'every run ends',
    run.results.every(({ code }) => code === 0) && events.every(({ cwd }) => cwd === run.project),
  );
}

async function compareExport(rig: Rig, run: RunResult, rows: readonly Row[], checks: Checks): Promise<void> {
  const [sessionId = ''] = rows.map((row) => row.sessionId);
  const env = { HOME: run.home, PATH: process.env.PATH ?? '', OPENCODE_DISABLE_AUTOUPDATE: '1' };
  const path = join(run.home, 'exported.json');
  writeFileSync(
    path,
    execFileSync(rig.bin, ['export', sessionId], { cwd: run.project, env, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const found = listScanFiles({ path, home: run.home, env: {} });
  const isOurs = found.length === 1 && found[0]?.agent === 'opencode';
  checks.check('an exported session is known for what it is', isOurs, JSON.stringify(found));
  const plain = (events: readonly AgentEvent[]) =>
    events.filter(isRecord).map((event) => JSON.stringify({ ...event, transcriptPath: '' }));
  const stored = rows.filter((row) => row.sessionId === sessionId);
  const exported = (await readAll(path)).filter((event) => event.kind === 'call-ended');
  checks.check(
    'and tells the same calls',
    isDeepStrictEqual(plain(exported), plain(stored)),
    `${exported.length} calls`,
  );
}
