/**
 * One real client with our hooks, in the home of a user who has hooks and settings of their own: `install` and `uninstall`
 * leave those alone, a lesson reaches the model in the ways that the agent's capabilities name, a known fix comes with the
 * failure, every call is recorded once, `doctor` proves delivery, and whatever becomes of our hook, a session ends as it
 * does without hooks. Codex and Gemini CLI share these checks.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAdapter } from '../../src/agents/hooks.ts';
import type { AgentCapabilities } from '../../src/base/contracts/agent-capabilities.ts';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { countTold, DONE, toTexts } from './delivery-requests.ts';
import { LEARN_CLIENTS, type LearnClient } from './learn-clients.ts';
import { type LearnStage, type OpenHome, openLearnStage } from './learn-stage.ts';
import { makeProductCli, type ProductCli } from './make-product-cli.ts';
import { type ModelRequest, openRig, type Script, type Turn } from './rig.ts';

/** Each story has an option of its own, so that no story changes what another hears. */
const DEPLOY = `#!/bin/sh
for word; do
  [ "$word" = --fast ] && { echo 'error: unexpected argument --fast found' >&2; exit 2; }
  [ "$word" = --old ] && { echo 'unknown option: --old (did you mean --new?)' >&2; exit 1; }
done
echo "deployed $*" | tee -a ran.log
`;
const WRONG = './deploy send --fast';
const RIGHT = './deploy send --quick';
/** Longer than the limit of our hooks in any agent. */
const PATIENCE_MS = 60_000;
const FIRST_SCAN_MS = 5_000;

export interface HookedClient {
  /** The name in `LEARN_CLIENTS`. */
  readonly name: string;
  /** The settings file of the client, in the home. */
  readonly settings: string;
  /** What the user does so that the client runs new hooks. */
  readonly consent?: (stage: Stage) => Promise<void>;
}

export interface Stage extends OpenHome {
  readonly checks: Checks;
  readonly learn: LearnStage;
  readonly client: LearnClient;
  readonly can: AgentCapabilities;
  readonly project: string;
  readonly cli: ProductCli;
  /** Runs the story of this name. */
  session(name: string): Promise<Session>;
  /** The calls of the last sessions in the store, once `isDone` or after a while. */
  read(isDone: (calls: readonly StoredCall[]) => boolean): Promise<readonly StoredCall[]>;
  /** How `./deploy` was run since the last time this was asked. */
  takeRuns(): string;
}

interface Session {
  readonly code: number | null;
  readonly out: string;
  readonly requests: readonly ModelRequest[];
}

export async function acceptHooks(hooked: HookedClient, checks: Checks): Promise<void> {
  const client = LEARN_CLIENTS[hooked.name];
  const can = findAdapter(client?.agent ?? '')?.capabilities;
  if (client === undefined || can === undefined) throw new Error(`no such client: ${hooked.name}`);
  const learn = openLearnStage(await openRig(hooked.name), client);
  const home = await learn.open(toRoutes(client), false);
  const stage = openStage({ ...home, checks, learn, client, can });
  try {
    await acceptInstall(stage, hooked);
    await acceptCure(stage);
    await acceptNote(stage);
    await acceptOpening(stage);
    await acceptPause(stage);
    if (can.beforeCall.includes('rewrite')) await acceptRewrite(stage);
    await acceptDoctor(stage);
    await acceptTrouble(stage);
    await acceptUninstall(stage, hooked);
  } finally {
    await stage.cli('daemon', 'stop').catch(() => {});
    await home.server.close();
    learn.close();
  }
}

const TROUBLES: Readonly<Record<string, string | undefined>> = {
  KILLED: '(sleep 0.1; kill -9 $$) & exec sleep 3',
  HANGING: 'exec sleep 20',
  GARBAGE: `echo '%& {"hookSpecificOutput": ['; head -c 3000 /dev/urandom`,
  FAILING: 'echo broken; echo broken >&2; exit 2',
  MISSING: undefined,
};

