/**
 * What every client with our hooks must show, whatever form its hooks have: `install` leaves foreign files alone, calls are
 * recorded live with their outcomes, a lesson and a known fix are in the next request, a lesson may pause a call, a
 * session begins with the important lessons, trouble of ours changes no session, and `uninstall` leaves nothing behind.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAdapter } from '../../src/agents/hooks.ts';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon, type Registration } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { countTold, toRequests, toTexts } from './delivery-requests.ts';
import type { ModelRequest, Rig, RunContext, RunOptions, RunResult, Turn } from './rig.ts';

export interface ClientFacts {
  readonly agent: string;
  /** The client's variables of its folders. */
  toEnv(home: string): Readonly<Record<string, string>>;
  /** The file that `install` writes, and one beside it that is the user's. */
  readonly hooksFile: string;
  readonly foreignFile: string;
  readonly foreignText: string;
  shell(command: string): Turn;
  /** A call that fails in the tool itself. */
  readMissing(project: string): Turn;
  /** How long the client's own session file may take to tell of a call. */
  readonly waitMs?: number;
  /** It loads our program into its own process. */
  readonly hasProgram?: true;
  readonly run?: Partial<RunOptions>;
}

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const SHIPIT = `#!/bin/sh
echo "$*" >>ran.log
[ "$1" = break ] && { echo "error: no $2 here" >&2; exit 4; }
for word; do [ "$word" = --old ] && { echo 'unknown option: --old (did you mean --new?)' >&2; exit 1; }; done
for word; do [ "$word" = --fast ] && { echo 'error: unexpected argument --fast found' >&2; exit 2; }; done
echo "shipped $*"
`;
const DONE: Turn = { text: 'All done.' };

export async function acceptHooks(rig: Rig, client: ClientFacts, checks: Checks): Promise<void> {
  const stage = openStage(rig, client, checks);
  try {
    await acceptCapture(stage);
    await acceptCure(stage);
    await acceptLessons(stage);
    await acceptToolError(stage);
    await acceptOpening(stage);
    await acceptRewrite(stage);
    acceptDoctor(stage);
    await acceptTrouble(stage);
    acceptUninstall(stage);
  } finally {
    stage.close();
  }
}

interface Kept {
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly Delivery[];
}

interface SessionOptions {
  /** Without our hooks. */
  readonly isBare?: boolean;
  /** After the installation. */
  readonly before?: () => void;
  readonly maxMode?: string;
}

interface Stage {
  readonly client: ClientFacts;
  readonly checks: Checks;
  readonly dataDir: string;
  readonly context: () => RunContext;
  cli(...args: readonly string[]): unknown;
  session(
    name: string,
    turns: readonly Turn[] | ((project: string) => readonly Turn[]),
    options?: SessionOptions,
  ): Promise<RunResult>;
  /** What is stored once `isWhole` holds, or time is up. */
  read(isWhole?: (kept: Kept) => boolean): Promise<Kept>;
}

