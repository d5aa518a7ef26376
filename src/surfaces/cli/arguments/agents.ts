/**
 * Resolves the agents and session files that the user names with `--agent` and `--path`. An unknown agent is an error
 * that lists the known agents and says what Oncebitten can do for this one. Wrong values are refused before anything is
 * opened.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findHistory, HISTORIES } from '../../../agents/histories.ts';
import { ADAPTERS, findAdapter } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import { REPORTERS } from '../../../agents/reporters.ts';
import type { AgentAdapter } from '../../../base/contracts/agent-adapter.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import type { ScanPlaces } from '../../../loop/scan/scan-files.ts';
import { checkAgentId, listIds } from '../agent-names.ts';
import type { CommandInput } from '../command.ts';
import { usageError, userError } from '../errors.ts';

/** The agent whose hooks a command is about; where the user names none, the first that we know. */
export function getAdapter(id = ADAPTERS[0]?.facts.id ?? ''): AgentAdapter {
  return findAdapter(id) ?? REPORTERS.find(({ facts }) => facts.id === id) ?? refuse(id);
}

export function getInstall(id: string): AgentInstall {
  return INSTALLS.find(({ facts }) => facts.id === id) ?? refuse(id);
}

function refuse(id: string): never {
  checkAgentId(id, INSTALLS);
  const known = listIds(INSTALLS);
  const scan = findHistory(id) === undefined ? '' : `read its sessions: oncebitten scan --agent ${id}; `;
  throw usageError(
    `agent ${id}`,
    'has no hooks of Oncebitten, so lessons cannot reach it',
    `${scan}agents with hooks: ${known}`,
  );
}

/** Whose sessions, and where: what `--agent` and `--path` say. Refuses what cannot be meant before anything is opened. */
export function toScanPlaces({ options, cwd, env }: Pick<CommandInput, 'options' | 'cwd' | 'env'>): ScanPlaces {
  const { agent, path: given } = options as { agent?: readonly string[]; path?: string };
  const ids = agent?.flatMap((list) => list.split(',').map((id) => id.trim())).filter((id) => id !== '');
  for (const id of ids?.length === 0 ? [''] : (ids ?? [])) checkHistory(id);
  if (given === '') throw usageError('--path', 'is empty', 'give a transcript or a folder');
  const path = given === undefined ? undefined : resolve(cwd, given);
  if (path !== undefined && !existsSync(path))
    throw userError(path, 'does not exist', 'give a transcript or a folder of transcripts');
  return { agent: ids, path, home: homedir(), env };
}

function checkHistory(agent: string): void {
  if (findHistory(agent) !== undefined) return;
  const reason = 'has no sessions that Oncebitten can read';
  throw usageError(`agent ${agent}`, reason, `use one of: ${listIds(HISTORIES)}`);
}
