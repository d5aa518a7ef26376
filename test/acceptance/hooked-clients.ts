/** The clients that run our hooks, a row each, and the home of a user in which a real client runs a scripted story. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentCapabilities } from '../../src/base/contracts/agent-capabilities.ts';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import type { Checks } from './checks.ts';
import { toTexts } from './delivery-requests.ts';
import type { LearnClient } from './learn-clients.ts';
import type { LearnStage, OpenHome } from './learn-stage.ts';
import { makeProductCli, type ProductCli } from './make-product-cli.ts';
import type { ModelRequest, RigTool, Script, Turn } from './rig.ts';

export interface HookedClient {
  /** The file of the client that `install` changes, in the home. */
  readonly hooksFile: string;
  /** The user's own hooks, if they are in another file. */
  readonly userFile?: string;
  /** A call that fails in the tool itself, and so runs no shell. */
  readMissing?(file: string): RigTool;
  /** A call that gives a sub-agent a task, and waits for it. */
  toSubagent?(prompt: string): RigTool;
  /** What the user does so that the client runs new hooks. */
  consent?(stage: Stage): Promise<void>;
  /** How long the client's own session file may take to tell of a call. */
  readonly waitMs?: number;
  /** It loads our program into its own process. */
  readonly hasProgram?: true;
}

/** By the name in `LEARN_CLIENTS`. */
export const HOOKED_CLIENTS: Readonly<Record<string, HookedClient>> = {
  codex: { hooksFile: '.codex/hooks.json', consent: trustCodexHooks },
  gemini: {
    hooksFile: '.gemini/settings.json',
    readMissing: (file_path) => ({ name: 'read_file', input: { file_path } }),
    toSubagent: (prompt) => ({ name: 'invoke_agent', input: { agent_name: 'generalist', prompt } }),
  },
  opencode: {
    hooksFile: '.config/opencode/plugins/oncebitten.js',
    userFile: '.config/opencode/plugins/probe.js',
    readMissing: (filePath) => ({ name: 'read', input: { filePath } }),
    toSubagent: (prompt) => ({ name: 'task', input: { description: 'd', prompt, subagent_type: 'general' } }),
    hasProgram: true,
  },
  copilot: {
    hooksFile: '.copilot/hooks/oncebitten.json',
    userFile: '.copilot/hooks/probe.json',
    readMissing: (path) => ({ name: 'view', input: { path } }),
    toSubagent: (prompt) => ({
      name: 'task',
      input: { description: 'd', prompt, agent_type: 'general-purpose', name: 'helper', mode: 'sync' },
    }),
    // The daemon looks for new files of sessions every 20 seconds.
    waitMs: 90_000,
  },
};

/** Codex skips hooks until the user trusts them, which the rig does in place of the user's `/hooks`. */
async function trustCodexHooks(stage: Stage): Promise<void> {
  const { learn, home, project, session, checks } = stage;
  const { slug } = await teach(stage, '--untrusted', 'look');
  const { requests } = await session('UNTRUSTED');
  const isSilent = requests.length === 2 && !toTexts(requests.at(-1)).includes(slug);
  checks.check('before the user trusts them, Codex runs no hook of ours', isSilent);
  const name = 'settings of Codex CLI';
  const untrusted = await findDoctorCheck(stage, name);
  checks.check('doctor says that they are not trusted', untrusted?.state === 'bad', untrusted?.detail);
  await learn.rig.trustHooks(join(home, '.codex'), project);
  const trusted = await findDoctorCheck(stage, name);
  checks.check('and nothing once they are', trusted?.state === 'ok', trusted?.detail);
}

interface DoctorCheck {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
}

export async function listDoctorChecks({ cli }: Stage): Promise<readonly DoctorCheck[]> {
  // It ends with exit code 1 where a check is bad.
  const report = await cli('doctor').catch(({ stdout }) => JSON.parse(stdout));
  return (report as { readonly checks: readonly DoctorCheck[] }).checks;
}

async function findDoctorCheck(stage: Stage, name: string): Promise<DoctorCheck | undefined> {
  return (await listDoctorChecks(stage)).find((one) => one.name === name);
}

/** A lesson about an option of `./deploy`. */
export async function teach(
  { cli }: Stage,
  option: string,
  verb: string,
  more: readonly string[] = [],
): Promise<Lesson> {
  const words = ['--summary', `deploy ${verb} has no ${option}`, '--fix', `./deploy ${verb} --instead-of${option}`];
  return (await cli('lessons', 'add', ...words, '--program', `deploy ${verb}`, '--with', option, ...more)) as Lesson;
}

