/** What runs here: our version, the Node of the command line and of the hook, the agents. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { findDist, readBuildVersion } from '../../../loop/home/program-files.ts';
import { findMove, mendStarters } from '../../daemon/deploy-app.ts';
import { readShim } from '../../hook/render-shim.ts';
import { findProgram } from '../../install/agent-place.ts';
import { findNode, isNodeNewEnough, NEEDED_NODE } from '../../launch/find-node.ts';
import type { CommandInput } from '../command.ts';
import { advice, bad, type Check, checkThat, type Finding, ok } from './check.ts';

/** How long to wait for an agent's version: the agent may start slowly, ask for something or hang. */
const PATIENCE_MS = 3_000;

export async function checkVersions(input: CommandInput): Promise<readonly Check[]> {
  const { home, env } = input;
  // First, so that the other checks see the new paths.
  const place = existsSync(home.hookFile) ? await checkPlace(input) : [];
  const checks = [
    checkThat('Oncebitten', () => `version ${readBuildVersion()}`),
    checkThat('Node', () => judgeNode(process.versions.node)),
    ...(existsSync(home.hookFile) ? [checkThat('Node of the hook', () => checkHookNode(input))] : []),
    ...INSTALLS.map((agent) => checkThat(agent.facts.name, () => checkAgent(agent, env))),
  ];
  return [...place, ...(await Promise.all(checks))];
}

/** Silent where the data directory is still where it was installed. */
async function checkPlace({ home }: CommandInput): Promise<readonly Check[]> {
  const movedFrom = findMove(home);
  if (movedFrom === undefined) return [];
  const check = await checkThat('moved data directory', () => {
    mendStarters(home);
    const detail = `moved from ${movedFrom} to ${home.dir}; the hook and the command use the new path from now on`;
    // The path is the identity of such a folder, so nothing proves that the old and the new one are the same.
    const next =
      'if folders without a git remote moved, too, give each its lessons back: oncebitten data projects join <old folder> <new folder>';
    return { state: 'ok', detail, next, data: { movedFrom } };
  });
  return [check];
}

function judgeNode(version: string): Finding {
  const detail = `version ${version}`;
  if (isNodeNewEnough(version)) return ok(detail);
  return bad(detail, `use Node ${NEEDED_NODE} or newer`);
}

/** The daemon runs on it too, when a hook starts it. A Node that is gone is replaced by the one that runs this command. */
function checkHookNode({ home, env, cwd }: CommandInput): Finding {
  const next = 'run, with the Node you want it to use: oncebitten daemon start';
  const given = readShim(home.hookFile)?.node;
  if (given === undefined) return bad(`${home.hookFile} was not written by Oncebitten`, next);
  if (mendStarters(home).goneNode !== undefined) {
    const detail = `${given} is gone; the hook uses ${process.execPath} from now on`;
    return ok(detail, { mended: true, node: process.execPath });
  }
  const version = askVersion(given, env)?.replace(/^v/, '');
  if (version === undefined) return bad(`${given} does not run`, next);
  const detail = `version ${version}, ${given}`;
  if (!isNodeNewEnough(version)) return bad(`${detail}, too old to run the daemon`, next);
  const dist = findDist();
  if (!given.startsWith(`${dirname(dist)}${sep}`) || findNode(dist, cwd) !== undefined) return ok(detail);
  return advice(
    `${detail}. It is the only Node ${NEEDED_NODE} or newer here: when that folder is deleted, nothing new is learned`,
    `install Node ${NEEDED_NODE} or newer before you delete it`,
  );
}

function checkAgent({ program: { name, seenVersion } }: AgentInstall, env: NodeJS.ProcessEnv): Finding {
  const file = findProgram(name, env.PATH);
  if (file === undefined) return ok(`\`${name}\` is not on the PATH, so there is no version to check`);
  const version = /\d+(?:\.\d+)+/.exec(askVersion(file, env) ?? '')?.[0];
  if (version === undefined) {
    const seconds = PATIENCE_MS / 1000;
    return advice(`${file} did not report its version within ${seconds} s`, `try: ${name} --version`);
  }
  const data = { version, seenVersion, file };
  if (!isOlder(version, seenVersion)) return ok(`version ${version}`, data);
  const detail = `version ${version}; Oncebitten was tested with ${seenVersion}`;
  return advice(detail, `if something does not work, update ${name}`, data);
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
