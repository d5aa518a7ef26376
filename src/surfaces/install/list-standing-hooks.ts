/**
 * The settings files that still start the hook of a data directory: every agent's own, and those that our records name (a
 * project's). One that cannot be read may have it: whoever asks wants to know whether anybody still needs the daemon.
 */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '../../agents/agents.ts';
import type { AgentFacts } from '../../base/agent-adapter.ts';
import { findMembers } from './find-members.ts';
import { findOurHandlers } from './find-our-handlers.ts';
import { findSettingsFile } from './find-settings-file.ts';
import { getSettingsRoot } from './get-settings-root.ts';
import { getSettingsText } from './get-settings-text.ts';
import { readInstallRecord } from './install-record.ts';
import { readSettingsFile } from './read-settings-file.ts';
import { toHookCommand } from './to-hook-command.ts';

export interface StandingHooks {
  readonly agent: string;
  readonly name: string;
  readonly settingsFile: string;
}

export interface StandingQuestion {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A project whose own settings are looked at too: no record names it once the data directory is gone. */
  readonly cwd: string;
  /** From `toHookFile`. */
  readonly hookFile: string;
  /** Our folder for backups and records. */
  readonly record: string;
}

export function listStandingHooks({ env, cwd, hookFile, record }: StandingQuestion): readonly StandingHooks[] {
  return AGENTS.flatMap(({ facts }) => {
    const own = findSettingsFile({ facts, env, home: homedir() });
    const project = findSettingsFile({ facts, env, home: homedir(), project: cwd });
    return listOnce([own, project, ...listRecorded(record, facts)])
      .filter((settingsFile) => hasHook(facts, settingsFile, hookFile))
      .map((settingsFile) => ({ agent: facts.id, name: facts.name, settingsFile }));
  });
}

/** A record names its file past symlinks. */
function listOnce(files: readonly string[]): readonly string[] {
  const byPlace = new Map(files.toReversed().map((file) => [findRealPath(file), file]));
  return [...byPlace.values()].reverse();
}

function listRecorded(folder: string, { id }: AgentFacts): readonly string[] {
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
function hasHook({ id }: AgentFacts, settingsFile: string, hookFile: string): boolean {
  try {
    const root = getSettingsRoot(getSettingsText(readSettingsFile(settingsFile)).text, settingsFile);
    return findOurHandlers(root).some(({ event, node }) =>
      findMembers(node, 'command').some(({ value }) => value === toHookCommand(hookFile, id, event)),
    );
  } catch {
    return true;
  }
}
