/**
 * The words of a simple command by their role: the sub-command names the action, operands name its objects, options
 * modify it. From these come the name of a command (`gh pr diff`) and the trigger that fires on it.
 */

import { toBaseName } from '../text/paths.ts';
import { isOption, type SimpleCommand, toPositionals } from './simple-command.ts';
import { toSubCommand } from './sub-commands.ts';

const COMMAND_WORD = /^[a-z][\w:-]*$/i;

/**
 * The sub-command without a file or number in its place: `run` of `go run ./cmd/api`, nothing of `python seed.py`.
 * Lessons are about these words, because the next call has another file there.
 */
export function toPlainSubCommand(command: SimpleCommand): readonly string[] {
  const words = toSubCommand(command);
  const end = words.findIndex((word) => !COMMAND_WORD.test(word));
  return end < 0 ? words : words.slice(0, end);
}

/** Words that are neither options nor the sub-command. */
export function toOperands(command: SimpleCommand): readonly string[] {
  return toPositionals(command).slice(toPlainSubCommand(command).length);
}

/** The names of the options, without values: `--tags` of `--tags=x`. */
export function toOptions(command: SimpleCommand): readonly string[] {
  return command.args
    .map(({ value }) => value.split('=', 1)[0] ?? '')
    .filter((word) => isOption(word) && word !== '--');
}

/** `gh pr diff` of `gh pr diff 12 --stat`. */
export function toCommandName(command: SimpleCommand): string {
  return [command.program, ...toPlainSubCommand(command)].join(' ');
}

/** The program as typed: `.venv/bin/pytest` runs another program than `pytest`. */
export function toTypedProgram({ text, program }: SimpleCommand): string {
  return text.split(/\s+/).find((word) => toBaseName(word) === program) ?? program;
}

interface NamedTrigger {
  readonly name: string;
  readonly sub?: readonly string[];
}

/** Fires on every command with this program and sub-command. */
export function toProgramTrigger(command: SimpleCommand): NamedTrigger {
  const sub = toPlainSubCommand(command);
  return { name: command.program, ...(sub.length === 0 ? {} : { sub }) };
}

/** Fires on every command with this program and sub-command that has all options of this one. */
export function toOptionTrigger(
  command: SimpleCommand,
): NamedTrigger & { readonly args?: { readonly all: readonly string[] } } {
  const options = toOptions(command);
  return { ...toProgramTrigger(command), ...(options.length === 0 ? {} : { args: { all: options } }) };
}

/** Does the other command contain at least half of these words? */
export function hasHalfOf(words: readonly string[], { args }: Pick<SimpleCommand, 'args'>): boolean {
  const given = new Set(args.map(({ value }) => value));
  return words.filter((word) => given.has(word)).length * 2 >= words.length;
}
