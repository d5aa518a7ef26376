/**
 * Finds an agent on this machine: its settings file (whether or not it exists yet), its home folder, which an
 * environment variable may move, its program on the PATH, and the folder of `--project`. In a project it is the
 * personal settings file, because a file that a team shares through git must not start a program that only one of them
 * has.
 */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { AgentFacts } from '../../base/contracts/agent-adapter.ts';
import { UserError } from '../../base/errors.ts';

interface SettingsPlace {
  readonly facts: AgentFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** A project folder: its settings instead of the user's. */
  readonly project?: string | undefined;
}

export function findSettingsFile({ facts, env, home, project }: SettingsPlace): string {
  if (project !== undefined) return join(project, facts.home.folder, facts.hooks.ownSettingsFile);
  return join(toAgentHome({ facts, env, home }), facts.hooks.settingsFile);
}

export function toAgentHome({ facts, env, home }: Omit<SettingsPlace, 'project'>): string {
  // Agents take an empty variable for an absent one.
  return env[facts.home.env] || join(home, facts.home.folder);
}

/**
 * Fails where nothing shows that the agent is on this machine: settings for somebody who does not have it would only
 * leave a folder behind. Its home folder shows it, or its program on the PATH.
 */
export function checkAgentPresent(place: Omit<SettingsPlace, 'project'>): void {
  const { facts, env } = place;
  const folder = toAgentHome(place);
  if (existsSync(folder) || findProgram(facts.program.name, env.PATH) !== undefined) return;
  throw new UserError({
    subject: facts.name,
    reason: `does not seem to be installed: there is no ${folder} and no \`${facts.program.name}\` on the PATH`,
    next: `start ${facts.name} once, then run the command again; or prepare its settings anyway: oncebitten install ${facts.id} --force`,
  });
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
    reason: 'is no folder',
    next: 'name the folder of a project, or leave it out to mean this one: --project',
  });
}
