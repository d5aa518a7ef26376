/**
 * Conditions on the earlier calls of a session (`triggers.session`): what a condition asks, what a call did, and whether
 * that meets the condition. If the earlier calls are unknown, the lesson stays silent.
 */

import { parseCall, type ShellCall } from '../shell/parse-command.ts';
import { type SimpleCommand, toPositionals } from '../shell/simple-command.ts';
import { toAbsolute } from '../text/paths.ts';
import { OWN_PATH, type SessionCondition } from './trigger.ts';

/** Answers whether the session has met a condition; undefined if that is unknown, and then the lesson stays silent. */
export type AskSession = (asked: ConditionQuestion) => boolean | undefined;

export interface ConditionQuestion {
  /** As the lesson states it. */
  readonly condition: SessionCondition;
  /** The condition for the call at hand, with its file in place of `{path}`. */
  readonly meant: SessionCondition;
}

/** The work of a successful call. */
export interface CompletedWork {
  readonly commands: readonly SimpleCommand[];
  /** Absolute path of the file that the call read or wrote. */
  readonly path?: string | undefined;
}

/** A successful call, in memory or from the store. */
export interface DoneCall extends ShellCall {
  readonly targetPath?: string | undefined;
  readonly cwd?: string | undefined;
}

export function toCompletedWork(call: DoneCall): CompletedWork {
  return { commands: parseCall(call), path: findFile(call) };
}

const FILE_TOOLS: readonly string[] = ['read', 'edit', 'write'];

/** The file that a call read or wrote. Undefined for a search: its folder says nothing about the files in it. */
export function findFile({ tool, targetPath, cwd }: DoneCall): string | undefined {
  return targetPath === undefined || !FILE_TOOLS.includes(tool) ? undefined : toAbsolute(targetPath, cwd);
}

/** Undefined if the condition asks about the call's file and the call has none. */
export function toQuestion(condition: SessionCondition, path: string | undefined): ConditionQuestion | undefined {
  if ('ran' in condition || condition.read !== OWN_PATH) return { condition, meant: condition };
  return path === undefined ? undefined : { condition, meant: { read: path } };
}

export function isConditionMet(meant: SessionCondition, { commands, path }: CompletedWork): boolean {
  if ('ran' in meant) return commands.some((command) => beginsWith(toWords(command), meant.ran));
  return path !== undefined && (path === meant.read || path.endsWith(`/${meant.read}`));
}

/** The program and its words that are not options. */
export function toWords(command: SimpleCommand): string {
  return [command.program, ...toPositionals(command)].join(' ');
}

export function beginsWith(words: string, ran: string): boolean {
  return `${words} `.startsWith(`${ran} `);
}

export function renderCondition(condition: SessionCondition): string {
  return 'ran' in condition ? `ran ${condition.ran}` : `read ${condition.read}`;
}
