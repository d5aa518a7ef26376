/**
 * Doctor checks that run the installed hook command: it must return a canary, with the daemon and without, then deliver
 * a real lesson, and its latency is measured. The output is read in the agent's own envelope, because the agent
 * silently drops a wrong one.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentAdapter, HookProbe } from '../../../base/contracts/agent-adapter.ts';
import type { UserError } from '../../../base/errors.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { isInScope } from '../../../base/model/lesson-scope.ts';
import { findSilence, type Silence } from '../../../base/model/may-fire.ts';
import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import type { Project } from '../../../base/model/session.ts';
import { listFiring } from '../../../keep/manifest/compile-manifest.ts';
import { type CanarySource, renderCanary, toCanaryCommand } from '../../../loop/delivery/canary.ts';
import { writeOwnFile } from '../../../loop/home/write-file.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { listStanding } from '../../../loop/promoted-lessons.ts';
import { scoreLesson } from '../../../match/match-lessons.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import { findSettingsFile, isAgentPresent } from '../../install/agent-place.ts';
import { toHookCommand, toHookFile, toShellWords } from '../../install/hook-command.ts';
import { renderProgram } from '../../install/program-file.ts';
import type { CommandInput } from '../command.ts';
import { userError } from '../errors.ts';
import { renderSilence, toExampleCommand } from '../lessons/lesson-details.ts';
import { readHome } from '../open-home.ts';
import { advice, type Check, checkThat, type Finding, ok } from './check.ts';

export async function checkDelivery(input: CommandInput): Promise<readonly Check[]> {
  if (!existsSync(input.home.hookFile)) return [];
  const sources: readonly CanarySource[] = (await findDaemon(input.home)) === undefined ? ['hook'] : ['daemon', 'hook'];
  // Awaited in the checks: a store that cannot be opened is their bad news, not the end of `doctor`.
  const trial = findTrial(input);
  const checks = listPresent(input).flatMap((agent) => [
    ...sources.map((source) =>
      checkThat(`delivery to ${agent.facts.name}, ${source === 'daemon' ? 'with' : 'without'} the daemon`, () =>
        deliverCanary(agent, source, input),
      ),
    ),
    checkThat(`a lesson to ${agent.facts.name}`, async () => deliverLesson(agent, await trial, input)),
  ]);
  return Promise.all(checks);
}

/** The agents on this machine, or the first one where there is none yet: the hook itself can be tried anyway. */
function listPresent({ env }: CommandInput): readonly AgentAdapter[] {
  const present = INSTALLS.filter((agent) => isAgentPresent({ agent, env, home: homedir() })).map(({ facts }) => facts);
  const adapters = ADAPTERS.filter(({ facts }) => present.includes(facts));
  return adapters.length === 0 ? ADAPTERS.slice(0, 1) : adapters;
}

function deliverCanary(agent: AgentAdapter, source: CanarySource, input: CommandInput): string {
  const token = Math.random().toString(36).slice(2).padEnd(8, '0');
  const probe = { command: toCanaryCommand(token), cwd: input.home.dir, cold: source === 'hook' };
  const answer = runProbe(agent, probe, input);
  const context = renderCanary(token, source);
  const expected = answer.isBare ? context : agent.writeHook({ kind: 'note', to: answer.to, context });
  if (answer.stdout.trim() === expected) return `a test message came back in ${answer.tookMs.toFixed(0)} ms`;
  const other =
    source === 'daemon' && answer.stdout.includes(token)
      ? ' from the running daemon, only from the fallback without it'
      : '';
  throw toError(answer, `did not return the test message${other}`, input);
}

function deliverLesson(agent: AgentAdapter, { trial, activeLessons }: Trials, input: CommandInput): string {
  if (activeLessons === 0) return 'not tried, because there are no active lessons yet';
  if (trial === undefined)
    return `not tried, because none of your active lessons (${activeLessons}) fires on a command that doctor can make up`;
  if (trial.silent !== undefined) return `not tried, because ${trial.silent}`;
  const answer = runProbe(agent, trial, input);
  if (answer.stdout.includes(trial.slug)) return `${trial.slug} arrived in ${answer.tookMs.toFixed(0)} ms`;
  throw toError(answer, `did not deliver ${trial.slug}`, input);
}

function toError({ status }: ProbeAnswer, reason: string, { home }: CommandInput): UserError {
  return userError(
    home.hookFile,
    status === 0 ? reason : `${reason} and ${status === undefined ? 'timed out' : `ended with exit code ${status}`}`,
    `write it again: oncebitten daemon start; then read the daemon's log: ${home.logFile}`,
  );
}

const RUNS = 10;
/** A user notices a longer delay. */
const SLOW_MS = 100;

/** What a hook costs an agent here and now, against what any hook costs: starting a shell that does nothing. */
export async function checkLatency(input: CommandInput): Promise<readonly Check[]> {
  const [agent] = ADAPTERS;
  if (agent === undefined || !existsSync(input.home.hookFile)) return [];
  const isWarm = (await findDaemon(input.home)) !== undefined;
  const probe = { command: 'true', cwd: input.home.dir };
  const check = await checkThat('latency', () =>
    judge(
      toMedian(() => runProbe(agent, probe, input).tookMs),
      toMedian(runNothing),
      isWarm,
    ),
  );
  return [check];
}

function judge(hookMs: number, floorMs: number, isWarm: boolean): Finding {
  const detail = `a hook takes ${hookMs.toFixed(1)} ms ${isWarm ? 'with' : 'without'} the daemon, an empty hook ${floorMs.toFixed(1)} ms (median of ${RUNS})`;
  const data = { hookMs, floorMs, runs: RUNS, daemon: isWarm };
  if (hookMs - floorMs <= SLOW_MS) return ok(detail, data);
  const next = isWarm ? 'check whether the machine is busy' : 'run: oncebitten daemon start';
  return advice(detail, next, data);
}

