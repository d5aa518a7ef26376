/**
 * Where the models of the real clients are asked: homes of a user who has hooks, instructions, a server of tools and a
 * provider of their own, each with a scripted model, and what a question leaves behind there.
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
import { openModel } from '../../src/loop/language-models/open-model.ts';
import type { LearnClient } from './learn-clients.ts';
import { makeProductCli } from './make-product-cli.ts';
import type { ModelRequest, ModelServer, Rig, Script, Turn } from './rig.ts';

export type Check = (what: string, ok: boolean, detail?: string) => void;

export const PROMPT = `<!-- ${PACK_MARKER} 1 -->\nFailures follow. Which lesson do they teach?\ne1: \`shipit --old\` failed\n`;
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { add: { type: 'array', maxItems: 60, items: { type: 'string', minLength: 1 } } },
  required: ['add'],
  additionalProperties: false,
};
export const PATIENCE_MS = 60_000;
export const EVIL_FILE = join(tmpdir(), `oncebitten-evil-${process.pid}`);

export interface AskHow {
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

/** Also of a home whose paths they name. */
type Routes = Script['routes'] | ((home: string) => Script['routes']);

export interface LearnStage {
  readonly client: LearnClient;
  readonly rig: Rig;
  /** On the PATH of all homes. */
  readonly bin: string;
  ask(turns: readonly Turn[], how?: AskHow): Promise<Asked>;
  /** A new home, with a scripted model. `isEmpty`: nobody has logged in there. */
  open(routes: Routes, isEmpty: boolean): Promise<OpenHome>;
  /** Runs the client itself, as a user does. */
  runClient(home: OpenHome, args: readonly string[], cwd?: string): Promise<void>;
  /** The log of a headless run that is not ours. */
  runOrdinary(): Promise<string>;
  close(): void;
}

export interface OpenHome {
  readonly home: string;
  readonly log: string;
  /** Names the processes of this home. */
  readonly run: string;
  readonly server: ModelServer;
  readonly env: Readonly<Record<string, string>>;
}

/** In the environment of every process of a run, so that those which are left can be found. */
const RUN = 'ONCEBITTEN_ACCEPT_RUN';

export function openLearnStage(rig: Rig, client: LearnClient): LearnStage {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-learn-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  // What is left behind must be ours, and not of another run on this machine.
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(root, 'tmp');
  mkdirSync(process.env.TMPDIR);
  symlinkSync(rig.bin, join(bin, client.program));
  let count = 0;

  const open = async (routes: Routes, isEmpty: boolean): Promise<OpenHome> => {
    const home = join(root, `home-${count}`);
    const log = join(root, `log-${count}`);
    const run = `${process.pid}-${count++}`;
    const server = await rig.startServer({ routes: typeof routes === 'function' ? routes(home) : routes });
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

  const runClient = async ({ home, env }: OpenHome, args: readonly string[], cwd = home): Promise<void> => {
    const child = spawn(join(bin, client.program), args, { cwd, env, stdio: 'ignore', detached: true });
    const exited = new Promise((done) => child.once('exit', done));
    await Promise.race([exited, sleep(PATIENCE_MS)]);
    if (child.pid !== undefined) await promisify(execFile)('kill', ['-9', '--', `-${child.pid}`]).catch(() => {});
  };

  return {
    ...{ client, rig, bin, open, runClient },
    async ask(turns, { deadlineMs = PATIENCE_MS, maxUsd, isKilled = false, isEmptyHome = false } = {}) {
      const { home, log, run, server, env } = await open([toRoute(turns)], isEmptyHome);
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
      const opened = await open([toRoute([{ text: 'done' }])], false);
      const { home, log, server } = opened;
      if (client.agent === 'codex') await rig.trustHooks(join(home, '.codex'), home);
      await runClient(opened, client.ordinary);
      await server.close();
      return readLog(log);
    },
    close() {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      rmSync(EVIL_FILE, { force: true });
    },
  };
}

function toRoute(turns: readonly Turn[]): Script['routes'][number] {
  const last = turns.at(-1);
  return { name: 'main', match: '.', noTools: true, turns, ...(last && { after: last }) };
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
export async function listProcesses(run: string, patience = 20): Promise<readonly string[]> {
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