function openStage(rig: Rig, client: ClientFacts, checks: Checks): Stage & { close(): void } {
  const dataDir = mkdtempSync(join(rig.root, 'tmp', `oncebitten-${client.agent}-`));
  let context: RunContext = { home: '', project: '' };
  const cli = (...args: readonly string[]): unknown => {
    const env = { PATH: process.env.PATH ?? '', HOME: context.home, ...client.toEnv(context.home) };
    const words = [CLI, ...args, '--home', dataDir, '--json'];
    return JSON.parse(execFileSync(process.execPath, words, { env, encoding: 'utf8' }));
  };
  return {
    ...{ client, checks, dataDir, cli, context: () => context },
    session: (name, turns, { isBare = false, before, maxMode = 'pause' } = {}) =>
      rig.run('oncebitten-hooks', {
        plugin: false,
        prompt: `STORY-${name} go`,
        ...client.run,
        script: (made) => {
          context = made;
          writeFileSync(join(made.project, 'shipit'), SHIPIT);
          chmodSync(join(made.project, 'shipit'), 0o755);
          const foreign = join(made.home, client.foreignFile);
          mkdirSync(dirname(foreign), { recursive: true });
          writeFileSync(foreign, client.foreignText);
          if (!isBare) cli('install', client.agent, '--force', '--max-mode', maxMode);
          before?.();
          const all = typeof turns === 'function' ? turns(made.project) : turns;
          const title = { name: 'title', match: 'title generator', noTools: true, turns: [{ text: 'A title' }] };
          return { routes: [title, { name, match: `STORY-${name}\\b`, turns: all }] };
        },
      }),
    read: (isWhole = () => true) => read(dataDir, isWhole, client.waitMs ?? 0),
    close() {
      cli('daemon', 'stop');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function read(dataDir: string, isWhole: (kept: Kept) => boolean, waitMs: number): Promise<Kept> {
  const home = toDataHome(dataDir);
  const until = Date.now() + waitMs;
  for (;;) {
    await sleep(500);
    await askDaemon(home, 'flush');
    const store = await openSqliteStore(home.storeFile);
    try {
      const kept = { calls: await store.listCalls({}), deliveries: await store.listDeliveries({}) };
      if (isWhole(kept) || Date.now() > until) return kept;
    } finally {
      await store.close();
    }
  }
}

async function acceptCapture({ client, checks, session, read }: Stage): Promise<void> {
  const { shell, readMissing, agent } = client;
  const turns = (project: string) => [
    shell('./shipit send --fast web'),
    shell('./shipit send --quick web'),
    readMissing(project),
    DONE,
  ];
  const run = await session('TEACH', turns);
  checks.check('capture: the session ends cleanly', run.results[0]?.code === 0, `exit ${run.results[0]?.code}`);
  checks.check('capture: a new failure hears nothing', !toTexts(toRequests(run, 'TEACH')[1]).includes('--quick'));
  const expected = 'read failure,shell failure 2,shell success 0';
  const toRows = ({ calls }: Kept): string =>
    calls
      .map(({ tool, outcome, exitCode }) => [tool, outcome, exitCode].filter((one) => one !== undefined).join(' '))
      .toSorted()
      .join();
  const kept = await read((one) => toRows(one) === expected);
  checks.check('capture: every call is recorded once, with its outcome', toRows(kept) === expected, toRows(kept));
  checks.check(
    'capture: under its own name',
    kept.calls.every((call) => call.agent === agent),
  );
}

async function acceptCure({ client: { shell }, checks, cli, session, read }: Stage): Promise<void> {
  await archiveLessons(cli);
  const run = await session('CURE', [shell('./shipit send --fast api'), shell('./shipit send --fast api'), DONE]);
  const [, next, last] = toRequests(run, 'CURE');
  checks.check('known fix: it is in the very next request', toTexts(next).includes('--quick'));
  checks.check('known fix: the error of the call stays', toTexts(next).includes('--fast found'));
  checks.check(
    'known fix: once',
    toTexts(last).split('--quick web').length === toTexts(next).split('--quick web').length,
  );
  const { deliveries } = await read(({ deliveries: all }) => all.length > 0);
  const told = deliveries.map(({ kind, mode, arm }) => `${kind} ${mode} ${arm}`).join();
  checks.check('known fix: one delivery is recorded', told === 'failure note shown', told);
}

/** A lesson learned from the same calls would tell it before the call fails. */
async function archiveLessons(cli: Stage['cli']): Promise<void> {
  const { items } = cli('lessons', 'list', '--all') as { readonly items: readonly { slug: string; status: string }[] };
  for (const { slug, status } of items) if (status !== 'archived') cli('lessons', 'archive', slug);
}

async function acceptLessons({ client: { shell }, checks, cli, session, context, read }: Stage): Promise<void> {
  const note = teach(cli, '--noted', 'note');
  const pause = teach(cli, '--paused', 'pause');
  const [noted, paused] = ['./shipit go --noted', './shipit go --paused'];
  const run = await session('LESSON', [shell(noted), shell(noted), shell(paused), shell(paused), DONE]);
  const heard = toRequests(run, 'LESSON').map((request) =>
    [countTold(request, note), countTold(request, pause)].join(' '),
  );
  const expected = ['0 0', '1 0', '1 0', '1 1', '1 1'].join();
  checks.check('lesson: heard with the call that it is about, once', heard.join() === expected, heard.join());
  const ran = readFileSync(join(context().project, 'ran.log'), 'utf8').trim().split('\n');
  checks.check(
    'lesson: a paused call runs when it is repeated',
    ran.filter((one) => one === 'go --paused').length === 1,
    ran.join(),
  );
  const isDelivery = ({ kind }: Delivery): boolean => kind === 'call';
  const { deliveries } = await read(({ deliveries: all }) => all.filter(isDelivery).length === 2);
  const told = deliveries.filter(isDelivery).map(({ mode, arm }) => `${mode} ${arm}`);
  checks.check('lesson: each delivery is recorded', told.toSorted().join() === 'note shown,pause shown', told.join());
}

function teach(cli: Stage['cli'], option: string, mode: string, more: readonly string[] = []): string {
  const words = ['--summary', `shipit has no ${option}`, '--fix', `leave out ${option}`];
  const where = ['--program', 'shipit go', '--with', option, ...more];
  const { slug } = cli('lessons', 'add', ...words, ...where) as { readonly slug: string };
  cli('lessons', 'edit', slug, '--mode', mode);
  return slug;
}

/** A call that fails in the tool itself can carry a note, too. */
async function acceptToolError({ client: { shell, readMissing }, checks, cli, session }: Stage): Promise<void> {
  const words = ['--summary', 'there is no such file', '--fix', 'list the folder', '--file', '**/missing.txt'];
  const { slug } = cli('lessons', 'add', ...words) as { readonly slug: string };
  const turns = (project: string) => [readMissing(project), shell('echo next'), DONE];
  const run = await session('ERROR', turns);
  const heard = toRequests(run, 'ERROR').map((request) => countTold(request, slug));
  checks.check('tool error: a note comes with it, once, and stays', heard.join() === '0,1,1', heard.join());
  cli('lessons', 'archive', slug);
}

async function acceptOpening({ client: { shell }, checks, cli, session }: Stage): Promise<void> {
  const slug = teach(cli, '--critical', 'note', ['--priority', '10', '--type', 'warning']);
  const run = await session('OPENING', [shell('echo hello'), DONE]);
  const told = toRequests(run, 'OPENING').map((request) => toTexts(request).split(slug).length - 1);
  checks.check(
    'session start: the first request has the important lesson, once',
    told.every((n) => n === 1),
    told.join(),
  );
  cli('lessons', 'archive', slug);
}

async function acceptRewrite({ client: { shell }, checks, cli, session, context, read }: Stage): Promise<void> {
  await session('LEARN', [shell('./shipit pack --old 1'), shell('./shipit pack --new 1'), DONE]);
  await read(({ calls }) => calls.some(({ inputSummary = '' }) => inputSummary.includes('--new 1')));
  const { items } = cli('lessons', 'list') as { readonly items: readonly Lesson[] };
  const lesson = items.find(({ replacement }) => replacement?.from === '--old');
  checks.check('rewrite: the correction is learned from calls', lesson !== undefined);
  if (lesson === undefined) return;
  cli('lessons', 'edit', lesson.slug, '--mode', 'rewrite');
  const run = await session('REWRITE', [shell('./shipit pack --old 2'), DONE], { maxMode: 'rewrite' });
  const ran = readFileSync(join(context().project, 'ran.log'), 'utf8').trim();
  checks.check('rewrite: the corrected call runs', ran === 'pack --new 2', ran);
  const told = toTexts(toRequests(run, 'REWRITE')[1]);
  checks.check('rewrite: the model is told', told.includes('`--new` instead of `--old`'));
}

function acceptDoctor({ client: { agent }, checks, cli }: Stage): void {
  const name = findAdapter(agent)?.facts.name ?? '';
  const wanted = [
    `hooks of ${name}`,
    `delivery to ${name}, with the daemon`,
    `delivery to ${name}, without the daemon`,
  ];
  const all = cli('doctor') as { readonly checks: readonly { name: string; state: string; detail: string }[] };
  const found = all.checks.filter((one) => wanted.includes(one.name));
  const detail = found.map((one) => `${one.state} ${one.detail}`).join('; ');
  checks.check('doctor: it proves delivery', found.length === 3 && found.every(({ state }) => state === 'ok'), detail);
}

interface Trouble {
  readonly name: string;
  /** After the installation, before the session. Gives what ends it. */
  begin(stage: Stage): () => void;
}

const HOOK_TROUBLES: readonly Trouble[] = [
  withFile('hookFile', 'the hook is killed while it runs', '#!/bin/bash\n(sleep 0.1; kill -9 $$) & exec sleep 3\n'),
  withFile('hookFile', 'the hook hangs', '#!/bin/bash\nexec sleep 5\n'),
  withFile('hookFile', 'the hook prints garbage', `#!/bin/bash\necho '%& {"hook": ['; head -c 3000 /dev/urandom\n`),
  withFile('hookFile', 'the hook fails with words', '#!/bin/bash\necho broken; echo broken >&2; exit 2\n'),
  withFile('hookFile', 'the hook is missing'),
  { name: 'the daemon hangs', begin: beginStopped },
];

const PROGRAM_TROUBLES: readonly Trouble[] = [
  withFile('programFile', 'the program is garbage', '%& {"hook": ['),
  withFile('programFile', 'the program is missing'),
];

async function acceptTrouble(stage: Stage): Promise<void> {
  const { checks, client } = stage;
  const without = await runTrouble(stage, 'without hooks');
  checks.check('trouble: without hooks the run ends as scripted', without.includes('"code":0'), without.slice(0, 300));
  const troubles = [...HOOK_TROUBLES, ...(client.hasProgram ? PROGRAM_TROUBLES : [])];
  for (const trouble of [undefined, ...troubles]) {
    const told = await runTrouble(stage, trouble);
    const name = trouble === undefined ? 'trouble: with hooks' : `trouble, ${trouble.name}:`;
    checks.check(
      `${name} the run ends the same`,
      told === without,
      told === without ? '' : `${told}\n  not ${without}`,
    );
  }
}

/** Calls about which nothing can be learned. */
async function runTrouble(stage: Stage, trouble: Trouble | 'without hooks' | undefined): Promise<string> {
  const { client, session, context } = stage;
  const { shell, readMissing } = client;
  const turns = (project: string) => [shell('./shipit put --one'), shell('false'), readMissing(project), DONE];
  let end: (() => void) | undefined;
  const run = await session('TROUBLE', turns, {
    isBare: trouble === 'without hooks',
    before: () => {
      if (typeof trouble === 'object') end = trouble.begin(stage);
    },
  });
  end?.();
  const requests = toRequests(run, 'TROUBLE');
  const outcome = {
    code: run.results[0]?.code,
    requests: requests.length,
    ran: readFileSync(join(context().project, 'ran.log'), 'utf8'),
    results: listResults(requests.at(-1)),
  };
  return JSON.stringify(outcome).replaceAll(/call_\w+|shellId: \w+/g, 'ID');
}

function listResults(request: ModelRequest | undefined): readonly unknown[] {
  const { messages = [] } = (request?.body ?? {}) as { messages?: readonly { role: string; content: unknown }[] };
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

/** Another file of ours; none without a text. The daemon is away, so that every client needs the hook. */
function withFile(place: 'hookFile' | 'programFile', name: string, text?: string): Trouble {
  const begin: Trouble['begin'] = ({ dataDir, cli }) => {
    cli('daemon', 'stop');
    const file = toDataHome(dataDir)[place];
    const own = readFileSync(file);
    rmSync(file);
    if (text !== undefined) writeFileSync(file, text, { mode: 0o755 });
    return () => writeFileSync(file, own, { mode: 0o755 });
  };
  return { name, begin };
}

function beginStopped({ dataDir }: Stage): () => void {
  const { pid } = JSON.parse(readFileSync(toDataHome(dataDir).registrationFile, 'utf8')) as Registration;
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

function acceptUninstall({ client, checks, cli, context }: Stage): void {
  const { home } = context();
  const [hooksFile, foreign] = [join(home, client.hooksFile), join(home, client.foreignFile)];
  checks.check('install: the hooks are in place', existsSync(hooksFile));
  checks.check('install: a foreign file is untouched', readFileSync(foreign, 'utf8') === client.foreignText);
  const { restored } = cli('uninstall', client.agent) as { readonly restored: string };
  checks.check('uninstall: the file is gone', restored === 'deleted' && !existsSync(hooksFile), restored);
  checks.check('uninstall: a foreign file is untouched', readFileSync(foreign, 'utf8') === client.foreignText);
}
