/** What two simple commands have in common, word by word. */

import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption, toPositionals } from '../../base/shell/simple-command.ts';
import { toSubCommand } from '../../base/shell/sub-commands.ts';

/** A command of a program, not a file or a number that stands where one could. */
const COMMAND_WORD = /^[a-z][\w:-]*$/i;

export function toSub(command: SimpleCommand): readonly string[] {
  const sub = toSubCommand(command);
  const end = sub.findIndex((word) => !COMMAND_WORD.test(word));
  return end < 0 ? sub : sub.slice(0, end);
}

export function isSameDeed(a: SimpleCommand, b: SimpleCommand): boolean {
  return a.program !== '' && a.program === b.program && toSub(a).join(' ') === toSub(b).join(' ');
}

/** Words that are neither options nor the command's own. */
export function toOperands(command: SimpleCommand): readonly string[] {
  return toPositionals(command).slice(toSub(command).length);
}

/** Names of its options, without values: `--tags` of `--tags=x`. */
export function toOptions(command: SimpleCommand): readonly string[] {
  return command.args
    .map(({ value }) => value.split('=', 1)[0] ?? '')
    .filter((word) => isOption(word) && word !== '--');
}

export function toName(command: SimpleCommand): string {
  return [command.program, ...toSub(command)].join(' ');
}

export function toProgramTrigger(command: SimpleCommand): { readonly name: string; readonly sub?: readonly string[] } {
  const sub = toSub(command);
  return { name: command.program, ...(sub.length === 0 ? {} : { sub }) };
}

/** To the letter, but for how it was quoted. */
export function isSameCommand(a: SimpleCommand, b: SimpleCommand): boolean {
  return a.program !== '' && a.program === b.program && toWords(a) === toWords(b);
}

function toWords({ args }: SimpleCommand): string {
  return args.map(({ value }) => value).join(' ');
}

/** The other one has at least half of these words. */
export function keepsHalf(words: readonly string[], { args }: SimpleCommand): boolean {
  const given = new Set(args.map(({ value }) => value));
  return words.filter((word) => given.has(word)).length * 2 >= words.length;
}
