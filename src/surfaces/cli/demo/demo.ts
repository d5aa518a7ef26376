/**
 * `oncebitten demo`: plays an agent that makes a mistake, and makes it again in another session. The agent and its
 * commands are scripted; the hook command, the daemon, the store and the texts are real. All of it lives in a temporary
 * home, which is removed at the end, also at Ctrl+C. No agent is needed, and the user's own data is not touched.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEMO_FACTS,
  type DemoCall,
  type DemoHook,
  readDemoNote,
  writeDemoEnd,
  writeDemoStart,
} from '../../../agents/demo-agent.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { renderTriggers } from '../../../base/triggers/render-triggers.ts';
import { type DataHome, toDataHome } from '../../../loop/home/data-home.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { ensureDaemon, stopDaemon } from '../../daemon/control-daemon.ts';
import { toHookCommand } from '../../install/hook-command.ts';
import type { CommandInput, Handler, Row } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { Interrupted } from '../terminal.ts';

export const run: Handler = async (input) => ({ json: undefined, text: '', rows: play(input) });

/** Only what the demo needs: nothing of it is withheld, nothing outside its home is read, and a busy machine has time. */
const SETTINGS = {
  autoScanIntervalHours: 0,
  holdout: { share: 0 },
  http: { enabled: false },
  idleExitMinutes: 5,
  replyDeadlineMs: 10_000,
  selfReportProtocol: false,
};

/** How long a person needs to read a step. */
const PAUSE_MS = 2_500;

interface Stage {
  readonly home: DataHome;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** How long a person gets to read each step. */
  readonly pauseMs: number;
  pause(): Promise<void>;
}

async function* play(input: CommandInput): AsyncGenerator<readonly Row[]> {
  const startedMs = performance.now();
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-demo-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  const leave = (): void => {
    remove();
    removeLater(root);
  };
  process.on('exit', leave);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const name of SIGNALS) process.on(name, interrupt);
  const stage = setUp(root, input, interruption.signal);
  try {
    for await (const step of act(stage)) yield [toRow(step)];
  } catch (error) {
    throw interruption.signal.aborted ? new Interrupted() : error;
  } finally {
    await stopDaemon(stage.home).catch(() => {});
    remove();
    process.off('exit', leave);
    for (const name of SIGNALS) process.off(name, interrupt);
  }
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  yield [toRow({ step: 'end', seconds, text: renderEnd(seconds) })];
}

/**
 * The reader of the output went away (`| head`), which ends this process at once. The daemon ends when its folder is gone,
 * but one that is starting may still write into it.
 */
function removeLater(root: string): void {
  const args = ['-c', `sleep ${LATER_SECONDS}; rm -rf -- "$1"`, 'sh', root];
  spawn('sh', args, { detached: true, stdio: 'ignore' }).unref();
}

const LATER_SECONDS = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const OWN_VARIABLE = /^(?:ONCEBITTEN_|DISABLE_EXPERIENCE_)/;

function setUp(root: string, { env, columns, options }: CommandInput, signal: AbortSignal): Stage {
  const home = toDataHome(join(root, '.oncebitten'));
  const project = join(root, 'shop');
  mkdirSync(project);
  mkdirSync(home.dir, { mode: 0o700 });
  writeFileSync(home.configFile, JSON.stringify(SETTINGS), { mode: 0o600 });
  // The user's own settings, such as the address of a store, are not the demo's.
  const others = Object.entries(env).filter(([name]) => !OWN_VARIABLE.test(name));
  const pauseMs = columns === undefined || options.fast === true ? 0 : PAUSE_MS;
  return {
    ...{ home, project, signal, pauseMs },
    env: { ...Object.fromEntries(others), HOME: root },
    pause: async () => void (await sleep(pauseMs, undefined, { signal })),
  };
}

interface Step {
  readonly step: string;
  readonly text: string;
  readonly [fact: string]: unknown;
}

/** Items of JSON are steps; a person reads their texts. */
function toRow({ text, ...json }: Step): Row {
  return { json: { ...json, text }, text: `${text.trimEnd()}\n` };
}

const MISTAKE = { command: 'gh pr diff 12 --stat', error: 'unknown flag: --stat' };
const FIX = { command: 'gh pr diff 12 --name-only', output: 'src/cart.ts\nsrc/price.ts' };
const REPEAT = { command: 'gh pr diff 41 --stat', error: 'unknown flag: --stat' };
const CORRECTED = { command: 'gh pr diff 41 --name-only', output: 'src/order.ts' };

