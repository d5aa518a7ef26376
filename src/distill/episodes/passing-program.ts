/**
 * Programs of that day: those in a temporary folder, which is emptied sooner or later, and those that every machine has
 * but the shell did not find. No call tells beforehand that they will be missing.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { hasTrait, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';

const TEMPORARY = /^["']?(?:(?:\/private)?\/(?:tmp|var\/folders)\/|\$(?:TMPDIR\b|\{TMPDIR\}))/;

/** The program itself lies in a temporary folder, so its words are those of that day. */
export function isTemporaryProgram({ text }: Pick<SimpleCommand, 'text'>): boolean {
  return TEMPORARY.test(text);
}

/** A script of a temporary folder, which a shell or an interpreter runs: the words behind it are its own. */
export function runsTemporaryScript(command: SimpleCommand): boolean {
  return hasTrait(command, 'interpreter', 'shell') && TEMPORARY.test(toPositionals(command)[0] ?? '');
}

export function isTemporaryPath(word: string): boolean {
  return TEMPORARY.test(word);
}

const NOT_FOUND = 127;
export const SHELL_SAYS = /^(?:\S*: line \d+|\(eval\)|\w*sh)\b/;

/** The shell did not find the program. It may name it by another path than the line does: `~` is replaced. */
export function isMissing({ program }: SimpleCommand, { message = '', exitCode }: LiveCall): boolean {
  if (!/\b(?:not found|no such file or directory|is not recognized)\b/i.test(message)) return false;
  return (exitCode === NOT_FOUND || SHELL_SAYS.test(message)) && isNamedIn(message, program);
}

export function isLostPath(command: SimpleCommand, call: LiveCall): boolean {
  return isOnEveryMachine(command.program) && isMissing(command, call);
}

/** Every machine has `grep` and `head`: without them it is the PATH that was lost, in this very line or session. */
export function isOnEveryMachine(program: string): boolean {
  return isKnownAs(program, 'prepares', 'basic');
}