function toRoutes({ toCall }: LearnClient): Script['routes'] {
  const call = (command: string): Turn => ({ text: 'I go.', tools: [toCall(command)] });
  const trouble = [call('./deploy look --troubled'), call('echo told; exit 3'), { text: 'All done.' }];
  const stories: Readonly<Record<string, readonly Turn[]>> = {
    UNTRUSTED: [call('./deploy look --untrusted'), DONE],
    TEACH: [call(`${WRONG} web`), call(`${RIGHT} web`), DONE],
    CURE: [call(`${WRONG} api`), call(`${RIGHT} api`), DONE],
    NOTE: [call('./deploy drop --noted 1'), call('./deploy drop --noted 2'), DONE],
    OPENING: [DONE],
    PAUSE: [call('./deploy wipe --paused x'), call('./deploy wipe --paused x'), DONE],
    LEARN: [call('./deploy ship --old 1'), call('./deploy ship --new 1'), DONE],
    REWRITE: [call('./deploy ship --old 2'), DONE],
    ...Object.fromEntries(['BARE', 'WELL', ...Object.keys(TROUBLES)].map((name) => [name, trouble])),
  };
  return Object.entries(stories).map(([name, turns]) => ({ name, match: `STORY-${name}\\b`, turns }));
}

function openStage(parts: Omit<Stage, 'project' | 'cli' | 'session' | 'read' | 'takeRuns'>): Stage {
  const { home, env, server, client, learn } = parts;
  const project = join(home, 'project');
  mkdirSync(project);
  execFileSync('git', ['init', '-q', project], { env });
  writeFileSync(join(project, 'deploy'), DEPLOY);
  chmodSync(join(project, 'deploy'), 0o755);
  const data = toDataHome(join(home, '.oncebitten'));
  const list = async (): Promise<readonly StoredCall[]> => {
    await askDaemon(data, 'flush');
    const store = await openSqliteStore(data.storeFile);
    try {
      return await store.listCalls({ agent: client.agent });
    } finally {
      await store.close();
    }
  };
  return {
    ...{ ...parts, project },
    cli: makeProductCli(
      () => home,
      () => env,
    ),
    async session(name) {
      const child = spawn(join(learn.bin, client.program), client.work(`STORY-${name} go`), {
        ...{ cwd: project, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true },
      });
      const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), PATIENCE_MS);
      const exited = new Promise<number | null>((done) => child.once('exit', done));
      const out = await text(child.stdout ?? []);
      const code = await exited;
      clearTimeout(timer);
      return { code, out, requests: server.requests.filter(({ route }) => route === name) };
    },
    async read(isDone) {
      let calls = await list();
      for (let tries = 0; tries < 30 && !isDone(calls); tries++) {
        await sleep(500);
        calls = await list();
      }
      return calls;
    },
    takeRuns() {
      const file = join(project, 'ran.log');
      const runs = existsSync(file) ? readFileSync(file, 'utf8').trim().replaceAll('deployed ', '') : '';
      rmSync(file, { force: true });
      return runs.replaceAll('\n', ', ');
    },
  };
}

