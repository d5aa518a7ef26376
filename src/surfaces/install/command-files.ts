/**
 * Writes the files of our commands and skills into an agent's settings folder, and removes them. A file that is not ours
 * stays as it is, and its command is left out. The hooks work without commands, so a file that cannot be written or
 * removed is reported and keeps nothing else from being done.
 */

import { accessSync, constants, existsSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toSettingsHome } from '../../agents/agents.ts';
import { COMMANDS } from '../../agents/commands.ts';
import { toReason, UserError } from '../../base/errors.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { COMMAND_NOTICE, SESSION_COMMANDS } from './session-commands.ts';
import { findMissingFolders } from './user-file.ts';

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
  /** Why other files cannot be written, one for each place. */
  readonly faults: readonly UserError[];
}

export function planCommands(home: CommandHome): PlannedCommands {
  return toPlan(home, (file) => checkPlace(file));
}

export function installCommands(home: CommandHome): PlannedCommands {
  return toPlan(home, (file, text) => {
    checkPlace(file);
    writeOwnFile(file, text, 0o644);
  });
}

/** `use` throws for a file that cannot be written, and then the command of the file is left out. */
function toPlan(home: CommandHome, use: (file: string, text: string) => void): PlannedCommands {
  const faults = new Map<string, UserError>();
  const planned = listCommands(home).filter(({ files }) => {
    if (!Object.keys(files).every(mayWrite)) return false;
    try {
      for (const [file, text] of Object.entries(files)) use(file, text);
      return true;
    } catch (error) {
      const [file = ''] = Object.keys(files);
      const fault = toFault(file, error, 'written');
      // The files of one folder have the same fault.
      if (!faults.has(fault.subject)) faults.set(fault.subject, fault);
      return false;
    }
  });
  return {
    typed: planned.flatMap(({ typed }) => typed ?? []),
    files: Object.assign({}, ...planned.map(({ files }) => files)),
    faults: [...faults.values()],
  };
}

/** Throws if the file cannot be written. */
function checkPlace(file: string): void {
  const folder = dirname(findMissingFolders(file)[0] ?? file);
  try {
    if (!statSync(folder).isDirectory())
      throw new UserError({
        subject: folder,
        reason: 'is not a folder, so commands of Oncebitten were left out',
        next: `move it away, ${AGAIN}`,
      });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw toFault(folder, error, 'written');
  }
}

interface RemovedCommands {
  /** The files that were removed. */
  readonly removed: readonly string[];
  readonly faults: readonly UserError[];
}

export function uninstallCommands(home: CommandHome): RemovedCommands {
  const faults: UserError[] = [];
  const files = listCommands(home).flatMap((command) => Object.keys(command.files));
  const removed = files
    .filter((file) => existsSync(file) && mayWrite(file))
    .filter((file) => {
      try {
        rmSync(file, { force: true });
        return true;
      } catch (error) {
        faults.push(toFault(file, error, 'removed'));
        return false;
      }
    });
  for (const file of removed) removeEmpty(dirname(file), toTop(home));
  return { removed, faults };
}

const AGAIN = 'then run the command again';

function toFault(file: string, error: unknown, verb: 'written' | 'removed'): UserError {
  if (error instanceof UserError) return error;
  const reason = `cannot be ${verb} (${toReason(error)})${verb === 'written' ? ', so commands of Oncebitten were left out' : ''}`;
  return new UserError({
    subject: file,
    reason,
    next: `make it and its folder writable for you, ${AGAIN}`,
    cause: error,
  });
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

/** It is ours, or not there. What cannot be read, or is no file, is the user's. */
function mayWrite(file: string): boolean {
  try {
    return !existsSync(file) || (statSync(file).isFile() && readFileSync(file, 'utf8').includes(COMMAND_NOTICE));
  } catch {
    return false;
  }
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
