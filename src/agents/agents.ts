/**
 * The coding agents that we know: one folder and one row each. The lists in `hooks.ts`, `installs.ts`,
 * `in-process.ts`, `histories.ts`, `headless.ts`, `commands.ts` and `mcp-clients.ts` say what each of them supports.
 */
import { join } from 'node:path';
import type { AgentFacts } from '../base/contracts/agent-facts.ts';
import { facts as claudeCode } from './claude-code/facts.ts';
import { facts as codex } from './codex/facts.ts';
import { facts as copilot } from './copilot/facts.ts';
import { facts as cursor } from './cursor/facts.ts';
import { facts as gemini } from './gemini/facts.ts';
import { facts as mcp } from './mcp/facts.ts';
import { facts as opencode } from './opencode/facts.ts';
import { facts as vscode } from './vscode/facts.ts';

/** The agents of `histories.ts`, for help texts that must not load the readers of their sessions. */
export const SCANNED_AGENTS: readonly AgentFacts[] = [claudeCode, codex, opencode, gemini, copilot];

export const AGENTS: readonly AgentFacts[] = [claudeCode, codex, opencode, gemini, copilot, cursor, vscode];

/** The clients of `reporters.ts`, which are on no machine. */
export const REPORTING_AGENTS: readonly AgentFacts[] = [mcp];

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/** The folder of the agent's settings on this machine. */
export function toSettingsHome(facts: AgentFacts, machine: Machine): string {
  const { inside = '', ...config } = facts.config ?? facts.home;
  return join(toAgentHome({ ...facts, home: config }, machine), inside);
}

/** The agent's home folder on this machine. */
export function toAgentHome({ home: own }: AgentFacts, { env, home }: Machine): string {
  // Agents treat an empty variable as absent.
  const named = own.env && env[own.env];
  if (!named) return join(home, own.folder);
  return own.isParent ? join(named, own.folder) : named;
}