function runNothing(): number {
  const startedMs = performance.now();
  const [shell, ...words] = process.platform === 'win32' ? ['cmd.exe', '/d', '/c', 'exit'] : ['sh', '-c', ':'];
  spawnSync(shell ?? '', words, { input: '' });
  return performance.now() - startedMs;
}

function toMedian(measure: () => number): number {
  const times = Array.from({ length: RUNS }, measure).sort((a, b) => a - b);
  return times[Math.floor(RUNS / 2)] ?? 0;
}

const PATIENCE_MS = 5_000;

interface Probe {
  readonly command: string;
  readonly cwd: string;
  /** As if there were no daemon. */
  readonly cold?: boolean;
}

interface ProbeAnswer {
  /** Undefined: it took too long. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly to: HookProbe['to'];
  /** The text as the model would read it, without the envelope of a reply. */
  readonly isBare: boolean;
  readonly tookMs: number;
}

/** The hook as it stands in the agent's settings, run as the agent runs it, on trial. */
function runProbe(agent: AgentAdapter, probe: Probe, { home, env }: CommandInput): ProbeAnswer {
  const { wire, to, ...asked } = agent.writeProbe(probe.command, probe.cwd);
  // Other checks report these switches. This one tests whether the hook works without them.
  const { ONCEBITTEN_DISABLED: _, DISABLE_EXPERIENCE_INJECTION: __, ...rest } = env;
  const { words, input, isBare } = toTrial(agent, { ...probe, ...asked, wire, home, env });
  const [program = '', ...args] = words;
  const startedMs = performance.now();
  const { status, stdout, error } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: { ...rest, ONCEBITTEN_PROBE: probe.cold === true ? 'cold' : '1' },
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw userError(
      program,
      'was not found on the PATH, so doctor cannot run hooks as agents do',
      'add its folder, usually /bin, to the PATH, then run oncebitten doctor again',
    );
  return { status: status ?? undefined, stdout, to, isBare, tookMs: performance.now() - startedMs };
}

type TrialPlace = Probe & Pick<HookProbe, 'eventName' | 'wire'> & Pick<CommandInput, 'home' | 'env'>;

/** Agents run a command through a shell, or load the file of our program. */
function toTrial({ facts }: AgentAdapter, { home, env, ...asked }: TrialPlace) {
  const hookFile = toHookFile(home.dir, homedir());
  const agent = INSTALLS.find((one) => one.facts === facts);
  const program = agent?.hooks.program;
  if (agent === undefined) throw new Error(`there is no installation for ${facts.id}`);
  if (program === undefined)
    return {
      words: toShellWords(toHookCommand(hookFile, facts.id, asked.eventName), agent.hooks),
      input: asked.wire,
      isBare: false,
    };
  const installed = findSettingsFile({ agent, env, home: homedir() });
  // Until it is installed, the same text is tried from our own folder.
  const file = existsSync(installed) ? installed : join(home.dir, 'run', `${facts.id}-trial.mjs`);
  if (file !== installed) writeOwnFile(file, renderProgram(program, hookFile));
  const script = program.renderTrial(asked.command, asked.cwd);
  return { words: [process.execPath, '--input-type=module', '--eval', script, file], input: '', isBare: true };
}

interface Trial {
  readonly slug: string;
  readonly command: string;
  readonly cwd: string;
  /** Why the lesson does not fire there now: a person paused or muted it. */
  readonly silent?: string;
}

interface Trials {
  /** Undefined where no active lesson can be tried with a made-up command. */
  readonly trial?: Trial;
  readonly activeLessons: number;
}

/** A lesson that the compiler lets fire, with a command that it fires on, in a folder that is still there. */
async function findTrial(input: CommandInput): Promise<Trials> {
  const { lessons, projects, aliases, promoted, settings } = await readHome(input, async ({ store, settings }) => ({
    lessons: await store.listLessons({ status: 'active' }),
    projects: await store.listProjects(),
    aliases: await store.listProjectAliases(),
    promoted: await listStanding(store),
    settings,
  }));
  const switches = readSwitches(input.home.switchesFile);
  const toProjectId = makeToProjectId(aliases);
  const at = new Date().toISOString();
  for (const { lesson, notIn = [] } of listFiring({ lessons, aliases, promoted, settings, now: at })) {
    const command = toExampleCommand(lesson);
    const cwd = findFolder(lesson, projects, input.home.dir, toProjectId);
    if (command === undefined || cwd === undefined) continue;
    const place = { projectId: identifyProject(cwd).id, sessionId: '' };
    const facts = { at, settings, place, toProjectId, notIn, weight: scoreLesson(lesson), switches, cwd };
    const silence = findSilence(lesson, facts);
    if (silence === 'covered' || silence === 'low score') continue;
    // A pause is that of Oncebitten, not of the lesson.
    const toReason = (one: Silence): string =>
      one === 'paused' ? 'Oncebitten is paused' : `${lesson.slug} is ${renderSilence(one, { lesson, settings })}`;
    const silent = silence && { silent: toReason(silence) };
    return { trial: { slug: lesson.slug, command, cwd, ...silent }, activeLessons: lessons.length };
  }
  return { activeLessons: lessons.length };
}

function findFolder(
  { scope }: Lesson,
  projects: readonly Project[],
  anywhere: string,
  toProjectId: ToProjectId,
): string | undefined {
  if (scope.kind !== 'project') return anywhere;
  const isThere = (projectId: string): boolean => isInScope(scope, { projectId }, toProjectId);
  return projects.find(({ id, root }) => isThere(id) && isThere(identifyProject(root).id))?.root;
}
