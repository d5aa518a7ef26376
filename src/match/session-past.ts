/** What already happened in a session, and whether it is what a lesson asks for (`triggers.session`). */
import { resolve } from 'node:path';
import { toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import { OWN_PATH, type SessionCondition } from '../base/trigger.ts';

/** Undefined when nobody can tell: the lesson then stays silent. */
export type AskPast = (asked: Asked) => boolean | undefined;

export interface Asked {
  /** As the lesson has it. */
  readonly condition: SessionCondition;
  /** For the call at hand. */
  readonly meant: SessionCondition;
}

/** What a call did that succeeded. */
export interface Done {
  readonly commands: readonly SimpleCommand[];
  /** Absolute. */
  readonly path?: string | undefined;
}

/** Undefined when the lesson asks for the file of a call that has none. */
export function toAsked(condition: SessionCondition, path: string | undefined): Asked | undefined {
  if ('ran' in condition || condition.read !== OWN_PATH) return { condition, meant: condition };
  return path === undefined ? undefined : { condition, meant: { read: path } };
}

export function isMet(meant: SessionCondition, { commands, path }: Done): boolean {
  if ('ran' in meant) return commands.some((command) => beginsWith(toWords(command), meant.ran));
  return path !== undefined && (path === meant.read || path.endsWith(`/${meant.read}`));
}

/** Program and words that are not options. */
export function toWords(command: SimpleCommand): string {
  return [command.program, ...toPositionals(command)].join(' ');
}

export function beginsWith(words: string, ran: string): boolean {
  return `${words} `.startsWith(`${ran} `);
}

export function renderCondition(condition: SessionCondition): string {
  return 'ran' in condition ? `ran ${condition.ran}` : `read ${condition.read}`;
}

export function toAbsolute(path: string, cwd = '/'): string {
  return resolve(cwd, path);
}
