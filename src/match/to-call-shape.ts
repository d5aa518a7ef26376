/**
 * What makes a call the same call again, for one lesson: program, sub-command and the names of its options; or the tool
 * and the file. Values differ from try to try, and so does what else stands in the line.
 */
import { isOption, toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import type { Triggers } from '../base/trigger.ts';
import type { MatchCall } from './match-call.ts';

type ShapedCall = Pick<MatchCall, 'tool' | 'commands' | 'path'>;

export function toCallShape({ tool, commands, path = '' }: ShapedCall, { programs = [] }: Triggers): string {
  if (commands.length === 0) return `${tool} ${path}`;
  const meant = commands.flatMap((command) => {
    // As many words as the lesson takes for the sub-command: what follows them is a value.
    const words = programs.filter(({ name }) => name === command.program).map(({ sub = [] }) => sub.length);
    return words.length === 0 ? [] : [toShape(command, Math.max(...words))];
  });
  return toSet(meant.length > 0 ? meant : commands.map((command) => toShape(command, 0))).join('\n');
}

function toShape(command: SimpleCommand, subWords: number): string {
  const names = toSet(command.args.flatMap(({ value }) => toName(value)));
  return [command.program, ...toPositionals(command).slice(0, subWords), ...names].join(' ');
}

/** `--depth` of `--depth=3`, `-n` of `-n5`. */
function toName(word: string): string | readonly [] {
  const [name = ''] = word.split('=', 1);
  return isOption(name) && name !== '--' ? name.replace(/\d+$/, '') : [];
}

function toSet(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort();
}
