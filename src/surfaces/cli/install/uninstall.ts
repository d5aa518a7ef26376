/**
 * `oncebitten uninstall`: removes the hooks of an agent. When no agent has hooks any more, the daemon is stopped, because
 * it would go on reading sessions.
 */

import { homedir } from 'node:os';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { UserError } from '../../../base/errors.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { stopDaemon } from '../../daemon/control-daemon.ts';
import { findProject, findSettingsFile } from '../../install/agent-place.ts';
import { uninstallCommands } from '../../install/command-files.ts';
import { type UninstalledHooks, uninstallHooks } from '../../install/install-hooks.ts';
import { listHooked } from '../../install/installed-hooks.ts';
import { getInstall } from '../arguments/agents.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { joinLines, quoteWord } from '../text.ts';
import { type Done, describeFaults, findMany, listConnected, pickAgents, runEach, toListing } from './found-agents.ts';
import { checkServerOptions, isServerLast, uninstallServer } from './mcp-server.ts';

const RESTORED: Readonly<Record<UninstalledHooks['restored'], string>> = {
  bytes: 'is byte for byte as it was before the installation',
  edited: 'keeps your changes; only the hooks of Oncebitten were removed',
  deleted: 'was created by Oncebitten, and has been deleted',
  nothing: 'contains no hooks of Oncebitten',
};

export const run: Handler = async (input) => {
  const many = findMany(input, 'uninstall');
  checkServerOptions(input);
  const isServerOnly = input.options.mcp === true;
  const uninstall = (agent: AgentInstall): Done & { readonly changed: boolean } =>
    isServerOnly ? uninstallServer(input, agent.facts) : uninstallAgent(input, agent);
  if (many === undefined) {
    const { changed, ...done } = uninstall(getInstall(input.arguments[0] ?? ''));
    return isServerOnly && isStillUsed(input) ? done : end(input, done, changed);
  }
  const found = listConnected(input);
  const agents = await pickAgents(input, found, many, (name) => `Disconnect ${name}?`);
  if (agents.length === 0)
    return toListing(
      found,
      'uninstall',
      listHooked(input).map(({ place }) => place),
    );
  const done = await runEach(agents, uninstall);
  return isServerOnly && isStillUsed(input) ? done : end(input, done, true);
};

/** By the hooks or the MCP server of any agent. */
function isStillUsed(input: CommandInput): boolean {
  return listHooked(input).length + listConnected(input).length > 0;
}

/** What was installed last goes first, so that a file with both gets its bytes back. */
function uninstallAgent(input: CommandInput, agent: AgentInstall) {
  if (input.options.project !== undefined) return uninstallAgentHooks(input, agent);
  const isServerFirst = isServerLast(input, agent.facts);
  const first = isServerFirst ? uninstallServer(input, agent.facts) : undefined;
  const hooks = uninstallAgentHooks(input, agent);
  const server = first ?? uninstallServer(input, agent.facts);
  return {
    json: { ...hooks.json, mcp: server.json },
    text: server.changed ? `${hooks.text}\n${server.text}` : hooks.text,
    changed: hooks.changed,
    failed: hooks.failed,
  };
}

function uninstallAgentHooks({ home, options, env, cwd }: CommandInput, agent: AgentInstall) {
  const project = findProject(options.project, cwd);
  const settingsFile = findSettingsFile({ agent, env, home: homedir(), project });
  const place = { agentId: agent.facts.id, env, home: homedir(), record: home.installDir };
  // The commands first: the record of the hooks knows whether the folder of the agent is ours.
  const { removed: removedFiles = [], faults = [] } = project === undefined ? uninstallCommands(place) : {};
  const result = uninstallHooks({ agent, settingsFile, record: home.installDir });
  const scope = project === undefined ? 'user' : 'project';
  return {
    json: { agent: agent.facts.id, scope, settingsFile, ...result, removedFiles, ...describeFaults(faults).json },
    text: joinLines([
      `${settingsFile} ${RESTORED[result.restored]}.`,
      removedFiles.length > 0 && `Removed the commands of Oncebitten:\n  ${removedFiles.join('\n  ')}`,
      ...describeFaults(faults).lines,
    ]),
    changed: result.changed,
    failed: faults.length > 0,
  };
}

async function end(input: CommandInput, done: Done, wereThere: boolean): Promise<CommandResult> {
  const { text, failed, ...daemon } = await endDaemon(input, wereThere);
  return {
    json: { ...done.json, ...daemon },
    text: [done.text, ...text].join('\n'),
    failed: failed || done.failed === true,
  };
}

interface Ended {
  readonly daemon: 'stopped' | 'not running' | 'goes on' | 'still there';
  /** Where our hooks still are. */
  readonly stillIn: readonly string[];
  readonly text: readonly string[];
  readonly failed: boolean;
}

async function endDaemon(input: CommandInput, wereThere: boolean): Promise<Ended> {
  const { home } = input;
  const places = listHooked(input);
  const stillIn = places.map(({ place }) => place);
  if (places.length > 0) {
    const whom = places.map(({ name, place }) => `${name} (${place})`).join(', ');
    const text = [
      `The daemon keeps running, because hooks of Oncebitten are still installed: ${whom}.`,
      `Your lessons and recorded calls stay in ${home.dir}.`,
    ];
    return { daemon: 'goes on', stillIn, text, failed: false };
  }
  const kept = renderKept(input);
  try {
    const isStopped = (await stopDaemon(home)) !== undefined;
    const ended = isStopped
      ? 'No agent has hooks of Oncebitten any more, so the daemon was stopped. Nothing is read or captured now.'
      : 'No agent has hooks of Oncebitten any more, and the daemon is not running. Nothing is read or captured now.';
    // Agents may read their settings once, at the start of a session, and a hook starts the daemon it misses.
    const open = wereThere
      ? ['A session that is open now may still run the hooks, and start the daemon again, until it ends.']
      : [];
    const text = [ended, ...open, kept];
    return { daemon: isStopped ? 'stopped' : 'not running', stillIn, text, failed: false };
  } catch (error) {
    // The hooks were removed, so report that, too.
    if (!(error instanceof UserError)) throw error;
    const text = [`BUT ${error.subject} ${error.reason}. Next: ${error.next}`, kept];
    return { daemon: 'still there', stillIn, text, failed: true };
  }
}

function renderKept({ home, env }: CommandInput): string {
  const rest = `To delete them: ${isElsewhere(home.configFile, env) ? 'oncebitten data forget --all, then ' : ''}rm -r ${quoteWord(home.dir)}`;
  return `Your lessons and recorded calls stay in ${home.dir}. ${rest}`;
}

/** A store in PostgreSQL does not go with the folder. */
function isElsewhere(configFile: string, env: NodeJS.ProcessEnv): boolean {
  try {
    return readSettings(configFile, env).store.url !== '';
  } catch {
    return false;
  }
}
