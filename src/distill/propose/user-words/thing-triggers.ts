/** The things of a rule as names that people read, and as triggers: programs with their words, globs of files. */

import { toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { endsWithPath, toBaseName, toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { type Thing, toCommand, toName } from './named-things.ts';

export function pick(things: readonly Thing[], kind: Thing['kind']): readonly Thing[] {
  return things.filter((thing) => thing.kind === kind);
}

/** Commands, and deeds that a command does. */
export function toRun(things: readonly Thing[]): readonly Thing[] {
  return things.filter(({ command }) => command !== undefined);
}

export function list(things: readonly Thing[], word = 'and'): string {
  const names = [
    ...new Set(things.map(({ kind, text }) => `\`${kind === 'file' ? toShown(text) : text.replaceAll(/\s+/g, ' ')}\``)),
  ];
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** The last names of a path. */
function toShown(path: string): string {
  return `${toPlainPath(path).split('/').slice(-3).join('/')}${path.endsWith('/') ? '/' : ''}`;
}

/** `make fmt`, `python train.py`: the words of a runner are what it is about. */
export function toTaskTrigger(command: SimpleCommand): ProgramTrigger {
  const [, ...sub] = toName(command).split(' ');
  return { ...toProgramTrigger(command), ...(sub.length > 0 && { sub }) };
}

/** Other operands and options may stand anywhere. */
export function toTrigger(command: SimpleCommand, more: readonly string[] = []): ProgramTrigger {
  const trigger = toTaskTrigger(command);
  const operands = toOperands(command).filter((word) => !trigger.sub?.includes(word) && !/[<>]/.test(word));
  const all = [...new Set([...operands, ...toOptions(command), ...more])];
  if (all.length === 0) return trigger;
  // Two names of one option.
  return { ...trigger, args: all.length === 1 && all[0] === '--force' ? { any: ['--force', '-f'] } : { all } };
}

export function toTriggers(things: readonly Thing[], more: readonly string[] = []): Triggers {
  return { tools: ['shell'], programs: toRun(things).map(({ command }) => toTrigger(command as SimpleCommand, more)) };
}

/** Fires where all of these options, or variables with their values, are missing. */
export function toLackTriggers(programs: readonly ProgramTrigger[], options: readonly string[]): Triggers {
  const variables = options.filter((one) => /^\w+=/.test(one));
  const none = options.filter((one) => !variables.includes(one));
  return {
    tools: ['shell'],
    programs: programs.map((one) => (none.length > 0 ? { ...one, args: { ...one.args, none } } : one)),
    ...(variables.length > 0 && { line: { unless: variables.map(toLiteral) } }),
  };
}

/** Silent once the first of them is done. */
export function toSession([first]: readonly Thing[]): Triggers['session'] & {} {
  if (first === undefined) return { unless: [] };
  return { unless: [first.kind === 'file' ? { read: toPlainPath(first.text) } : { ran: toRan(first) }] };
}

/** As the condition of a session has it: the words that the command begins with. */
export function toRan({ command, text }: Thing): string {
  return command === undefined ? text : toName(command);
}

export function toFile(path: string): Thing {
  return { kind: 'file', text: path, sentence: '', at: 0, end: 0 };
}

/** A command that the calls show. */
export function toCommandThing(name: string): readonly Thing[] {
  const command = toCommand(name);
  return command === undefined ? [] : [{ ...toFile(name), kind: 'command', command }];
}

/** Any file of that name; `README` has some ending. */
export function toGlob({ text }: Thing): string {
  const path = toPlainPath(text);
  const isBare = /^(?:readme|changelog)$/i.test(toBaseName(path));
  const name = isBare ? path.replace(/readme|changelog/i, (word) => word.toUpperCase()) : path;
  return `**/${name}${isBare ? '*' : ''}${text.endsWith('/') ? '/**' : ''}`;
}

export function isSameFile(path: string, named: string): boolean {
  if (named.endsWith('/')) return `/${path}`.includes(`/${toPlainPath(named)}/`);
  if (named.startsWith('*')) return path.endsWith(named.slice(1));
  const isBare = /^(?:readme|changelog)$/i.test(named);
  if (isBare) return toBaseName(path).toLowerCase().startsWith(named.toLowerCase());
  return endsWithPath(path, named) || endsWithPath(named, path);
}
