/**
 * What every client with our hooks must show, whatever form its hooks have, in the home of a user who has hooks and
 * settings of their own: `install` and `uninstall` leave those alone, every call is recorded once with its outcome, a
 * lesson reaches the model in the ways that the agent's capabilities name, a known fix comes with the failure, a session
 * begins with the important lessons, `doctor` proves delivery, and whatever becomes of our hook, a session ends as it does
 * without hooks.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAdapter } from '../../src/agents/hooks.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { Registration } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { countTold, toTexts } from './delivery-requests.ts';
import {
  HOOKED_CLIENTS,
  type Kept,
  listDoctorChecks,
  openStage,
  RIGHT,
  type Session,
  type Stage,
  teach,
  toRoutes,
  WRONG,
} from './hooked-clients.ts';
import { LEARN_CLIENTS } from './learn-clients.ts';
import { openLearnStage } from './learn-stage.ts';
import { type ModelRequest, openRig } from './rig.ts';

/** `name`: of a row of `HOOKED_CLIENTS`. */
export async function acceptHooks(name: string, checks: Checks): Promise<void> {
  const [client, hooked] = [LEARN_CLIENTS[name], HOOKED_CLIENTS[name]];
  const can = findAdapter(client?.agent ?? '')?.capabilities;
  if (client === undefined || hooked === undefined || can === undefined) throw new Error(`no such client: ${name}`);
  const learn = openLearnStage(await openRig(name), client);
  const troubles = ['BARE', 'WELL', ...TROUBLES.map((one) => one.name)];
  const home = await learn.open(toRoutes(client, hooked, troubles), false);
  const stage = openStage({ ...home, checks, learn, client, hooked, can });
  try {
    const user = await acceptInstall(stage);
    await acceptCapture(stage);
    await acceptCure(stage);
    await acceptNote(stage);
    if (hooked.readMissing !== undefined && can.withResult === 'all') await acceptToolError(stage);
    if (hooked.toSubagent !== undefined) await acceptSubagent(stage);
    await acceptOpening(stage);
    await acceptPause(stage);
    if (can.beforeCall.includes('rewrite')) await acceptRewrite(stage);
    await acceptDoctor(stage);
    await acceptTrouble(stage, user.bare);
    await acceptUninstall(stage, user);
  } finally {
    await stage.cli('daemon', 'stop').catch(() => {});
    await home.server.close();
    learn.close();
  }
}

/** What is the user's, before our hooks. */
interface User {
  /** The file that `install` changes; undefined if there is none. */
  readonly hooks: Buffer | undefined;
  readonly own: Buffer | undefined;
  /** How a session ends. */
  readonly bare: string;
}

async function acceptInstall(stage: Stage): Promise<User> {
  const { checks, cli, client, hooked, home, session } = stage;
  const [file, userFile] = [join(home, hooked.hooksFile), join(home, hooked.userFile ?? hooked.hooksFile)];
  const hooks = readIfThere(file);
  const own = readFileSync(userFile);
  const bare = toOutcome(stage, await session('BARE'));
  checks.check('without our hooks the session ends as scripted', /^\{"code":0.*"requests":[34]/.test(bare), bare);
  const plan = (await cli('install', client.agent, '--dry-run')) as { readonly changed: boolean };
  checks.check('install --dry-run names the change and makes none', plan.changed && isSame(hooks, readIfThere(file)));
  await cli('install', client.agent, '--max-mode', 'rewrite');
  const installed = readIfThere(file);
  checks.check('install: the hooks are in place', installed !== undefined && !isSame(hooks, installed));
  await cli('install', client.agent);
  checks.check('install twice is install once', isSame(installed, readIfThere(file)));
  if (hooked.userFile !== undefined)
    checks.check('install: a foreign file is untouched', isSame(own, readIfThere(userFile)));
  await hooked.consent?.(stage);
  return { hooks, own, bare };
}

function readIfThere(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

async function acceptCapture(stage: Stage): Promise<void> {
  const { checks, session, read, client, hooked, log } = stage;
  rmSync(log, { force: true });
  const taught = await session('TEACH');
  checks.check('capture: the session ends cleanly', taught.code === 0, `exit ${taught.code}`);
  checks.check('the hooks of the user still run', existsSync(log) && readFileSync(log, 'utf8').includes('HOOK-'));
  checks.check('capture: a new failure hears nothing', !toTexts(taught.requests.at(-1)).includes('"shown"'));
  const expected = [
    ...[`${WRONG} web failure 2`, `${RIGHT} web success 0`],
    ...(hooked.readMissing === undefined ? [] : ['read failure']),
  ].join(', ');
  const toRows = ({ calls }: Kept): string => {
    const sessionId = calls.find(({ inputSummary }) => inputSummary === `${WRONG} web`)?.sessionId;
    return calls
      .filter((call) => call.sessionId === sessionId)
      .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt))
      .map(({ tool, inputSummary, outcome, exitCode }) =>
        tool === 'shell' ? `${inputSummary} ${outcome} ${exitCode}` : `${tool} ${outcome}`,
      )
      .join(', ');
  };
  const kept = await read((one) => toRows(one) === expected);
  checks.check('capture: every call is recorded once, with its outcome', toRows(kept) === expected, toRows(kept));
  checks.check(
    'capture: under its own name',
    kept.calls.every(({ agent }) => agent === client.agent),
  );
}