async function acceptInstall(stage: Stage, { settings, consent }: HookedClient): Promise<void> {
  const { checks, cli, client, home, session, log } = stage;
  const file = join(home, settings);
  originals.set(file, readFileSync(file));
  bare = toOutcome(await session('BARE'));
  checks.check('without our hooks the session ends as scripted', /^\{"code":0.*All done/.test(bare), bare);
  const plan = (await cli('install', client.agent, '--dry-run')) as { readonly changed: boolean };
  const isSame = originals.get(file)?.equals(readFileSync(file)) === true;
  checks.check('install --dry-run names the change and makes none', plan.changed && isSame);
  await cli('install', client.agent, '--max-mode', 'rewrite');
  const installed = readFileSync(file);
  await cli('install', client.agent);
  checks.check('install twice is install once', readFileSync(file).equals(installed));
  await consent?.(stage);
  // The first scan of the daemon reads the sessions so far; it must not meet the next one half-written.
  await sleep(FIRST_SCAN_MS);
  rmSync(log, { force: true });
  const taught = await session('TEACH');
  checks.check('the hooks of the user still run', existsSync(log) && readFileSync(log, 'utf8').includes('HOOK-'));
  checks.check('a new failure hears nothing', !toTexts(taught.requests.at(-1)).includes('"shown"'));
  const isSent = ({ inputSummary = '' }: StoredCall): boolean => inputSummary.includes('send');
  const calls = await stage.read((all) => all.filter(isSent).length >= 2);
  const rows = calls
    .filter(isSent)
    .map(({ inputSummary, outcome, exitCode }) => `${inputSummary} ${outcome} ${exitCode}`)
    .join(', ');
  checks.check('every call is recorded once', rows === `${WRONG} web failure 2, ${RIGHT} web success 0`, rows);
}

/** The settings of the user before us, by file. */
const originals = new Map<string, Buffer>();
/** How a session ends without our hooks. */
let bare = '';

async function acceptCure(stage: Stage): Promise<void> {
  const { checks, session, can, cli } = stage;
  // A lesson about the same failure would come first.
  const { items } = (await cli('lessons', 'list', '--all')) as { readonly items: readonly Lesson[] };
  for (const { slug, status } of items) if (status !== 'archived') await cli('lessons', 'archive', slug);
  await stage.read(() => true);
  const { requests, code } = await session('CURE');
  const isTold = toTexts(requests[1]).includes('--quick');
  checks.check('a known fix is in the request after the failure', isTold === (can.knownFixes !== 'none'));
  checks.check('and the error of the call stays', toTexts(requests[1]).includes('unexpected argument --fast'));
  checks.check('and the session ends cleanly', code === 0);
  await stage.read((calls) => calls.some(({ inputSummary }) => inputSummary === `${RIGHT} api`));
  const { items: deliveries } = (await cli('stats', 'deliveries')) as {
    readonly items: readonly { readonly kind: string; readonly outcome?: string }[];
  };
  const outcomes = deliveries.filter(({ kind }) => kind === 'failure').map(({ outcome }) => outcome);
  checks.check('and the fix is judged by the calls after it', outcomes.join() === 'clean', JSON.stringify(deliveries));
}

export async function teach(
  { cli }: Stage,
  option: string,
  verb: string,
  more: readonly string[] = [],
): Promise<Lesson> {
  const words = ['--summary', `deploy ${verb} has no ${option}`, '--fix', `./deploy ${verb} --instead-of${option}`];
  return (await cli('lessons', 'add', ...words, '--program', `deploy ${verb}`, '--with', option, ...more)) as Lesson;
}

async function acceptNote(stage: Stage): Promise<void> {
  const { checks, session, takeRuns } = stage;
  const { slug } = await teach(stage, '--noted', 'drop');
  takeRuns();
  const { requests } = await session('NOTE');
  const told = requests.map((request) => countTold(request, slug)).join();
  checks.check('a note is in the request after its call, once', told === '0,1,1', told);
  const runs = takeRuns();
  checks.check('and both calls ran', runs === 'drop --noted 1, drop --noted 2', runs);
}

async function acceptOpening(stage: Stage): Promise<void> {
  const { checks, session } = stage;
  const { slug } = await teach(stage, '--opening', 'open', ['--priority', '10']);
  const { requests } = await session('OPENING');
  checks.check('a critical lesson is in the first request of a session', toTexts(requests[0]).includes(slug));
}

async function acceptPause(stage: Stage): Promise<void> {
  const { checks, session, cli, takeRuns } = stage;
  const { slug } = await teach(stage, '--paused', 'wipe');
  await cli('lessons', 'edit', slug, '--mode', 'pause');
  takeRuns();
  const { requests } = await session('PAUSE');
  checks.check('a pause refuses the call with the lesson', toTexts(requests[1]).includes('held this call back'));
  const runs = takeRuns();
  checks.check('and the same call again runs', runs === 'wipe --paused x', runs);
}

async function acceptRewrite(stage: Stage): Promise<void> {
  const { checks, session, cli, takeRuns } = stage;
  await session('LEARN');
  await stage.read((calls) => calls.some(({ inputSummary = '' }) => inputSummary.includes('--new 1')));
  const { items } = (await cli('lessons', 'list')) as { readonly items: readonly Lesson[] };
  const lesson = items.find(({ replacement }) => replacement?.from === '--old');
  checks.check('a correction is learned from calls', lesson !== undefined);
  if (lesson === undefined) return;
  await cli('lessons', 'edit', lesson.slug, '--mode', 'rewrite');
  takeRuns();
  const { requests } = await session('REWRITE');
  const runs = takeRuns();
  checks.check('a rewrite runs the corrected call', runs === 'ship --new 2', runs);
  checks.check('and the model is told', toTexts(requests[1]).includes('`--new` instead of `--old`'));
}

async function acceptDoctor({ checks, cli, client }: Stage): Promise<void> {
  const run = (await cli('doctor')) as {
    readonly checks: readonly { readonly name: string; readonly state: string; readonly detail: string }[];
  };
  const name = findAdapter(client.agent)?.facts.name ?? '';
  const wanted = [`hooks of ${name}`, `delivery to ${name}, with the daemon`, `a lesson to ${name}`];
  const found = run.checks.filter((one) => wanted.includes(one.name));
  const detail = found.map((one) => `${one.state} ${one.detail}`).join('; ');
  checks.check(
    'doctor proves delivery',
    found.length === wanted.length && found.every(({ state }) => state === 'ok'),
    detail,
  );
}

async function acceptTrouble(stage: Stage): Promise<void> {
  const { checks, session, home } = stage;
  const { hookFile } = toDataHome(join(home, '.oncebitten'));
  const { slug } = await teach(stage, '--troubled', 'look');
  const well = await session('WELL');
  checks.check('with our hooks the session ends the same', toOutcome(well) === bare, toOutcome(well));
  checks.check('and hears the lesson', toTexts(well.requests.at(-1)).includes(slug));
  const own = readFileSync(hookFile);
  for (const [name, body] of Object.entries(TROUBLES)) {
    rmSync(hookFile, { force: true });
    if (body !== undefined) writeFileSync(hookFile, `#!/bin/bash\n${body}\n`, { mode: 0o755 });
    const outcome = toOutcome(await session(name));
    checks.check(`our hook is ${name.toLowerCase()}: the session ends the same`, outcome === bare, outcome);
  }
  rmSync(hookFile, { force: true });
  writeFileSync(hookFile, own, { mode: 0o755 });
}

async function acceptUninstall({ checks, cli, client, home }: Stage, { settings }: HookedClient): Promise<void> {
  const file = join(home, settings);
  const { restored } = (await cli('uninstall', client.agent)) as { readonly restored: string };
  const isSame = existsSync(dirname(file)) && originals.get(file)?.equals(readFileSync(file)) === true;
  checks.check('uninstall leaves the settings of the user byte for byte', restored === 'bytes' && isSame, restored);
}

/** Exit code, last words, and what the tools told the model. */
function toOutcome({ code, out, requests }: Session): string {
  const results = listResults(requests.at(-1)?.body).map((one) => toStable(JSON.stringify(one)));
  return JSON.stringify({ code, out: out.trim(), results, requests: requests.length });
}

/** The results of tools in a request, in the wire format of any provider. */
function listResults(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, output, functionResponse, role, content } = value as Readonly<Record<string, unknown>>;
  if (type === 'function_call_output') return [output];
  if (functionResponse !== undefined) return [(functionResponse as { readonly response: unknown }).response];
  if (role === 'tool') return [content];
  return Object.values(value).flatMap(listResults);
}

/** Without ids, times and what hooks added. */
function toStable(result: string): string {
  return result
    .replace(/(?:\\n)*<hook_context>.*<\/hook_context>/, '')
    .replaceAll(/(?<=Chunk ID: |Wall time: |PGID: |Original token count: )[\w.]+/g, 'n');
}