/** Each story has an option of its own, so that no story changes what another hears. */
const DEPLOY = `#!/bin/sh
for word; do
  [ "$word" = --fast ] && { echo 'error: unexpected argument --fast found' >&2; exit 2; }
  [ "$word" = --old ] && { echo 'unknown option: --old (did you mean --new?)' >&2; exit 1; }
done
echo "deployed $*" | tee -a ran.log
`;
export const WRONG = './deploy send --fast';
export const RIGHT = './deploy send --quick';
/** Longer than the limit of our hooks in any agent. */
const PATIENCE_MS = 60_000;

export interface Stage extends OpenHome {
  readonly checks: Checks;
  readonly learn: LearnStage;
  readonly client: LearnClient;
  readonly hooked: HookedClient;
  readonly can: AgentCapabilities;
  readonly project: string;
  readonly data: DataHome;
  readonly cli: ProductCli;
  /** Runs the story of this name. */
  session(name: string): Promise<Session>;
  /** What is stored, once `isDone` or after a while. */
  read(isDone: (kept: Kept) => boolean): Promise<Kept>;
  /** How `./deploy` was run since the last time this was asked. */
  takeRuns(): string;
}

export interface Kept {
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly Delivery[];
}

export interface Session {
  readonly code: number | null;
  readonly out: string;
  readonly requests: readonly ModelRequest[];
}

type Parts = Omit<Stage, 'project' | 'data' | 'cli' | 'session' | 'read' | 'takeRuns'>;

export function openStage(parts: Parts): Stage {
  const { home, env, server, client, hooked, learn } = parts;
  const project = toProject(home);
  mkdirSync(project);
  execFileSync('git', ['init', '-q', project], { env });
  writeFileSync(join(project, 'deploy'), DEPLOY);
  chmodSync(join(project, 'deploy'), 0o755);
  const data = toDataHome(join(home, '.oncebitten'));
  const list = async (): Promise<Kept> => {
    await askDaemon(data, 'flush');
    const store = await openSqliteStore(data.storeFile);
    try {
      return { calls: await store.listCalls({}), deliveries: await store.listDeliveries({}) };
    } finally {
      await store.close();
    }
  };
  return {
    ...{ ...parts, project, data },
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
      const until = Date.now() + (hooked.waitMs ?? 15_000);
      for (;;) {
        const kept = await list();
        if (isDone(kept) || Date.now() > until) return kept;
        await sleep(500);
      }
    },
    takeRuns() {
      const file = join(project, 'ran.log');
      const runs = existsSync(file) ? readFileSync(file, 'utf8').trim().replaceAll('deployed ', '') : '';
      rmSync(file, { force: true });
      return runs.replaceAll('\n', ', ');
    },
  };
}

/** The stories of the scripted model. `troubles`: their names. */
export function toRoutes(
  { toCall }: LearnClient,
  { readMissing, toSubagent }: HookedClient,
  troubles: readonly string[],
): (home: string) => Script['routes'] {
  return (home) => {
    const call = (command: string): Turn => ({ text: 'I go.', tools: [toCall(command)] });
    const file = join(toProject(home), 'missing.txt');
    const missing = readMissing === undefined ? [] : [{ text: 'I read.', tools: [readMissing(file)] }];
    const done = { text: 'All done.' };
    const trouble = [call('./deploy look --troubled'), call('echo told; exit 3'), ...missing, done];
    const helper = toSubagent === undefined ? [] : [{ text: 'I ask.', tools: [toSubagent('STORY-HELPER go')] }];
    const stories: Readonly<Record<string, readonly Turn[]>> = {
      UNTRUSTED: [call('./deploy look --untrusted'), done],
      TEACH: [call(`${WRONG} web`), call(`${RIGHT} web`), ...missing, done],
      CURE: [call(`${WRONG} api`), call(`${RIGHT} api`), done],
      AGAIN: [call(`${WRONG} app`), call(`${WRONG} app`), done],
      NOTE: [call('./deploy drop --noted 1'), call('./deploy drop --noted 2'), done],
      PAUSE: [call('./deploy wipe --paused x'), call('./deploy wipe --paused x'), done],
      ERROR: [...missing, call('echo next'), done],
      OPENING: [call('echo hello'), done],
      LEARN: [call('./deploy ship --old 1'), call('./deploy ship --new 1'), done],
      HELPED: [...helper, call('./deploy prune --helped main'), done],
      HELPER: [call('./deploy prune --helped sub'), done],
      REWRITE: [call('./deploy ship --old 2'), done],
      ...Object.fromEntries(troubles.map((name) => [name, trouble])),
    };
    const title = { name: 'title', match: 'title generator', noTools: true, turns: [{ text: 'A title' }] };
    const routes = Object.entries(stories).map(([name, turns]) => ({ name, match: `STORY-${name}\\b`, turns }));
    return [title, ...routes];
  };
}

function toProject(home: string): string {
  return join(home, 'project');
}
