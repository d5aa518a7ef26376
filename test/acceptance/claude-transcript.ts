/**
 * Claude Code: what its hooks told of a run and what its transcripts keep of it give the same rows. The run is captured
 * into one data directory and its transcripts are read into another; then the two are compared column by column.
 */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCodeHistory } from '../../src/agents/claude-code/history.ts';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Session } from '../../src/base/model/session.ts';
import { findFormat, findTranscripts } from '../../src/capture/transcripts/session-files.ts';
import type { Checks } from './checks.ts';
import { bash, FILES, makeScript, makeStory, one, SKIP, TOOLS } from './claude-story.ts';
import { makeProductCli } from './make-product-cli.ts';
import { readCaptured } from './read-captured.ts';
import { openRig, type Rig, type RunContext, type RunOptions } from './rig.ts';

/** Columns that are not the same, and why. Every other column is. */
const MAY_DIFFER: Readonly<Partial<Record<keyof StoredCall, string>>> = {
  tokens: 'only transcripts record them',
  id: 'given by the store',
  precedingId: 'hooks after a call run in the background and arrive in any order; a transcript has the order of asking',
  occurredAt: 'a hook tells of the end of a call, a transcript of its beginning',
  durationMs: 'see its source',
  durationSource: 'a hook has the figure of the agent, a transcript mostly the times of two rows',
};

interface Explanation {
  readonly why: string;
  readonly columns: readonly (keyof StoredCall)[];
  readonly fits: (told: StoredCall, read: StoredCall) => boolean;
  /** A matter of time: not in every run. */
  readonly isByChance?: true;
}

/** Calls of which some columns are not the same. */
const EXPLAINED: readonly Explanation[] = [
  {
    why: 'calls that never ran fire no hook of their own: what the model was told of them counts as hearsay',
    columns: ['outcomeType'],
    fits: (told, read) => told.outcomeType === `told-${read.outcomeType}`,
  },
  {
    why: 'a transcript of a sub-agent lacks the output of the tool, and with it the exit code 0',
    columns: ['outcomeType', 'exitCode'],
    fits: (told, read) => read.contextId !== '' && told.exitCode === 0 && read.outcomeType === 'no-error',
  },
  {
    why: 'of a call that was stopped hooks hear no end, and the transcript has the words of a refusal',
    columns: ['outcome', 'outcomeType', 'outputSummary'],
    fits: (told, read) => told.outcomeType === 'no-end' && read.outcomeType === 'user-refusal',
  },
  {
    why: 'an end in the background that comes while the agent works fires no hook',
    columns: ['outcomeType', 'exitCode'],
    fits: (told, read) => told.outcomeType === 'background' && read.exitCode === 0,
    isByChance: true,
  },
  {
    why: 'a client that ends takes the hook of its last call with it, and only the batch tells of that call',
    columns: ['outcomeType', 'exitCode'],
    fits: (told, read) => told.outcomeType === 'told-no-error' && read.exitCode === 0,
    isByChance: true,
  },
];

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { command: string }[] }[]>>;
}

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('claude');
  let context: RunContext | undefined;
  const cli = makeProductCli(() => context?.home ?? '');
  const prepare = async (run: RunContext): Promise<void> => {
    context = run;
    const dir = join(run.home, '.oncebitten');
    if (existsSync(dir)) return;
    await cli('install', 'claude-code', '--force');
    hideTranscripts(join(run.home, '.claude/settings.json'), join(dir, 'config.jsonc'));
  };
  try {
    await runAll(rig, prepare);
    const home = context?.home ?? '';
    const captured = await readCaptured(join(home, '.oncebitten'));
    checks.check('only hooks told of the run', captured.files.length === 0, `${captured.files.length} files read`);
    const other = join(home, 'other');
    mkdirSync(other);
    makeSilent(home);
    const scan = makeProductCli(
      () => home,
      () => ({ ONCEBITTEN_HOME: other }),
    );
    const totals = (await scan('scan', '--agent', 'claude-code')) as { readonly skipped?: object };
    checks.check('no row of a transcript is unexplained', isEmpty(totals.skipped), JSON.stringify(totals.skipped));
    const read = await readCaptured(other);
    compareRows(captured.calls, read.calls, checks);
    compareSessions(captured.session, read.session, checks);
  } finally {
    if (context !== undefined) await cli('daemon', 'stop');
  }
}

/** Only hooks may fill the first directory: the daemon is not told where the transcripts are, and looks for none. */
function hideTranscripts(settingsFile: string, configFile: string): void {
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as HookSettings;
  for (const hook of Object.values(settings.hooks).flatMap((groups) => groups.flatMap((group) => group.hooks)))
    hook.command = `sed 's/transcript_path":"[^"]*"/transcript_path":""/g' | { ${hook.command}; }`;
  writeFileSync(settingsFile, JSON.stringify(settings));
  writeFileSync(configFile, '{ "autoScanIntervalHours": 0 }\n');
}

