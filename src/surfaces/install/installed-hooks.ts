/**
 * Reads which of our hooks an agent's settings file has, for `doctor`, and lists all settings files that still start
 * the hook of a data directory. It changes nothing. An unreadable file is listed too, because the caller wants to know
 * whether anybody may still need the daemon.
 */

import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { INSTALLS } from '../../agents/installs.ts';
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { findMembers } from '../../keep/settings/jsonc-text.ts';
import { findSettingsFile } from './agent-place.ts';
import { toHookCommand } from './hook-command.ts';
import { checkHooksShape, decideHookChanges, findOurHandlers, getSettingsRoot } from './hook-entries.ts';
import { readInstallRecord } from './install-record.ts';
import { getSettingsText, readSettingsFile } from './user-file.ts';

/** Names of events. An installation changes something exactly when `missing` or `outdated` has any. */
export interface HookPresence {
  readonly present: readonly string[];
  readonly missing: readonly string[];
  /** Also events with an entry of ours too many, and events that we no longer ask for. */
  readonly outdated: readonly string[];
  /** Those that a matcher or a condition of the user's keeps from some calls. Absent where there is none. */
  readonly narrowed?: readonly string[];
}

interface HookQuestion {
  readonly agent: AgentInstall;
  readonly settingsFile: string;
  readonly hookFile: string;
}

/** No file: everything is missing. Failure: the same errors that an installation would meet in the file. */
export function readInstalledHooks({ agent, settingsFile, hookFile }: HookQuestion): HookPresence {
  const { text } = getSettingsText(readSettingsFile(settingsFile));
  const root = getSettingsRoot(text, settingsFile);
  const names = agent.hooks.events.map((event) => event.name);
  checkHooksShape(root, names, settingsFile);
  const changes = decideHookChanges(root, agent, hookFile);
  const outdated = new Set([...changes.outdated, ...changes.surplus].map((handler) => handler.event));
  const narrowed = [...new Set(findOurHandlers(root).flatMap((one) => (one.isNarrowed ? [one.event] : [])))];
  return {
    present: changes.present.filter((name) => !outdated.has(name) && !narrowed.includes(name)),
    missing: changes.missing.map((event) => event.name),
    outdated: [...outdated],
    ...(narrowed.length === 0 ? {} : { narrowed }),
  };
}

interface StandingHooks {
  readonly agent: string;
  readonly name: string;
  readonly settingsFile: string;
}

interface StandingQuestion {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A project whose own settings are looked at too: no record names it once the data directory is gone. */
  readonly cwd: string;
  /** From `toHookFile`. */
  readonly hookFile: string;
  /** Our folder for backups and records. */
  readonly record: string;
}

/**
 * The settings files that still start the hook of a data directory: every agent's own, and those that our records name (a
 * project's). One that cannot be read may have it: whoever asks wants to know whether anybody still needs the daemon.
 */
export function listStandingHooks({ env, cwd, hookFile, record }: StandingQuestion): readonly StandingHooks[] {
  return INSTALLS.flatMap((agent) => {
    const own = findSettingsFile({ agent, env, home: homedir() });
    const project = findSettingsFile({ agent, env, home: homedir(), project: cwd });
    return listOnce([own, project, ...listRecorded(record, agent)])
      .filter((settingsFile) => hasHook(agent, settingsFile, hookFile))
      .map((settingsFile) => ({ agent: agent.facts.id, name: agent.facts.name, settingsFile }));
  });
}

/** A record names its file past symlinks. */
function listOnce(files: readonly string[]): readonly string[] {
  const byPlace = new Map(files.toReversed().map((file) => [findRealPath(file), file]));
  return [...byPlace.values()].reverse();
}

function listRecorded(folder: string, { facts: { id } }: AgentInstall): readonly string[] {
  const record = new RegExp(`^${id}-[0-9a-f]{16}\\.json$`);
  return listNames(folder)
    .filter((name) => record.test(name))
    .flatMap((name) => {
      const recordFile = join(folder, name);
      return readInstallRecord({ recordFile, backupFile: '' })?.settingsFile ?? [];
    });
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function findRealPath(file: string): string {
  try {
    return readSettingsFile(file).path;
  } catch {
    return file;
  }
}

/** One of another data directory starts another daemon. */
function hasHook({ facts: { id } }: AgentInstall, settingsFile: string, hookFile: string): boolean {
  try {
    const root = getSettingsRoot(getSettingsText(readSettingsFile(settingsFile)).text, settingsFile);
    return findOurHandlers(root).some(({ event, node }) =>
      findMembers(node, 'command').some(({ value }) => value === toHookCommand(hookFile, id, event)),
    );
  } catch {
    return true;
  }
}
