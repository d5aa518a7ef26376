/**
 * One question to the model behind each real client, in the home of a user who has hooks, instructions, a server of
 * tools and a provider of their own: the model gets the question and nothing else, its answer comes back, nothing of the
 * user's runs, nothing of the session is captured, and every way to fail ends with a clear message and no process.
 */
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ModelAnswer } from '../../src/base/contracts/language-model.ts';
import { PACK_MARKER } from '../../src/base/model/pack.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openModel } from '../../src/loop/models/open-model.ts';
import type { Checks } from './checks.ts';
import { LEARN_CLIENTS, type LearnClient, MEMORY } from './learn-clients.ts';
import { makeProductCli } from './make-product-cli.ts';
import { type ModelRequest, openRig, type Rig, type Turn } from './rig.ts';

const PROMPT = `<!-- ${PACK_MARKER} 1 -->\nFailures follow. Which lesson do they teach?\ne1: \`shipit --old\` failed\n`;
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { add: { type: 'array', maxItems: 60, items: { type: 'string', minLength: 1 } } },
  required: ['add'],
  additionalProperties: false,
};
const ANSWER = { add: ['use --new'] };
const PATIENCE_MS = 60_000;
/** Starting a client takes up to this long on a busy machine. */
const SHORT_MS = 12_000;

export async function acceptLearn(name: string, checks: Checks): Promise<void> {
  const client = LEARN_CLIENTS[name];
  if (client === undefined) throw new Error(`no client ${name}`);
  const rig = await openRig(name);
  const stage = openLearnStage(rig, client);
  const check = (what: string, ok: boolean, detail = ''): void =>
    checks.check(`${name}: ${what}`, ok, ok ? '' : detail);
  try {
    await acceptAnswer(stage, check);
    await acceptFailures(stage, check);
  } finally {
    stage.close();
  }
}

type Check = (what: string, ok: boolean, detail?: string) => void;

async function acceptAnswer({ client, ask, runOrdinary, rig }: LearnStage, check: Check): Promise<void> {
  const { answer, requests, log, scanned, leftovers } = await ask([client.toTurn(ANSWER)]);
  const told = JSON.stringify(answer);
  check('the answer comes back', answer.ok && answer.text === JSON.stringify(ANSWER), told);
  check('with the tokens that it cost', (answer.usage?.inputTokens ?? 0) >= 1000, told);
  check('the question reaches the model', rig.findInRequests(requests, PROMPT.trim()).length > 0);
  check('in one request', requests.length === 1, String(requests.length));
  const tools = requests.flatMap(listTools);
  check(
    'the model has no tool that acts',
    tools.every((tool) => HARMLESS.includes(tool)),
    tools.join(),
  );
  check('no hook of the user runs', !log.includes('HOOK'), log);
  check(
    'no server of the user starts, or its tools are hidden',
    client.startsServers === true || !log.includes('SERVER'),
    log,
  );
  const hasMemory = rig.findInRequests(requests, MEMORY).length > 0;
  check("the user's instructions are where we say they are", hasMemory === (client.readsMemory === true));
  check('no session is captured', scanned === 0, `${scanned} sessions`);
  check('no process is left', leftovers.processes.length === 0, leftovers.processes.join());
  check('no folder is left', leftovers.folders.length === 0, leftovers.folders.join());
  check('hooks of an ordinary session do run here', (await runOrdinary()).includes('HOOK'));
}

/** Claude Code's way to answer in a form, and what Codex cannot leave out: a question, and a patch that is rejected. */
const HARMLESS = ['StructuredOutput', 'DeferredToolPlaceholder', 'request_user_input', 'apply_patch'];

function listTools({ body }: ModelRequest): readonly string[] {
  const { tools = [] } = (body ?? {}) as { readonly tools?: readonly Readonly<Record<string, unknown>>[] };
  return tools.flatMap((tool) => {
    const declared = tool.functionDeclarations as readonly { readonly name: string }[] | undefined;
    if (declared !== undefined) return declared.map((one) => one.name);
    const named = tool.function as { readonly name: string } | undefined;
    return [String(named?.name ?? tool.name ?? tool.type)];
  });
}

