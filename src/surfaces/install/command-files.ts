/**
 * Writes the files of our commands and skills into an agent's settings folder, and removes them. A file that is not ours
 * stays as it is, and its command is left out.
 */

import { existsSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toSettingsHome } from '../../agents/agents.ts';
import { COMMANDS } from '../../agents/commands.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { COMMAND_NOTICE, SESSION_COMMANDS } from './session-commands.ts';

interface CommandHome {
  readonly agentId: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  readonly home: string;
}

interface PlannedCommands {
  /** The texts that the user types. */
  readonly typed: readonly string[];
  /** Path -> text. */
  readonly files: Readonly<Record<string, string>>;
}

export function planCommands(home: CommandHome): PlannedCommands {
  const planned = listCommands(home).filter(({ files }) => Object.keys(files).every(mayWrite));
  return {
    typed: planned.flatMap(({ typed }) => typed ?? []),
    files: Object.assign({}, ...planned.map(({ files }) => files)),
  };
}

export function installCommands(home: CommandHome): PlannedCommands {
  const plan = planCommands(home);
  for (const [path, text] of Object.entries(plan.files)) writeOwnFile(path, text, 0o644);
  return plan;
}

/** The files that were removed. */
export function uninstallCommands(home: CommandHome): readonly string[] {
  const files = listCommands(home).flatMap((command) => Object.keys(command.files));
  const ours = files.filter((file) => existsSync(file) && mayWrite(file));
  for (const file of ours) rmSync(file);
  for (const file of ours) removeEmpty(dirname(file), toTop(home));
  return ours;
}

interface HomeCommand {
  /** Absent: the agent loads it itself. */
  readonly typed?: string;
  readonly files: Readonly<Record<string, string>>;
}

function listCommands(home: CommandHome): readonly HomeCommand[] {
  const agent = findAgent(home);
  if (agent === undefined) return [];
  return SESSION_COMMANDS.map((command) => {
    const files = Object.entries(agent.render(command, 'settings'));
    return {
      ...(command.isForAgent ? {} : { typed: agent.toTyped(command.name, 'settings') }),
      files: Object.fromEntries(files.map(([path, text]) => [join(toTop(home), path), text])),
    };
  });
}

function findAgent({ agentId }: CommandHome) {
  return COMMANDS.find(({ facts }) => facts.id === agentId);
}

function toTop(home: CommandHome): string {
  const facts = findAgent(home)?.facts;
  return facts === undefined ? home.home : toSettingsHome(facts, home);
}

/** It is ours, or not there. */
function mayWrite(file: string): boolean {
  return !existsSync(file) || readFileSync(file, 'utf8').includes(COMMAND_NOTICE);
}

function removeEmpty(folder: string, top: string): void {
  for (let one = folder; one.startsWith(`${top}/`); one = dirname(one)) {
    try {
      rmdirSync(one);
    } catch {
      return;
    }
  }
}
