/**
 * Writes the files of our commands and skills into an agent's settings folder, and removes them. A file that is not ours
 * stays as it is, and its command is left out. The hooks work without commands, so a file that cannot be written or
 * removed is reported and keeps nothing else from being done.
 */

import { accessSync, constants, existsSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { toSettingsHome } from '../../agents/agents.ts';
import { COMMANDS } from '../../agents/commands.ts';
import { toReason, UserError } from '../../base/errors.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { toSha256 } from './install-record.ts';
import { COMMAND_NOTICE, SESSION_COMMANDS } from './session-commands.ts';
import { findMissingFolders, withInstallLock } from './user-file.ts';

interface CommandHome {
  readonly agentId: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  readonly home: string;
  /** Our folder for records. */
  readonly record: string;
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
  return withInstallLock(home.record, () => {
    const made = new Set(readMadeFolders(home));
    return toPlan(home, (file, text) => {
      checkPlace(file);
      const missing = findMissingFolders(file).filter((folder) => !made.has(folder));
      for (const folder of missing) made.add(folder);
      // Before the folders, so that no folder is forgotten if this process ends.
      if (missing.length > 0) writeOwnFile(toRecordFile(home), `${JSON.stringify({ madeFolders: [...made] })}\n`);
      writeOwnFile(file, text, 0o644);
    });
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
  // Without the folder nobody installs from here; making it for the lock would leave something behind.
  return existsSync(home.record) ? withInstallLock(home.record, () => removeCommands(home)) : removeCommands(home);
}

function removeCommands(home: CommandHome): RemovedCommands {
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
  // Folders with our name are ours, also if the record is lost or was never written.
  const named = files.map(dirname).filter((folder) => basename(folder).startsWith(OUR_NAME));
  removeEmptyFolders([...new Set([...readMadeFolders(home), ...named])]);
  if (faults.length === 0) rmSync(toRecordFile(home), { force: true });
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

const OUR_NAME = 'oncebitten';

/** Which folders we made for the commands. The user's own stay, even if they are empty. */
function toRecordFile(home: CommandHome): string {
  const place = toSha256(Buffer.from(toTop(home))).slice(0, 16);
  return join(home.record, `commands-${home.agentId}-${place}.json`);
}

const commandRecord = z.object({ madeFolders: z.array(z.string()) });

function readMadeFolders(home: CommandHome): readonly string[] {
  try {
    const record = commandRecord.safeParse(JSON.parse(readFileSync(toRecordFile(home), 'utf8')));
    return record.data?.madeFolders ?? [];
  } catch {
    return [];
  }
}

/** The innermost first. */
function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toSorted((a, b) => b.length - a.length))
    try {
      rmdirSync(folder);
    } catch {
      // It is gone, or something else is in it.
    }
}
