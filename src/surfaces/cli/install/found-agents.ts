/**
 * `install` and `uninstall` without the name of an agent: the agents that they are about, what each of them gets, and which
 * of them the user picks. Without a terminal nobody can be asked, so they only list the agents, unless `--all` is given.
 */

import { homedir } from 'node:os';
import { findAdapter } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { findSettingsFile, isAgentPresent } from '../../install/agent-place.ts';
import { describeDelivery } from '../../install/describe-capabilities.ts';
import { toHookFile } from '../../install/hook-command.ts';
import { listHooked, readInstalledHooks } from '../../install/installed-hooks.ts';
import { saysYes } from '../arguments/options.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { usageError, userError } from '../errors.ts';

export interface FoundAgent {
  readonly agent: AgentInstall;
  readonly settingsFile: string;
  readonly isInstalled: boolean;
  /** What the agent gets, in words. */
  readonly gets: Readonly<Record<string, string>>;
}

type Verb = 'install' | 'uninstall';

/** Undefined if the user names one agent, and then everything is about that one. */
export function findMany({ arguments: [id], options }: CommandInput, verb: Verb): 'all' | 'picked' | undefined {
  if (id !== undefined && options.all === true)
    throw usageError('--all', `contradicts the agent ${id}`, `give one of them: oncebitten ${verb} --all`);
  if (id !== undefined) return undefined;
  if (options.plugin === true)
    throw usageError('--plugin', 'needs the name of an agent', `oncebitten ${verb} <agent> --plugin`);
  return options.all === true ? 'all' : 'picked';
}

/** The agents on this machine. */
export function listPresent(input: CommandInput): readonly FoundAgent[] {
  const found = INSTALLS.filter((agent) => isAgentPresent({ agent, env: input.env, home: homedir() }));
  if (found.length > 0) return found.map((agent) => toFound(agent, input));
  const names = INSTALLS.map(({ facts }) => facts.name).join(', ');
  throw userError(
    'coding agents',
    `none was found on this machine (${names})`,
    'start one once, then run the command again; or name it: oncebitten install <agent> --force',
  );
}

/** The agents whose user settings have our hooks. */
export function listConnected(input: CommandInput): readonly FoundAgent[] {
  const ids = new Set(listHooked(input).map(({ agent }) => agent));
  return INSTALLS.filter(({ facts }) => ids.has(facts.id))
    .map((agent) => toFound(agent, input))
    .filter(({ isInstalled }) => isInstalled);
}

function toFound(agent: AgentInstall, { env, home }: CommandInput): FoundAgent {
  const settingsFile = findSettingsFile({ agent, env, home: homedir() });
  const { capabilities } = findAdapter(agent.facts.id) ?? {};
  const gets = capabilities === undefined ? {} : describeDelivery(capabilities);
  return { agent, settingsFile, isInstalled: isInstalled(agent, settingsFile, home.dir), gets };
}

/** A file that cannot be read is reported by the command itself. */
function isInstalled(agent: AgentInstall, settingsFile: string, dataDir: string): boolean {
  try {
    const question = { agent, settingsFile, hookFile: toHookFile(dataDir, homedir()) };
    return readInstalledHooks(question).missing.length < agent.hooks.events.length;
  } catch {
    return true;
  }
}

/** Those that the user picks: all of them with `--all`, by a question each in a terminal, else none. */
export async function pickAgents(
  input: CommandInput,
  found: readonly FoundAgent[],
  how: 'all' | 'picked',
  toQuestion: (name: string) => string,
): Promise<readonly AgentInstall[]> {
  const agents = found.map(({ agent }) => agent);
  const { ask } = input;
  if (how === 'all' || ask === undefined) return how === 'all' ? agents : [];
  const picked: AgentInstall[] = [];
  for (const [n, agent] of agents.entries()) {
    const question = toQuestion(agent.facts.name);
    const text = n === 0 ? `${renderFound(found)}\n\n${question}` : question;
    if (await saysYes({ ask }, text)) picked.push(agent);
  }
  return picked;
}

/** The list alone, if nothing was picked. */
export function toListing(found: readonly FoundAgent[], verb: Verb): CommandResult {
  const [first] = found;
  const next =
    first === undefined
      ? 'No agent has the hooks of Oncebitten.'
      : `Nothing was changed. To ${verb} one: oncebitten ${verb} ${first.agent.facts.id}. All of them: oncebitten ${verb} --all`;
  return { json: { found: found.map(toJson), done: [] }, text: first ? `${renderFound(found)}\n\n${next}` : next };
}

function toJson({ agent: { facts }, settingsFile, isInstalled: installed, gets }: FoundAgent) {
  return { agent: facts.id, name: facts.name, settingsFile, installed, gets };
}

function renderFound(found: readonly FoundAgent[]): string {
  return found.flatMap(renderOne).join('\n');
}

function renderOne({ agent: { facts }, settingsFile, isInstalled: installed, gets }: FoundAgent): readonly string[] {
  if (installed) return [`${facts.name} (${facts.id}) has the hooks of Oncebitten in ${settingsFile}`];
  return [
    `${facts.name} (${facts.id}) would get hooks in ${settingsFile}`,
    ...Object.entries(gets).map(([what, words]) => `    ${what}: ${words}`),
  ];
}

export interface Done {
  readonly json: object;
  readonly text: string;
}

/** One after the other, because each changes files of the same data directory. */
export async function runEach(
  agents: readonly AgentInstall[],
  run: (agent: AgentInstall) => Promise<Done> | Done,
): Promise<Done> {
  const done: Done[] = [];
  for (const agent of agents) done.push(await run(agent));
  return { json: { done: done.map(({ json }) => json) }, text: done.map(({ text }) => text).join('\n\n') };
}