/** Every tool and every way to end: success, failure, parallel, sub-agent, background, denial, interrupt, compaction. */
async function runAll(rig: Rig, prepare: RunOptions['prepare'] & object): Promise<void> {
  const run = (options: RunOptions) => rig.runClaude('oncebitten-transcript', { files: FILES, prepare, ...options });
  await run({
    script: ({ project }) =>
      makeScript(
        'ALL',
        makeStory(project).map(([turn]) => turn),
      ),
    steps: [{ prompt: 'STORY-ALL work', args: [...SKIP, ...TOOLS] }],
  });
  await run({
    keep: true,
    script: makeScript('DENIED', [one(bash('touch made-it')), one(bash('echo allowed'))]),
    steps: [{ prompt: 'STORY-DENIED work', args: ['--allowedTools', 'Bash(echo:*)'] }],
  });
  await run({
    keep: true,
    script: makeScript('STOPPED', [one(bash('kill -INT $PPID; sleep 3; echo survived'))]),
    steps: [{ prompt: 'STORY-STOPPED work', args: SKIP }],
  });
  await run({
    keep: true,
    script: makeScript('COMPACT', [one(bash('echo one')), one(bash('ls /no-such-place-either'))]),
    steps: [
      { prompt: 'STORY-COMPACT work', args: SKIP },
      { prompt: '/compact', args: (results) => [...SKIP, '--resume', results[0]?.sessionId ?? ''] },
      { prompt: 'STORY-COMPACT again', args: (results) => [...SKIP, '--resume', results[0]?.sessionId ?? ''] },
    ],
  });
}

/** Nobody writes any more: a call that the end of the run cut off is told as never ended. */
function makeSilent(home: string): void {
  const isSession = (path: string): boolean => findFormat(claudeCodeHistory, path) !== undefined;
  for (const { path } of findTranscripts(join(home, '.claude/projects'), isSession)) utimesSync(path, 0, 0);
}

function isEmpty(skipped: object | undefined): boolean {
  return skipped === undefined || Object.keys(skipped).length === 0;
}

function compareRows(captured: readonly StoredCall[], read: readonly StoredCall[], checks: Checks): void {
  const [ours, theirs] = [byKey(captured), byKey(read)];
  const only = (a: ReadonlyMap<string, StoredCall>, b: ReadonlyMap<string, StoredCall>) =>
    [...a].filter(([key]) => !b.has(key)).map(([key, call]) => `${key} ${toLabel(call)}`);
  const missing = only(ours, theirs);
  const surplus = only(theirs, ours);
  checks.check(
    `each of ${ours.size} calls that hooks told is in a transcript`,
    missing.length === 0,
    missing.join('; '),
  );
  checks.check(
    `each of ${theirs.size} calls in a transcript was told by hooks`,
    surplus.length === 0,
    surplus.join('; '),
  );
  const columns = [...new Set([...captured, ...read].flatMap((call) => Object.keys(call)))] as (keyof StoredCall)[];
  const pairs = [...ours].flatMap(([key, call]) => {
    const other = theirs.get(key);
    return other === undefined ? [] : [[call, other] as const];
  });
  for (const column of columns.filter((name) => !Object.hasOwn(MAY_DIFFER, name))) {
    const wrong = pairs.filter(
      ([a, b]) => JSON.stringify(a[column]) !== JSON.stringify(b[column]) && !isExplained(column, a, b),
    );
    checks.check(
      `${column} is the same`,
      wrong.length === 0,
      wrong.map(([a, b]) => `${toLabel(a)}: ${JSON.stringify(a[column])} and ${JSON.stringify(b[column])}`).join('\n'),
    );
  }
  const first = (calls: readonly StoredCall[]) => calls.filter((call) => call.precedingId === undefined).length;
  checks.check('as many calls have one before them', first(captured) === first(read));
  for (const { why, fits, isByChance = false } of EXPLAINED) {
    const fit = pairs.filter(([told, other]) => fits(told, other)).length;
    checks.check(`${why}: ${fit}`, isByChance || fit > 0);
  }
}

function isExplained(column: keyof StoredCall, told: StoredCall, read: StoredCall): boolean {
  return EXPLAINED.some(({ columns, fits }) => columns.includes(column) && fits(told, read));
}

function byKey(calls: readonly StoredCall[]): ReadonlyMap<string, StoredCall> {
  return new Map(calls.map((call) => [`${call.agent} ${call.sessionId} ${call.contextId} ${call.callId}`, call]));
}

function toLabel({ rawTool, inputSummary = '', outcome, exitCode }: StoredCall): string {
  return `${rawTool} ${inputSummary.slice(0, 60)} ${outcome} ${exitCode ?? '-'}`;
}

/** Hooks are told neither branch nor version; a transcript does not tell of processes and of the end. */
function compareSessions(told: Session | undefined, read: Session | undefined, checks: Checks): void {
  const facts = (session: Session | undefined) => [
    session?.agent,
    session?.sessionId,
    session?.projectId,
    session?.cwd,
  ];
  const isSame = told !== undefined && facts(told).join() === facts(read).join();
  checks.check('the session is the same', isSame, `${facts(told)} and ${facts(read)}`);
  const known = [read?.branch, read?.model, read?.agentVersion];
  checks.check('a transcript knows branch, model and version', !known.includes(undefined), known.join());
}