async function acceptFailures({ client, ask }: LearnStage, check: Check): Promise<void> {
  const expect = async (what: string, kinds: readonly string[], turns: readonly Turn[], how: AskHow = {}) => {
    const { answer, leftovers, scanned } = await ask(turns, how);
    const kind = answer.ok ? 'ok' : answer.kind;
    check(`${what}: ${answer.ok ? '' : answer.reason}`, kinds.includes(kind), JSON.stringify(answer));
    const rest = [...leftovers.processes, ...leftovers.folders, ...(scanned === 0 ? [] : [`${scanned} sessions`])];
    check(`${what}: nothing is left`, rest.length === 0, rest.join());
  };
  const short = { deadlineMs: SHORT_MS };
  await expect('hangs', ['too-slow'], [{ delayMs: PATIENCE_MS, text: 'late' }], short);
  await expect('is killed', ['failed'], [{ delayMs: PATIENCE_MS, text: 'late' }], { isKilled: true });
  await expect('answers with words', ['garbage'], [{ text: 'I would rather not.' }]);
  await expect(
    'answers with a tool',
    ['garbage', 'failed', 'ok'],
    [{ text: 'x', tools: [client.toEvil(EVIL_FILE)] }, client.toTurn(ANSWER)],
  );
  check('the tool writes nothing', !existsSync(EVIL_FILE));
  await expect('has a wrong key', ['not-logged-in'], [{ status: 401, error: 'Incorrect API key provided' }]);
  await expect('reaches a limit', ['rate-limit'], [{ status: 429, error: 'Rate limit reached' }], short);
  await expect('has trouble', ['failed', 'rate-limit', 'too-slow'], [{ status: 500, error: 'boom' }], short);
  if (client.withoutLogin === 'not-logged-in') {
    await expect('is not logged in', ['not-logged-in'], [], { isEmptyHome: true });
  }
  if (client.agent === 'claude-code') {
    await expect('costs more than it may', ['over-budget'], [{ text: 'x' }], { maxUsd: 0.0001 });
  }
}

const EVIL_FILE = join(tmpdir(), `oncebitten-evil-${process.pid}`);

interface AskHow {
  readonly deadlineMs?: number;
  readonly maxUsd?: number;
  /** Somebody kills the program while it waits for its model. */
  readonly isKilled?: boolean;
  /** Nobody has logged in. */
  readonly isEmptyHome?: boolean;
}

interface Asked {
  readonly answer: ModelAnswer;
  readonly requests: readonly ModelRequest[];
  /** What hooks and servers of the user wrote down. */
  readonly log: string;
  /** Sessions that a scan finds afterwards. */
  readonly scanned: number;
  readonly leftovers: { readonly processes: readonly string[]; readonly folders: readonly string[] };
}

interface LearnStage {
  readonly client: LearnClient;
  readonly rig: Rig;
  ask(turns: readonly Turn[], how?: AskHow): Promise<Asked>;
  /** The log of a headless run that is not ours. */
  runOrdinary(): Promise<string>;
  close(): void;
}

/** In the environment of every process of a run, so that those which are left can be found. */
const RUN = 'ONCEBITTEN_ACCEPT_RUN';

