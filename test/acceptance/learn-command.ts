/**
 * `oncebitten learn` with each real client: a history is scanned, the client's model answers, the answer passes the gate,
 * and the lesson reaches the model in the next ordinary session. Every way to fail says so, loses nothing and can be tried
 * again. In the end the user calls our command in a session of the client, whose model reads a pack and answers it.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMANDS } from '../../src/agents/commands.ts';
import { PACK_MARKER } from '../../src/base/model/pack.ts';
import { SESSION_COMMANDS } from '../../src/surfaces/install/session-commands.ts';
import { GOOD_LESSON } from '../models/answer-script.ts';
import { makeHistory, writePast } from '../models/write-history.ts';
import { type Check, type LearnStage, listProcesses, type OpenHome } from './learn-stage.ts';
import type { ModelRequest, Turn } from './rig.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const LESSON = { ...GOOD_LESSON, summary: '`frob sync` knows no --all: say --every' };
/** With no more fields than the prompt asks for, also for clients that check the answer themselves. */
const ANSWER = { add: [LESSON], evidence: [], retire: [] };
const SHOWN = 'knows no --all: say --every';
const MISTAKE = 'frob sync --all';
const ANSWER_FILE = '.oncebitten-answer.json';
const LATE_MS = 90_000;

export async function acceptLearnCommand(stage: LearnStage, check: Check): Promise<void> {
  writeProgram(stage, 'frob', 'echo "frob: the selection is empty" >&2; exit 2');
  writeProgram(stage, 'oncebitten', `exec '${process.execPath}' '${CLI}' "$@"`);
  await acceptFailures(stage, check);
  await acceptLesson(stage, check);
  if (stage.client.command === undefined) return;
  await acceptInSession(stage, check, 'command');
  if (stage.client.command.plugin !== undefined) await acceptInSession(stage, check, 'command of the plugin');
}

