/**
 * Where an agent's settings file is (whether or not it is there yet): in the agent's home folder, which an environment
 * variable may move, or in a project.
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
  if (project !== undefined) return join(project, facts.home.folder, facts.hooks.settingsFile);
  // Agents take an empty variable for an absent one.
  const agentHome = env[facts.home.env] || join(home, facts.home.folder);
  return join(agentHome, facts.hooks.settingsFile);
}