async function acceptCure(stage: Stage): Promise<void> {
  const { checks, session, can, cli, read } = stage;
  // A lesson about the same failure would come first.
  const { items } = (await cli('lessons', 'list', '--all')) as { readonly items: readonly Lesson[] };
  for (const { slug, status } of items) if (status !== 'archived') await cli('lessons', 'archive', slug);
  await read(() => true);
  const { requests, code } = await session('CURE');
  const isTold = toTexts(requests[1]).includes('--quick');
  checks.check('known fix: it is in the request after the failure', isTold === (can.knownFixes !== 'none'));
  checks.check('known fix: the error of the call stays', toTexts(requests[1]).includes('unexpected argument --fast'));
  checks.check('known fix: the session ends cleanly', code === 0);
  const isFix = ({ kind }: Delivery): boolean => kind === 'failure';
  const { deliveries } = await read((kept) => kept.deliveries.some((one) => isFix(one) && one.outcome === 'clean'));
  const told = deliveries.filter(isFix).map(({ mode, arm, outcome }) => `${mode} ${arm} ${outcome}`);
  checks.check(
    'known fix: one delivery, judged by the calls after it',
    told.join() === 'note shown clean',
    told.join(),
  );
  const [, next, last] = (await session('AGAIN')).requests.map((one) => toTexts(one).split('--quick').length);
  checks.check('known fix: once in a session', next === last && next !== 1, `${next} and ${last}`);
}

async function acceptNote(stage: Stage): Promise<void> {
  const { checks, session, takeRuns } = stage;
  const { slug, id } = await teach(stage, '--noted', 'drop');
  takeRuns();
  const { requests } = await session('NOTE');
  const told = requests.map((request) => countTold(request, slug)).join();
  checks.check('note: it is in the request after its call, once', told === '0,1,1', told);
  const runs = takeRuns();
  checks.check('note: both calls ran', runs === 'drop --noted 1, drop --noted 2', runs);
  await acceptDelivery(stage, id, 'note shown');
}

async function acceptDelivery({ checks, read }: Stage, id: string, expected: string): Promise<void> {
  const list = ({ deliveries }: Kept) => deliveries.filter(({ lessonId, kind }) => lessonId === id && kind === 'call');
  const told = list(await read((kept) => list(kept).length > 0)).map(({ mode, arm }) => `${mode} ${arm}`);
  checks.check('and its delivery is recorded, once', told.join() === expected, told.join());
}

/** A call that fails in the tool itself can carry a note, too. */
async function acceptToolError({ checks, cli, session }: Stage): Promise<void> {
  const words = ['--summary', 'there is no such file', '--fix', 'list the folder', '--file', '**/missing.txt'];
  const { slug } = (await cli('lessons', 'add', ...words)) as Lesson;
  const { requests } = await session('ERROR');
  const heard = requests.map((request) => countTold(request, slug)).join();
  checks.check('tool error: a note comes with it, once, and stays', heard === '0,1,1', heard);
  await cli('lessons', 'archive', slug);
}

