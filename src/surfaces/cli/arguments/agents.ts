/**
 * Resolves the agents and session files that the user names with `--agent` and `--path`. An unknown agent is an error
 * that lists the known agents and says what Oncebitten can do for this one. Wrong values are refused before anything is
 * opened.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { AGENTS } from '../../../agents/agents.ts';
import { findHistory, HISTORIES } from '../../../agents/histories.ts';
import { ADAPTERS, findAdapter } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentAdapter } from '../../../base/contracts/agent-adapter.ts';
import type { AgentHistory } from '../../../base/contracts/agent-history.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import type { ScanPlaces } from '../../../loop/scan/scan-files.ts';
import type { CommandInput } from '../command.ts';
import { usageError, userError } from '../errors.ts';

/** The agent whose hooks a command is about; where the user names none, the first that we know. */
export function getAdapter(id = ADAPTERS[0]?.facts.id ?? ''): AgentAdapter {
  return findAdapter(id) ?? refuse(id);
}

export function getInstall(id: string): AgentInstall {
  return INSTALLS.find(({ facts }) => facts.id === id) ?? refuse(id);
}

function refuse(id: string): never {
  const known = INSTALLS.map(({ facts }) => facts.id).join(', ');
  if (!AGENTS.some((facts) => facts.id === id))
    throw usageError(`agent ${id}`, 'is not a known agent', `use one of: ${known}`);
  const scan = findHistory(id) === undefined ? '' : `read its sessions: oncebitten scan --agent ${id}; `;
  throw usageError(
    `agent ${id}`,
    'has no hooks of Oncebitten, so lessons cannot reach it',
    `${scan}agents with hooks: ${known}`,
  );
}

/** Throws unless rows of this agent can be in the store. */
export function checkAgentId(id: string): void {
  if (AGENTS.some((facts) => facts.id === id)) return;
  throw usageError(`agent ${id}`, 'is not a known agent', `use one of: ${AGENTS.map((facts) => facts.id).join(', ')}`);
}

/** Whose sessions, and where: what `--agent` and `--path` say. Refuses what cannot be meant before anything is opened. */
export function toScanPlaces({ options, cwd, env }: Pick<CommandInput, 'options' | 'cwd' | 'env'>): ScanPlaces {
  const { agent, path: given } = options as { agent?: readonly string[]; path?: string };
  const ids = agent?.flatMap((list) => list.split(',').map((id) => id.trim())).filter((id) => id !== '');
  for (const id of ids ?? []) getHistory(id);
  if (ids?.length === 0) getHistory('');
  if (given === '') throw usageError('--path', 'is empty', 'give a transcript or a folder');
  const path = given === undefined ? undefined : resolve(cwd, given);
  if (path !== undefined && !existsSync(path)) {
    const next = 'give a transcript or a folder of transcripts';
    throw userError(path, 'does not exist', next);
  }
  return { agent: ids, path, home: homedir(), env };
}

/** The agent whose past a person asked for, or an error that lists those there are. */
function getHistory(agent: string): AgentHistory {
  const history = findHistory(agent);
  if (history !== undefined) return history;
  throw usageError(
    `agent ${agent}`,
    'has no sessions that Oncebitten can read',
    `use one of: ${HISTORIES.map(({ facts }) => facts.id).join(', ')}`,
  );
}
