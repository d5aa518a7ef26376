/** What runs here: our version, the Node of the command line and of the hook, the agents. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '../../../agents/agents.ts';
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import { findProgram } from '../../find-program.ts';
import { isNodeNewEnough, NEEDED_NODE } from '../../is-node-new-enough.ts';
import { findPackageRoot, readBuildVersion } from '../../package-root.ts';
import type { CommandInput } from '../command.ts';
import { type Check, checkThat, type Finding } from './check.ts';
import { readShim } from './read-shim.ts';

/** An agent may start slowly, ask for something or hang: it is asked its version, not waited for. */
const PATIENCE_MS = 3_000;

export async function checkVersions({ home, env }: CommandInput): Promise<readonly Check[]> {
  const checks = [
    checkThat('Oncebitten', () => `version ${readBuildVersion(join(findPackageRoot(), 'dist'))}`),
    checkThat('Node', () => judgeNode(process.versions.node)),
    ...(existsSync(home.hookFile) ? [checkThat('Node of the hook', () => checkHookNode(home.hookFile, env))] : []),
    ...AGENTS.map(({ facts }) => checkThat(facts.name, () => checkAgent(facts, env))),
  ];
  return Promise.all(checks);
}

function judgeNode(version: string): Finding {
  const detail = `version ${version}`;
  if (isNodeNewEnough(version)) return { state: 'ok', detail };
  return { state: 'bad', detail, next: `use Node ${NEEDED_NODE} or newer` };
}

/** The daemon runs on it too, when a hook starts it. */
function checkHookNode(hookFile: string, env: NodeJS.ProcessEnv): Finding {
  const next = 'run, with the Node you want it to use: oncebitten daemon start';
  const given = readShim(hookFile)?.node;
  if (given === undefined) return { state: 'bad', detail: `${hookFile} is not the one we wrote`, next };
  const file = existsSync(given) ? given : findProgram('node', env.PATH);
  if (file === undefined) return { state: 'bad', detail: `${given} is gone, and there is no other on the PATH`, next };
  const version = askVersion(file, env)?.replace(/^v/, '');
  if (version === undefined) return { state: 'bad', detail: `${file} does not run`, next };
  const detail = `version ${version}, ${file}`;
  if (!isNodeNewEnough(version)) return { state: 'bad', detail: `${detail}, cannot run the daemon`, next };
  return file === given ? { state: 'ok', detail } : { state: 'advice', detail: `${detail}; ${given} is gone`, next };
}

function checkAgent({ program: { name, seenVersion } }: AgentFacts, env: NodeJS.ProcessEnv): Finding {
  const file = findProgram(name, env.PATH);
  if (file === undefined) return { state: 'ok', detail: `\`${name}\` is not on the PATH here` };
  const version = /\d+(?:\.\d+)+/.exec(askVersion(file, env) ?? '')?.[0];
  if (version === undefined) {
    const seconds = PATIENCE_MS / 1000;
    return {
      state: 'advice',
      detail: `${file} did not tell its version within ${seconds} s`,
      next: `try: ${name} --version`,
    };
  }
  const data = { version, seenVersion, file };
  if (!isOlder(version, seenVersion)) return { state: 'ok', detail: `version ${version}`, data };
  const detail = `version ${version}; Oncebitten was tried with ${seenVersion}`;
  return { state: 'advice', detail, next: `update ${name} if something is missing`, data };
}

function askVersion(file: string, env: NodeJS.ProcessEnv): string | undefined {
  const { status, stdout } = spawnSync(file, ['--version'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  return status === 0 ? stdout.trim() : undefined;
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  const i = (b ?? []).findIndex((part, n) => (a?.[n] ?? 0) !== part);
  return i >= 0 && (a?.[i] ?? 0) < (b?.[i] ?? 0);
}