async function* act(stage: Stage): AsyncGenerator<Step> {
  yield { step: 'setup', text: renderOpening(stage) };
  await ensureDaemon(stage.home, stage.env);
  await stage.pause();
  for (const call of [MISTAKE, FIX]) await makeCall(stage, 'session-1', call);
  yield { step: 'mistake', failed: MISTAKE, worked: FIX, text: renderMistake() };
  await stage.pause();
  const lesson = await getLesson(stage);
  yield { step: 'lesson', lesson, text: renderLearned(lesson) };
  await stage.pause();
  const { note, tookMs } = await makeCall(stage, 'session-2', REPEAT);
  if (note === undefined) throw failed('the lesson did not fire on the second mistake');
  yield { step: 'repeat', call: REPEAT, note, tookMs, text: renderRepeat(note, tookMs) };
  await stage.pause();
  const after = await makeCall(stage, 'session-2', CORRECTED);
  if (after.note !== undefined) throw failed('the lesson fired on the corrected call');
  yield { step: 'corrected', call: CORRECTED, text: renderCorrected() };
}

function renderOpening({ pauseMs }: Stage): string {
  const text = `This demo plays an agent that makes a mistake, and makes it again in another session. The agent is scripted. The rest
is real, in a temporary folder: the hook command that agents run before and after each call, the daemon, the store.
`;
  if (pauseMs === 0) return text;
  return `${text}It takes about ${Math.round((PAUSES * pauseMs) / 1000) + 2} seconds, because it waits until you have read each step; --fast does not wait.\n`;
}

/** The steps that a person reads before the last one. */
const PAUSES = 4;

function renderMistake(): string {
  return `1. In the first session, the agent runs a command, and it fails:
${indent(`$ ${MISTAKE.command}\n${MISTAKE.error}`)}
   The agent looks for another way, and finds it:
${indent(`$ ${FIX.command}\n${FIX.output}`)}
`;
}

function renderLearned({ slug, summary, triggers }: Lesson): string {
  return `2. The hooks reported these calls to Oncebitten, which learned a lesson from them (${slug}):
${indent(summary)}
   From now on it fires on ${renderTriggers(triggers)}.
`;
}

function renderRepeat(note: string, tookMs: number): string {
  return `3. In a second session, the agent makes the same mistake:
${indent(`$ ${REPEAT.command}`)}
   The hook took ${tookMs.toFixed(0)} ms. Together with the result of its call, the agent reads:
${indent(note.replace(MARK, '').trim())}
`;
}

/** The last line of a note, which is for Oncebitten itself. */
const MARK = /<!-- oncebitten: .*-->/;

function renderCorrected(): string {
  return `4. The agent makes the corrected call, without searching for it. No lesson fires on that:
${indent(`$ ${CORRECTED.command}\n${CORRECTED.output}`)}
`;
}

function renderEnd(seconds: number): string {
  return `The demo took ${seconds} s. Its daemon has stopped, and its folder is gone.
Learn from your own sessions: oncebitten start`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '       ');
}

const FLUSHES = 10;

async function getLesson({ home, env }: Stage): Promise<Lesson> {
  // Once it is flushed, the worker has stored the calls and what follows from them. On a busy machine this takes a while.
  for (let tries = 0; tries < FLUSHES; tries++)
    if ((await askDaemon<{ readonly flushed: boolean }>(home, 'flush'))?.flushed === true) break;
  const [lesson] = await readHome({ home, env }, ({ store }) => store.listLessons({ status: 'active' }));
  if (lesson === undefined) throw failed('no lesson was learned');
  return lesson;
}

function failed(reason: string): Error {
  return userError('the demo', reason, 'find the cause: oncebitten doctor');
}

let calls = 0;

/** Before the call and after it, as an agent does. The note: what the agent reads about it. */
async function makeCall(stage: Stage, sessionId: string, call: Pick<DemoCall, 'command' | 'error' | 'output'>) {
  const made: DemoCall = { ...call, sessionId, callId: `demo-${++calls}`, cwd: stage.project };
  const startedMs = performance.now();
  const reply = await runHook(stage, writeDemoStart(made));
  const tookMs = performance.now() - startedMs;
  await runHook(stage, writeDemoEnd(made));
  return { note: readDemoNote(reply), tookMs };
}

/** Agents run the command of their settings through a shell, with the payload on its standard input. */
async function runHook({ home, env, signal }: Stage, { eventName, wire }: DemoHook): Promise<string> {
  const command = toHookCommand(home.hookFile, DEMO_FACTS.id, eventName);
  const child = spawn('sh', ['-c', command], { env, signal, stdio: ['pipe', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  const ended = new Promise<void>((done, fail) => child.on('error', fail).on('close', () => done()));
  child.stdin.on('error', () => {}).end(wire);
  await ended;
  return text;
}
