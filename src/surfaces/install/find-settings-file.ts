/**
 * Where an agent's settings file is (whether or not it is there yet): in the agent's home folder, which an environment
 * variable may move, or in a project. There it is the file that is one person's own: what a team shares through git
 * must not start a program that only one of them has.
 */
import { join } from 'node:path';
import type { AgentFacts } from '../../base/agent-adapter.ts';

export interface SettingsPlace {
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