/** A sub-agent that hooks name hears a lesson itself; any other counts as the main conversation. Its calls are recorded. */
async function acceptSubagent(stage: Stage): Promise<void> {
  const { checks, session, server, can, read, takeRuns } = stage;
  const { slug } = await teach(stage, '--helped', 'prune');
  takeRuns();
  const { requests, code } = await session('HELPED');
  const toTold = (one: ModelRequest) => countTold(one, slug);
  checks.check('sub-agent: the session ends cleanly', code === 0);
  const helper = server.requests.filter(({ route }) => route === 'HELPER').map(toTold);
  // One client lets a sub-agent end with a request of its own.
  checks.check('sub-agent: it hears the lesson with its call, once', /^0,1(?:,1)?$/.test(helper.join()), helper.join());
  const told = requests.map(toTold).join();
  const expected = can.subagents === 'unmarked' ? '0,0,0' : '0,0,1';
  checks.check(`sub-agent: its parent hears it ${expected === '0,0,0' ? 'no more' : 'too'}`, told === expected, told);
  const list = ({ calls }: Kept): string =>
    calls
      .flatMap(({ inputSummary: command = '', outcome }) =>
        command.includes('--helped') ? `${command} ${outcome}` : [],
      )
      .toSorted()
      .join();
  const wanted = './deploy prune --helped main success,./deploy prune --helped sub success';
  const kept = list(await read((one) => list(one) === wanted));
  checks.check('sub-agent: its calls and those of its parent are recorded once', kept === wanted, kept);
}

async function acceptOpening(stage: Stage): Promise<void> {
  const { checks, cli, session } = stage;
  const { slug } = await teach(stage, '--opening', 'open', ['--priority', '10']);
  const { requests } = await session('OPENING');
  const told = requests.map((request) => toTexts(request).split(slug).length - 1).join();
  checks.check('session start: the first request has the critical lesson, once, and keeps it', told === '1,1', told);
  await cli('lessons', 'archive', slug);
}

async function acceptPause(stage: Stage): Promise<void> {
  const { checks, session, cli, takeRuns } = stage;
  const { slug, id } = await teach(stage, '--paused', 'wipe');
  await cli('lessons', 'edit', slug, '--mode', 'pause');
  takeRuns();
  const { requests } = await session('PAUSE');
  const told = requests.map((request) => countTold(request, slug)).join();
  checks.check('pause: the lesson is in the request after its call, once', told === '0,1,1', told);
  checks.check('pause: it refuses the call', toTexts(requests[1]).includes('held this call back'));
  const runs = takeRuns();
  checks.check('pause: the same call again runs', runs === 'wipe --paused x', runs);
  await acceptDelivery(stage, id, 'pause shown');
}

async function acceptRewrite(stage: Stage): Promise<void> {
  const { checks, session, cli, read, takeRuns } = stage;
  await session('LEARN');
  await read(({ calls }) => calls.some(({ inputSummary = '' }) => inputSummary.includes('--new 1')));
  const { items } = (await cli('lessons', 'list')) as { readonly items: readonly Lesson[] };
  const lesson = items.find(({ replacement }) => replacement?.from === '--old');
  checks.check('rewrite: the correction is learned from calls', lesson !== undefined);
  if (lesson === undefined) return;
  await cli('lessons', 'edit', lesson.slug, '--mode', 'rewrite');
  takeRuns();
  const { requests } = await session('REWRITE');
  const runs = takeRuns();
  checks.check('rewrite: the corrected call runs', runs === 'ship --new 2', runs);
  checks.check('rewrite: the model is told', toTexts(requests[1]).includes('`--new` instead of `--old`'));
}

async function acceptDoctor(stage: Stage): Promise<void> {
  const { checks, client } = stage;
  const name = findAdapter(client.agent)?.facts.name ?? '';
  const deliveries = ['with the daemon', 'without the daemon'].map((how) => `delivery to ${name}, ${how}`);
  const wanted = [`hooks of ${name}`, ...deliveries, `a lesson to ${name}`];
  const found = (await listDoctorChecks(stage)).filter((one) => wanted.includes(one.name));
  const isProven = found.length === wanted.length && found.every(({ state }) => state === 'ok');
  checks.check('doctor: it proves delivery', isProven, found.map((one) => `${one.state} ${one.detail}`).join('; '));
}

interface Trouble {
  readonly name: string;
  /** Another file of ours in its place; none without a text. */
  readonly file?: 'hookFile' | 'programFile';
  readonly text?: string;
}

