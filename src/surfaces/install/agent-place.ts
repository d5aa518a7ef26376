/**
 * Finds an agent on this machine: its settings file (whether or not it exists yet), its home folder, which an
 * environment variable may move, its program on the PATH, and the folder of `--project`. In a project it is the
 * personal settings file, because a file that a team shares through git must not start a program that only one of them
 * has.
 */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { toSettingsHome } from '../../agents/agents.ts';
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { UserError } from '../../base/errors.ts';

interface SettingsPlace {
  readonly agent: AgentInstall;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** A project folder: its settings instead of the user's. */
  readonly project?: string | undefined;
}

export function findSettingsFile({ agent, env, home, project }: SettingsPlace): string {
  if (project !== undefined) return join(project, toProjectFolder(agent), agent.hooks.projectFile);
  return join(toSettingsHome(agent.facts, { env, home }), agent.hooks.userFile);
}

/** The folder of a project in which the agent looks for hooks. */
export function toProjectFolder({ facts, hooks }: AgentInstall): string {
  return hooks.projectFolder ?? facts.home.folder;
}

/**
 * Fails where nothing shows that the agent is on this machine: settings for somebody who does not have it would only
 * leave a folder behind. Its home folder shows it, or its program on the PATH.
 */
export function checkAgentPresent(place: Omit<SettingsPlace, 'project'>): void {
  const { agent } = place;
  if (isAgentPresent(place)) return;
  const folder = toSettingsHome(agent.facts, place);
  throw new UserError({
    subject: agent.facts.name,
    reason: `does not seem to be installed: there is no ${folder} and no \`${agent.program.name}\` on the PATH`,
    next: `start ${agent.facts.name} once, then run the command again; or prepare its settings anyway: oncebitten install ${agent.facts.id} --force`,
  });
}

export function isAgentPresent({ agent, env, home }: Omit<SettingsPlace, 'project'>): boolean {
  return (
    existsSync(toSettingsHome(agent.facts, { env, home })) || findProgram(agent.program.name, env.PATH) !== undefined
  );
}

/** Where a program is on the PATH, found without running anything. Relative folders would lead into a project. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The folder that `--project [dir]` names; undefined without the option. A folder that is not there is a slip. */
export function findProject(given: unknown, cwd: string): string | undefined {
  if (given === undefined) return undefined;
  const folder = typeof given === 'string' ? resolve(cwd, given) : cwd;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UserError({
    subject: folder,
    reason: 'is not a folder',
    next: 'name the folder of a project; for the current folder, give --project without a value',
  });
}