function openLearnStage(rig: Rig, client: LearnClient): LearnStage {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-learn-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  symlinkSync(rig.bin, join(bin, client.program));
  let count = 0;

  const open = async (turns: readonly Turn[], isEmpty: boolean) => {
    const home = join(root, `home-${count}`);
    const log = join(root, `log-${count}`);
    const run = `${process.pid}-${count++}`;
    const last = turns.at(-1);
    const route = { match: '.', noTools: true, turns, ...(last && { after: last }) };
    const server = await rig.startServer({ routes: [{ name: 'main', ...route }] });
    const { env, files } = client.toHome({ url: server.url, home, log });
    for (const folder of [home, join(home, 'tmp')]) mkdirSync(folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      if (!isEmpty) writeFileSync(join(home, path), text);
    }
    // Shared by all homes: a client unpacks 230 MB there at its first start.
    const cache = { XDG_CACHE_HOME: join(rig.root, 'cache') };
    const own = isEmpty ? dropLogin(env) : env;
    const clean = rig.toEnvironment(home, { ...cache, ...own, TMPDIR: tmpdir(), [RUN]: run });
    const path = `${bin}:${dirname(process.execPath)}:${clean.PATH}`;
    return { home, log, run, server, env: { ...clean, PATH: path } };
  };

  return {
    client,
    rig,
    async ask(turns, { deadlineMs = PATIENCE_MS, maxUsd, isKilled = false, isEmptyHome = false } = {}) {
      const { home, log, run, server, env } = await open(turns, isEmptyHome);
      if (client.agent === 'codex' && !isEmptyHome) await rig.trustHooks(join(home, '.codex'), home);
      const settings = {
        ...DEFAULT_SETTINGS.models,
        provider: 'agent',
        agent: client.agent,
        model: client.model ?? '',
      } as const;
      const before = listFolders();
      const killer = isKilled ? killOnce(run, server) : undefined;
      const limits = { deadlineMs, ...(maxUsd !== undefined && { maxUsd }) };
      const answer = await openModel(settings, env).ask({ prompt: PROMPT, schema: SCHEMA }, limits);
      await killer;
      const cli = makeProductCli(
        () => home,
        () => ({ ...env, ONCEBITTEN_NO_DAEMON: '1' }),
      );
      const { sessions } = (await cli('scan', '--home', join(home, '.oncebitten'))) as { readonly sessions: number };
      const processes = await listProcesses(run);
      await server.close();
      return {
        ...{ answer, requests: server.requests.filter(({ route }) => route === 'main'), log: readLog(log) },
        scanned: sessions,
        leftovers: { processes, folders: listFolders().filter((folder) => !before.includes(folder)) },
      };
    },
    async runOrdinary() {
      const { home, log, server, env } = await open([{ text: 'done' }], false);
      if (client.agent === 'codex') await rig.trustHooks(join(home, '.codex'), home);
      const child = spawn(join(bin, client.program), client.ordinary, {
        cwd: home,
        env,
        stdio: 'ignore',
        detached: true,
      });
      const exited = new Promise((done) => child.once('exit', done));
      await Promise.race([exited, sleep(PATIENCE_MS)]);
      if (child.pid !== undefined) await promisify(execFile)('kill', ['-9', '--', `-${child.pid}`]).catch(() => {});
      await server.close();
      return readLog(log);
    },
    close() {
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      rmSync(EVIL_FILE, { force: true });
    },
  };
}

/** The addresses stay: without them a client would leave the machine. */
function dropLogin(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => !/KEY|COPILOT_(?:OFFLINE|PROVIDER|MODEL)/.test(name));
  const nowhere = 'http://127.0.0.1:9';
  return { ...Object.fromEntries(kept), HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere };
}

function readLog(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replaceAll('\n', ' ') : '';
}

function listFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('oncebitten-ask-'));
}

/** Kills the program, and only it, once its model has been asked. */
async function killOnce(run: string, server: { readonly requests: readonly unknown[] }): Promise<void> {
  for (let tries = 0; tries < 600 && server.requests.length === 0; tries++) await sleep(50);
  const [first] = await listProcesses(run, 0);
  if (first !== undefined) process.kill(Number(first), 'SIGKILL');
}

/** The ids of the processes of a run. A process that was killed is there until its parent takes note. */
async function listProcesses(run: string, patience = 20): Promise<readonly string[]> {
  for (;;) {
    const found = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOfRun(pid, run));
    if (found.length === 0 || patience-- <= 0) return found;
    await sleep(100);
  }
}

function isOfRun(pid: string, run: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${RUN}=${run}`);
  } catch {
    return false;
  }
}