const TROUBLES: readonly Trouble[] = [
  { name: 'KILLED', file: 'hookFile', text: '#!/bin/bash\n(sleep 0.1; kill -9 $$) & exec sleep 3\n' },
  { name: 'HANGING', file: 'hookFile', text: '#!/bin/bash\nexec sleep 20\n' },
  {
    name: 'GARBAGE',
    file: 'hookFile',
    text: `#!/bin/bash\necho '%& {"hookSpecificOutput": ['; head -c 3000 /dev/urandom\n`,
  },
  { name: 'FAILING', file: 'hookFile', text: '#!/bin/bash\necho broken; echo broken >&2; exit 2\n' },
  { name: 'MISSING', file: 'hookFile' },
  { name: 'DAEMON-HANGING' },
  { name: 'PROGRAM-GARBAGE', file: 'programFile', text: '%& {"hook": [' },
  { name: 'PROGRAM-MISSING', file: 'programFile' },
];

async function acceptTrouble(stage: Stage, bare: string): Promise<void> {
  const { checks, session, hooked } = stage;
  const { slug } = await teach(stage, '--troubled', 'look');
  stage.takeRuns();
  const well = await session('WELL');
  const outcome = toOutcome(stage, well);
  checks.check('with our hooks the session ends the same', outcome === bare, outcome === bare ? '' : outcome);
  checks.check('and hears the lesson', toTexts(well.requests.at(-1)).includes(slug));
  const troubles = TROUBLES.filter(({ file }) => hooked.hasProgram || file !== 'programFile');
  for (const trouble of troubles) {
    const end = await beginTrouble(stage, trouble);
    const told = toOutcome(stage, await session(trouble.name));
    end();
    const name = trouble.name.toLowerCase().replace('-', ' is ');
    const who = trouble.file === 'hookFile' ? 'our hook is ' : 'our ';
    checks.check(`${who}${name}: the session ends the same`, told === bare, told === bare ? '' : told);
  }
}

/** Gives what ends it. The daemon is away, so that every client needs the hook, unless the daemon is the trouble. */
async function beginTrouble({ cli, data }: Stage, { file: place, text }: Trouble): Promise<() => void> {
  if (place === undefined) {
    await cli('daemon', 'start');
    const { pid } = JSON.parse(readFileSync(data.registrationFile, 'utf8')) as Registration;
    process.kill(pid, 'SIGSTOP');
    return () => process.kill(pid, 'SIGCONT');
  }
  await cli('daemon', 'stop');
  const file = data[place];
  const own = readFileSync(file);
  rmSync(file);
  if (text !== undefined) writeFileSync(file, text, { mode: 0o755 });
  return () => writeFileSync(file, own, { mode: 0o755 });
}

async function acceptUninstall({ checks, cli, client, hooked, home }: Stage, user: User): Promise<void> {
  const { restored } = (await cli('uninstall', client.agent)) as { readonly restored: string };
  const isBack = isSame(user.hooks, readIfThere(join(home, hooked.hooksFile)));
  const expected = user.hooks === undefined ? 'deleted' : 'bytes';
  checks.check('uninstall: the file is as it was before us', restored === expected && isBack, restored);
  if (hooked.userFile === undefined) return;
  checks.check('uninstall: a foreign file is untouched', isSame(user.own, readIfThere(join(home, hooked.userFile))));
}

/** Exit code, last words, how the commands ran, and what the tools told the model. */
function toOutcome({ takeRuns }: Stage, { code, out, requests }: Session): string {
  const results = listResults(requests.at(-1)?.body).map((one) => toStable(JSON.stringify(one)));
  // Some clients print how long a slow call took.
  const words = out
    .trim()
    .replaceAll(/\d+(?:\.\d+)?/g, 'n')
    .replaceAll(/ +ns$/gm, '');
  return JSON.stringify({ code, requests: requests.length, ran: takeRuns(), out: words, results });
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
    .replace(/(?:\\n)*<hook_context>.*<\/hook_context>|(?:\\n){2}Lesson from earlier .*(?="$)/s, '')
    .replaceAll(/(?<=Chunk ID: |Wall time: |PGID: |Original token count: |shellId: |call_)[\w.]+/g, 'n');
}
