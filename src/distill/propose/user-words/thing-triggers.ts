/** The things of a rule as names that people read, and as triggers: programs with their words, globs of files. */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOperands, toOptions, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { isInterpreter } from '../../../base/shell/sub-commands.ts';
import { endsWithPath, toBaseName, toPlainPath } from '../../../base/text/paths.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { type Thing, toCommand } from './named-things.ts';

/** Of `vitest` and `npx vitest run` the longer one says it all. */
export function pick(things: readonly Thing[], kind: Thing['kind']): readonly Thing[] {
  const all = things.filter((thing) => thing.kind === kind);
  if (kind !== 'command') return all;
  return all.filter(
    (one) => !all.some(({ text }) => text.length > one.text.length && ` ${text} `.includes(` ${one.text} `)),
  );
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

export function toName(command: SimpleCommand): string {
  const sub = toPlainSubCommand(command);
  return [command.program, ...(sub.length > 0 ? sub : toPositionals(command).filter(isWord).slice(0, 2))].join(' ');
}

function isWord(word: string): boolean {
  return /^[a-z][\w:-]*$/i.test(word);
}

/** `make fmt`, `python train.py`: the words of a runner are what it is about. */
export function toTaskTrigger(command: SimpleCommand): ProgramTrigger {
  const operands = toOperands(command);
  const [script = ''] = operands;
  if (isInterpreter(command.program) && /\.\w+$/.test(script)) return { name: command.program, sub: [script] };
  const isTask = toPlainSubCommand(command).length === 0 && operands.length > 0 && operands.every(isWord);
  return isTask ? { name: command.program, sub: operands } : toProgramTrigger(command);
}

/** Other operands may stand anywhere. */
export function toTrigger(command: SimpleCommand): ProgramTrigger {
  const trigger = toTaskTrigger(command);
  const operands = toOperands(command).filter((word) => !trigger.sub?.includes(word) && !/[<>]/.test(word));
  return addArgs(trigger, [...operands, ...toOptions(command)]);
}

export function addArgs(trigger: ProgramTrigger, words: readonly string[]): ProgramTrigger {
  const all = [...new Set([...(trigger.args?.all ?? []), ...words])];
  if (all.length === 0) return trigger;
  // Two names of one option.
  if (all.length === 1 && all[0] === '--force') return { ...trigger, args: { any: ['--force', '-f'] } };
  return { ...trigger, args: { all } };
}

export function toTriggers(things: readonly Thing[]): readonly ProgramTrigger[] {
  return things.flatMap(({ command }) => {
    if (command === undefined) return [];
    const trigger = toTrigger(command);
    const by = INTERPRETERS.find(([ending]) => command.program.endsWith(ending))?.[1] ?? [];
    return [trigger, ...by.map((name) => ({ ...trigger, name, sub: [command.program, ...(trigger.sub ?? [])] }))];
  });
}

/** What also runs a script: `python setup.py install`. */
const INTERPRETERS: readonly (readonly [ending: string, programs: readonly string[]])[] = [
  ['.py', ['python', 'python3']],
  ['.sh', ['bash', 'sh']],
  ['.rb', ['ruby']],
];

/** Silent once the first of them is done. */
export function toSession([first]: readonly Thing[]): Triggers['session'] & {} {
  if (first === undefined) return { unless: [] };
  return { unless: [first.kind === 'file' ? { read: toPlainPath(first.text) } : { ran: toRan(first) }] };
}

export function toRan({ command, text }: Thing): string {
  if (command === undefined) return text;
  const words = toPositionals(command);
  // `warnings` of `cargo clippy -- -D warnings` is the value of an option.
  const typed = command.args.map(({ value }) => value);
  const options = typed.findIndex((word, i) => i > 0 && word.startsWith('-'));
  const end = words.findIndex((word) => !isWord(word) || (options > 0 && typed.indexOf(word) > options));
  return [command.program, ...(end < 0 ? words : words.slice(0, end))].join(' ');
}

const BRANCH =
  /(?<![\w-])(?:to|on|onto|into|auf|nach|in|sur|vers|dans|a|en|para|na|no|su|op|naar|direkt auf|到|向|に|へ)?\s*[`'"]?(?:origin[/ ])?(main|master|develop|trunk|production|staging)[`'"]?(?![\w-]|\.\w)/gi;

/** The branch that must not be pushed to: the one nearest to the command. */
export function findBranch(words: string, { at, end }: Thing): string | undefined {
  const far = ({ index }: RegExpExecArray): number => (index < at ? at - index : index - end);
  return [...words.matchAll(BRANCH)].sort((a, b) => far(a) - far(b))[0]?.[1];
}

export function toFile(path: string): Thing {
  return { kind: 'file', text: path, at: 0, end: 0 };
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

/** Without its objects. */
function toMoment(command: SimpleCommand): Thing {
  const text = toName(command);
  return { kind: 'command', text, at: 0, end: 0, command: toCommand(text) ?? command };
}

/** Where the words name no moment, work ends here. */
export const COMMIT: Thing = toMoment({
  program: 'git',
  args: [{ value: 'commit', text: 'commit' }],
  text: 'git commit',
});
const RECENT = 6;

/** What handed work on before the words: a commit, a push, a request to merge. */
export function findEnding(calls: readonly LiveCall[]): Thing | undefined {
  const last = calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .findLast((one) =>
      /^(?:git (?:commit|push|tag)|gh (?:pr|release) create|\w+ publish)$/.test(
        toName(one).split(' ').slice(0, 3).join(' '),
      ),
    );
  return last === undefined ? undefined : toMoment(last);
}

/** `test_*.py` of `test_slug.py`, `*.sql` of `0042_orders.sql`. */
export function toKind(path: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.\w+)?$/.exec(toBaseName(path)) ?? [];
  if (/^test_/.test(stem)) return `test_*${ending}`;
  const part = /[._-](?:test|spec|stories|e2e)$/.exec(stem)?.[0] ?? '';
  return `*${part}${ending}`;
}

/** All files like a new one: nobody writes the same one again. */
export function toKindPath(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${toKind(path)}`;
}