function writeProgram({ bin }: LearnStage, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

interface Report {
  readonly asked: number;
  readonly answers: number;
  readonly active: number;
  readonly overBudget: number;
  readonly failed: readonly { readonly kind: string; readonly reason: string }[];
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home with a past session about `frob`, in which the product is configured to ask the client. */
interface Home extends OpenHome {
  readonly project: string;
  /** What the model says from now on when it is asked about a pack. */
  say(turn: Turn): void;
  cli(...args: readonly string[]): Promise<Ran>;
  /** `onStart` gets the id of the process. */
  learn(onStart?: (pid: number) => void): Promise<Ran & { readonly report?: Report }>;
  /** Packs that can be asked about. */
  countPacks(): Promise<number>;
}

const LATER = 'STORY-LATER';

async function openHome({ open, client }: LearnStage, isEmpty = false): Promise<Home> {
  let current: Turn = { text: 'nothing' };
  // A script whose turn can be changed: a home outlives many questions.
  const turns: readonly Turn[] = new Proxy([], { get: () => current });
  const inSession: Turn[] = [];
  const routes = [
    { name: 'pack', match: `^<!-- ${PACK_MARKER}|\n<!-- ${PACK_MARKER}`, noTools: true, turns },
    { name: 'later', match: LATER, turns: [{ text: 'I sync.', tools: [client.toCall(MISTAKE)] }, { text: 'Done.' }] },
    { name: 'command', match: 'oncebitten learn --next', turns: inSession },
  ];
  const opened = await open(routes, isEmpty);
  const { home, env } = opened;
  const project = join(home, 'shop');
  mkdirSync(project);
  // Its shell has a PATH of its own, and finds the command where the text tells it to look then.
  const program = client.agent === 'codex' ? '~/.oncebitten/bin/oncebitten' : 'oncebitten';
  inSession.push(
    { text: 'I read.', tools: [client.toCall(`${program} learn --next`)] },
    { text: 'I write.', tools: [client.toWrite(join(project, ANSWER_FILE), JSON.stringify(ANSWER))] },
    { text: 'I answer.', tools: [client.toCall(`${program} learn --answer ${ANSWER_FILE}`)] },
    { text: 'I learned to say --every.' },
  );
  writePast(home, { session: 'past', cwd: project, atMs: Date.now() - 86_400_000 }, makeHistory('past'));
  const cli = (...args: readonly string[]): Promise<Ran> => runCli(args, { cwd: project, env });
  for (const [key, value] of Object.entries({ agent: client.agent, ...(client.model && { model: client.model }) }))
    await cli('config', 'set', `models.${key}`, value);
  return {
    ...{ ...opened, project, cli },
    say: (turn) => {
      current = turn;
    },
    async learn(onStart) {
      const ran = await runCli(['learn', '--provider', 'agent', '--yes', '--json'], { cwd: project, env, onStart });
      return ran.stdout === '' ? ran : { ...ran, report: JSON.parse(ran.stdout) as Report };
    },
    async countPacks() {
      const { stdout } = await cli('learn', '--dry-run', '--json');
      return (JSON.parse(stdout) as { readonly packs: readonly unknown[] }).packs.length;
    },
  };
}

async function runCli(
  args: readonly string[],
  { cwd, env, onStart }: { cwd: string; env: OpenHome['env']; onStart?: ((pid: number) => void) | undefined },
): Promise<Ran> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) onStart?.(child.pid);
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

async function acceptFailures(stage: LearnStage, check: Check): Promise<void> {
  const { client } = stage;
  const home = await openHome(stage);
  const expect = async (what: string, kinds: readonly string[], turn: Turn, onStart?: (pid: number) => void) => {
    home.say(turn);
    const { code, report, stdout, stderr } = await home.learn(onStart);
    const [failure] = report?.failed ?? [];
    const told = `${code} ${stdout} ${stderr}`;
    check(`learn, ${what}: ${failure?.reason}`, code === 1 && kinds.includes(failure?.kind ?? ''), told);
    check(`learn, ${what}: the pack can be asked again`, (await home.countPacks()) === 1);
    const left = await listProcesses(home.run);
    check(`learn, ${what}: no process is left`, left.length === 0, left.join());
  };
  try {
    await expect('refuses', ['garbage', 'refused'], { text: 'I will not read this.' });
    await expect('garbage', ['garbage'], { text: '{"add": [{"summary":' });
    await expect('is killed', ['failed'], { delayMs: LATE_MS, text: 'late' }, (pid) => void killChild(pid, home));
    await home.cli('config', 'set', 'models.deadlineSeconds', '12');
    await expect('hangs', ['too-slow'], { delayMs: LATE_MS, text: 'late' });
    await home.cli('config', 'set', 'models.deadlineSeconds', '60');
    await expect('wrong key', ['not-logged-in'], { status: 401, error: 'Incorrect API key provided' });

    await home.cli('config', 'set', 'models.dailyTokens', '10');
    const before = home.server.requests.length;
    const poor = await home.learn();
    check(
      'learn, over budget: nothing is asked',
      poor.report?.overBudget === 1 && poor.report.asked === 0,
      poor.stdout,
    );
    check('learn, over budget: no request is made', home.server.requests.length === before);
    const { stdout } = await home.cli('learn', '--provider', 'agent', '--yes');
    check(`learn, over budget: ${stdout.trim()}`, stdout.includes("do not fit into the day's budget"), stdout);
    await home.cli('config', 'set', 'models.dailyTokens', '500000');
    if (client.agent === 'claude-code') {
      await home.cli('config', 'set', 'models.dailyUsd', '0.0001');
      await expect('costs more than it may', ['over-budget'], { text: 'x' });
      await home.cli('config', 'set', 'models.dailyUsd', '1');
    }
    home.say(client.toTurn(ANSWER));
    const { code, report, stderr } = await home.learn();
    const told = JSON.stringify(report) + stderr;
    check('learn, after all failures: the same pack is learned from', code === 0 && report?.active === 1, told);
  } finally {
    await home.server.close();
  }
  const empty = await openHome(stage, true);
  const { code, report, stdout, stderr } = await empty.learn();
  const [failure] = report?.failed ?? [];
  const told = stdout + stderr;
  check(`learn, no login: ${failure?.reason}`, code === 1 && failure?.kind === 'not-logged-in', told);
  check('learn, no login: the pack can be asked again', (await empty.countPacks()) === 1);
  await empty.server.close();
}

/** Kills the client, and only it, once its model has been asked. */
async function killChild(pid: number, { server, run }: OpenHome): Promise<void> {
  const before = server.requests.length;
  for (let tries = 0; tries < 600 && server.requests.length === before; tries++) await sleep(50);
  const [child] = (await listProcesses(run, 0)).filter((one) => isChild(one, pid));
  if (child !== undefined) process.kill(Number(child), 'SIGKILL');
}

function isChild(pid: string, parent: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`);
  } catch {
    return false;
  }
}

async function acceptLesson(stage: LearnStage, check: Check): Promise<void> {
  const home = await openHome(stage);
  const { client, rig } = stage;
  try {
    home.say(client.toTurn(ANSWER));
    const { code, report, stdout, stderr } = await home.learn();
    check('learn: the answer passes the gate', code === 0 && report?.active === 1, stdout + stderr);
    const asked = home.server.requests.filter(({ route }) => route === 'pack');
    check('learn: the first answer is taken', asked.length === 1, `${asked.length} requests`);
    check('learn: the model was given the pack', rig.findInRequests(asked, 'frob: the selection is empty').length > 0);
    const again = await home.cli('learn', '--provider', 'agent', '--yes');
    check('learn: nothing is asked twice', again.stdout.includes('no failed call to ask'), again.stdout);
    if (!hasDelivery(stage)) return;
    await install(stage, home, check);
    await acceptDelivery(stage, home, check, 'learn');
  } finally {
    await home.cli('daemon', 'stop');
    await home.server.close();
  }
}

function hasDelivery({ client }: LearnStage): boolean {
  return client.agent === 'claude-code' || client.agent === 'codex';
}

async function install({ client, rig }: LearnStage, { cli, home, project }: Home, check: Check): Promise<void> {
  const { code, stderr } = await cli('install', client.agent, '--force');
  check('our hooks are installed', code === 0, stderr);
  if (client.agent === 'codex') await rig.trustHooks(join(home, '.codex'), project);
}

/** The lesson is in the request after the mistake, in a session with our hooks. */
async function acceptDelivery(stage: LearnStage, home: Home, check: Check, what: string): Promise<void> {
  const { client, runClient } = stage;
  await runClient(home, client.work(`${LATER} sync it`), home.project);
  const [first, second] = home.server.requests.filter(({ route }) => route === 'later');
  const has = (request: ModelRequest | undefined): boolean => JSON.stringify(request?.body ?? '').includes(SHOWN);
  check(`${what}: the next session repeats the mistake without being told before`, first !== undefined && !has(first));
  check(`${what}: the lesson is in the request after it`, has(second), renderEnd(second));
}

async function acceptInSession(stage: LearnStage, check: Check, what: string): Promise<void> {
  const { client, runClient } = stage;
  const isPlugin = what.endsWith('plugin');
  const typed = COMMANDS.find(({ facts }) => facts.id === client.agent)?.toTyped('learn', 'settings') ?? '';
  const args = client.command?.toArgs(typed, isPlugin ? client.command.plugin : []) ?? [];
  const home = await openHome(stage);
  try {
    if (isPlugin) await home.cli('daemon', 'start');
    else if (hasDelivery(stage)) await install(stage, home, check);
    else writeCommand(stage, home);
    await runClient(home, args, home.project);
    const requests = home.server.requests.filter(({ route }) => route === 'command');
    const [, second, , fourth] = requests.map(renderEnd);
    check(`${what}: its text reaches the model`, requests.length > 0, listRoutes(home));
    check(`${what}: the model reads the pack`, second?.includes('frob: the selection is empty') === true, second);
    check(`${what}: the answer is taken`, fourth?.includes('learned: ') === true, requests.map(renderEnd).join('\n'));
    check(`${what}: its file is gone`, !existsSync(join(home.project, ANSWER_FILE)));
    const lessons = await listLessons(home);
    check(`${what}: there is a lesson of the model`, lessons.includes('model'), lessons.join());
    // The transcript of this very session is read, too.
    await home.cli('daemon', 'stop');
    const scanned = await home.cli('scan', '--again', '--json');
    const { sessions } = JSON.parse(scanned.stdout) as { readonly sessions: number };
    check(`${what}: its session is a session as all others`, sessions === 2, scanned.stdout);
    const later = await listLessons(home);
    check(`${what}: nothing is learned from the printed pack`, later.join() === lessons.join(), later.join());
    if (hasDelivery(stage) && !isPlugin) await acceptDelivery(stage, home, check, what);
  } finally {
    await home.cli('daemon', 'stop');
    await home.server.close();
  }
}

/** The origins of all lessons. */
async function listLessons({ cli }: Home): Promise<readonly string[]> {
  const { items } = JSON.parse((await cli('lessons', 'list', '--all', '--json')).stdout) as {
    readonly items: readonly { readonly origin: { readonly kind: string } }[];
  };
  return items.map(({ origin }) => origin.kind).toSorted();
}

/** The last messages of a request. */
function renderEnd(request: ModelRequest | undefined): string {
  const { messages, input, contents } = (request?.body ?? {}) as Readonly<
    Record<string, readonly unknown[] | undefined>
  >;
  return JSON.stringify((messages ?? input ?? contents)?.slice(-2) ?? 'no request');
}

function listRoutes({ server }: Home): string {
  return server.requests.map(({ route, body }) => `${route}: ${JSON.stringify(body)?.slice(0, 300)}`).join('\n');
}

/** As the documentation tells users of agents that `install` does not know. */
function writeCommand({ client }: LearnStage, { home }: Home): void {
  const command = COMMANDS.find(({ facts }) => facts.id === client.agent);
  const [learn] = SESSION_COMMANDS;
  for (const [path, content] of Object.entries((learn && command?.render(learn, 'settings')) ?? {})) {
    const file = join(home, client.command?.folder ?? '', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
