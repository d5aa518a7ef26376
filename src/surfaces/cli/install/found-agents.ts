/**
 * `install` and `uninstall` without the name of an agent: the agents that they are about, what each of them gets, and which
 * of them the user picks. Without a terminal nobody can be asked, so they only list the agents, unless `--all` is given.
 */

import { homedir } from 'node:os';
import { findAdapter } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { UserError } from '../../../base/errors.ts';
import { dropAbsent } from '../../../base/records.ts';
import { DaemonError } from '../../daemon/silent-daemon.ts';
import { findSettingsFile, isAgentPresent } from '../../install/agent-place.ts';
import { describeDelivery } from '../../install/describe-capabilities.ts';
import { toHookFile } from '../../install/hook-command.ts';
import { listHooked, mayHaveHooks, readInstalledHooks } from '../../install/installed-hooks.ts';
import { saysYes } from '../arguments/options.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { findDiskError, usageError, userError } from '../errors.ts';
import { findServerFile } from './mcp-server.ts';

export interface FoundAgent {
  readonly agent: AgentInstall;
  readonly settingsFile: string;
  readonly isInstalled: boolean;
  /** The settings file with our MCP server. Absent: none has it. */
  readonly serverFile?: string;
  /** It is listed because of what it has, not of what it would get. */
  readonly isConnected?: true;
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
  if (options.mcp === true && options.all !== true)
    throw usageError('--mcp', 'needs the name of an agent, or --all', `oncebitten ${verb} <agent> --mcp`);
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

/** The agents whose user settings have our hooks or our MCP server. */
export function listConnected(input: CommandInput): readonly FoundAgent[] {
  const ids = new Set(listHooked(input).map(({ agent }) => agent));
  return INSTALLS.map((agent) => ({ ...toFound(agent, input), isConnected: true as const })).filter(
    ({ agent: { facts }, isInstalled, serverFile }) => (ids.has(facts.id) && isInstalled) || serverFile !== undefined,
  );
}

function toFound(agent: AgentInstall, input: CommandInput): FoundAgent {
  const { env, home } = input;
  const settingsFile = findSettingsFile({ agent, env, home: homedir() });
  const { capabilities } = findAdapter(agent.facts.id) ?? {};
  const gets = capabilities === undefined ? {} : describeDelivery(capabilities);
  const serverFile = findServerFile(agent.facts.id, input);
  const found = { agent, settingsFile, isInstalled: isInstalled(agent, settingsFile, home.dir), gets };
  return { ...found, ...dropAbsent({ serverFile }) };
}

/** A file that cannot be read is reported by the command itself. */
function isInstalled(agent: AgentInstall, settingsFile: string, dataDir: string): boolean {
  try {
    const question = { agent, settingsFile, hookFile: toHookFile(dataDir, homedir()) };
    return readInstalledHooks(question).missing.length < agent.hooks.events.length;
  } catch {
    return mayHaveHooks(settingsFile);
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
export function toListing(found: readonly FoundAgent[], verb: Verb, elsewhere: readonly string[] = []): CommandResult {
  const [first] = found;
  const next =
    first === undefined
      ? renderNobody(elsewhere)
      : `Nothing was changed. To ${verb} one: oncebitten ${verb} ${first.agent.facts.id}. All of them: oncebitten ${verb} --all`;
  return { json: { found: found.map(toJson), done: [] }, text: first ? `${renderFound(found)}\n\n${next}` : next };
}

/** `elsewhere`: the settings files of projects that have our hooks. */
function renderNobody(elsewhere: readonly string[]): string {
  if (elsewhere.length === 0) return 'No agent has the hooks or the MCP server of Oncebitten.';
  return [
    'No agent has the hooks or the MCP server of Oncebitten in your own settings. These files of projects have the hooks:',
    ...elsewhere.map((place) => `  ${place}`),
    'Remove them: oncebitten uninstall <agent> --project <folder of the project>',
  ].join('\n');
}

function toJson({ agent: { facts }, settingsFile, isInstalled: installed, serverFile, gets }: FoundAgent) {
  return { agent: facts.id, name: facts.name, settingsFile, installed, ...dropAbsent({ serverFile }), gets };
}

function renderFound(found: readonly FoundAgent[]): string {
  return found.flatMap(renderOne).join('\n');
}

function renderOne(found: FoundAgent): readonly string[] {
  const { facts } = found.agent;
  const { settingsFile, isInstalled: installed, serverFile, isConnected = false, gets } = found;
  const has = [
    ...(installed ? [`${facts.name} (${facts.id}) has the hooks of Oncebitten in ${settingsFile}`] : []),
    ...(serverFile === undefined
      ? []
      : [`${facts.name} (${facts.id}) has the MCP server of Oncebitten in ${serverFile}`]),
  ];
  if (installed || isConnected) return has;
  return [
    ...has,
    `${facts.name} (${facts.id}) would get hooks in ${settingsFile}`,
    ...Object.entries(gets).map(([what, words]) => `    ${what}: ${words}`),
  ];
}

export interface Done {
  readonly json: object;
  readonly text: string;
  /** For at least one agent, it could not be done. */
  readonly failed?: boolean;
}

/**
 * One after the other, because each changes files of the same data directory. If it cannot be done for one agent, the
 * others still get it, and the report says so of each.
 */
export async function runEach(
  agents: readonly AgentInstall[],
  run: (agent: AgentInstall) => Promise<Done> | Done,
): Promise<Done> {
  const done: Done[] = [];
  for (const [n, agent] of agents.entries())
    try {
      done.push(await run(agent));
    } catch (error) {
      const known = error instanceof UserError ? error : findDiskError(error);
      if (known === undefined) throw error;
      done.push(toRefused(agent, known));
      if (!(known instanceof DaemonError)) continue;
      // It would be the same for the others, each after the same wait.
      done.push(...agents.slice(n + 1).map((one) => toRefused(one, known, 'NOT DONE, for the same reason.')));
      break;
    }
  return {
    json: { done: done.map(({ json }) => json) },
    text: done.map(({ text }) => text).join('\n\n'),
    failed: done.some(({ failed }) => failed === true),
  };
}

function toRefused(
  { facts }: AgentInstall,
  { subject, reason, next }: UserError,
  words = `NOT DONE. ${subject}: ${reason}\n  next: ${next}`,
): Done {
  return {
    json: { agent: facts.id, error: { subject, reason, next } },
    text: `${facts.name}: ${words}`,
    failed: true,
  };
}

/** What could not be done beside the rest. */
export function describeFaults(faults: readonly UserError[]) {
  return {
    json: faults.length === 0 ? {} : { faults: faults.map(({ subject, reason, next }) => ({ subject, reason, next })) },
    lines: faults.map(({ subject, reason, next }) => `BUT ${subject} ${reason}. Next: ${next}`),
  };
}
