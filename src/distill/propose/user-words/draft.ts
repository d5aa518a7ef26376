/**
 * A draft of a lesson, the calls around the words that it comes from, and the forms that several kinds of rules share: things
 * as names that people read, and as triggers.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import type { LessonType } from '../../../base/model/lesson.ts';
import { toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isInterpreter, unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { endsWithPath, toBaseName, toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { isNamedCommand } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import type { Role } from './cue-words.ts';
import { PLACE_WORDS } from './name-words.ts';
import { type Thing, toCommand, toName } from './named-things.ts';
import type { Rule } from './read-words.ts';

export interface Draft {
  readonly summary: string;
  readonly remediation: string;
  readonly triggers: Triggers;
  readonly type: LessonType;
}

/** What happened before the words and after them, files seen from the root of the project where that is known. */
export interface Around {
  /** Oldest first. */
  readonly before: readonly LiveCall[];
  readonly after: readonly LiveCall[];
  readonly edited: readonly string[];
  /** The edited ones that the prompt names; where it names none, all. */
  readonly meant: readonly string[];
  readonly editedAfter: readonly string[];
}

export const EDITS = ['edit', 'write'] as const;

const RECENT = 6;

export function has({ marks }: Rule, ...roles: readonly Role[]): boolean {
  return roles.some((role) => marks.has(role));
}

export function toDraft(summary: string, remediation: string, triggers: Triggers): Draft {
  return { summary, remediation, triggers, type: 'requirement' };
}

/** The latest commands that the user saw. */
export function listRecent(calls: readonly LiveCall[]): readonly SimpleCommand[] {
  return calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .filter(({ piped }) => piped !== true);
}

/** The latest command that a thing names, also behind a runner. */
export function findRun(thing: Thing, calls: readonly LiveCall[]): SimpleCommand | undefined {
  if (thing.command === undefined) return undefined;
  const [triggers, place] = [toTriggers([thing]), findPlace(thing)];
  return listRecent(calls).findLast(
    (one) =>
      (isNamedCommand(triggers, one) || isNamedCommand(triggers, unwrap(one))) && (!place || one.text.includes(place)),
  );
}

/** `bin/rspec` is another program than `rspec`. */
export function findPlace({ command, text }: Thing): string | undefined {
  return command && /^[^\s/]*\/\S+/.exec(text)?.[0].replace(/^\.\//, '');
}

/** What a runner or an interpreter runs: `manage.py test` of `python manage.py test`. */
function unwrap(command: SimpleCommand): SimpleCommand {
  const inner = unwrapRunner(command);
  const script = isInterpreter(inner.program) ? inner.args.findIndex(({ value }) => /^[\w./-]+\.\w+$/.test(value)) : -1;
  if (script < 0) return inner;
  return { ...inner, program: toBaseName(inner.args[script]?.value ?? ''), args: inner.args.slice(script + 1) };
}

/** `prisma db push` as the session ran it: `npx prisma db push`. */
export function withRunner(thing: Thing, calls: readonly LiveCall[]): Thing {
  const { program = '' } = thing.command ?? {};
  const run = calls.flatMap(parseCall).findLast((one) => one.program !== program && unwrap(one).program === program);
  const command =
    run && toCommand(`${run.text.split(new RegExp(` (?:\\S*/)?${toLiteral(program)}(?= |$)`), 1)[0]} ${thing.text}`);
  return command === undefined ? thing : { ...thing, command };
}

export function isEdited({ kind, text }: Thing, edited: readonly string[]): boolean {
  return kind === 'file' && edited.some((path) => isSameFile(path, text));
}

/** A command that has to have these options. */
export function draftWith(command: SimpleCommand, options: readonly string[]): Draft {
  const names = options.map(toOptionName);
  const shown = options.join(' ');
  return toDraft(`Run \`${toName(command)}\` with \`${shown}\``, `Add \`${shown}\``, {
    tools: ['shell'],
    programs: [{ ...toTaskTrigger(command), args: { none: names } }],
  });
}

/** Without its value. */
export function toOptionName(text: string): string {
  return text.split(/[= ]/, 1)[0] ?? text;
}

/** Something is due before a command. */
export function draftOrder(
  needed: readonly Thing[],
  moments: readonly Thing[],
  named: readonly Thing[] = [],
): Draft | undefined {
  const toRan = ({ command, text }: Thing): string => (command === undefined ? text : toName(command));
  const isSelf = needed.some((one) => moments.some((other) => toRan(one) === toRan(other)));
  const [first] = needed;
  if (first === undefined || moments.length === 0 || isSelf) return undefined;
  const programs = toTriggers(moments).programs?.map(({ args: _, ...trigger }) => trigger) ?? [];
  if (programs.length === 0) return undefined;
  const done = first.kind === 'file' ? { read: toPlainPath(first.text) } : { ran: toRan(first) };
  // Silent once the first of them is done.
  const triggers: Triggers = { tools: ['shell'], programs, session: { unless: [done] }, ...toPlace(moments, named) };
  return toDraft(`${toDoing(needed)} before ${list(moments)}`, `${toDoing(needed)} first`, triggers);
}

/** Something is due with a change of a file. */
export function draftEdited(changed: readonly Thing[], things: readonly Thing[]): Draft | undefined {
  const files = pick(things, 'file');
  // Both `Dockerfile` and `dev/Dockerfile` may be named.
  const left = changed.filter(
    (one) =>
      !files.some(
        ({ text, sentence }) => one.text === text || (sentence !== one.sentence && isSameFile(one.text, text)),
      ),
  );
  if (left.length === 0 || things.length === 0) return undefined;
  const inside = files.filter((one) =>
    left.some(({ text }) => isSameFile(one.text, text) || (text.endsWith('/') && !one.text.includes('/'))),
  );
  const triggers: Triggers = {
    tools: EDITS,
    paths: [...new Set(left.map(toGlob))],
    ...(inside.length > 0 && { unless: { paths: inside.map(toGlob) } }),
  };
  const remedy = `also ${areFiles(things) ? 'update' : 'run'} ${list(things)}`;
  return {
    ...toDraft(`When you change ${list(left, 'or')}, ${remedy}`, `A${remedy.slice(1)}`, triggers),
    type: areFiles(things) ? 'checklist' : 'requirement',
  };
}

export function toDoing(things: readonly Thing[]): string {
  return `${areFiles(things) ? 'Update' : 'Run'} ${list(things)}`;
}

function areFiles(things: readonly Thing[]): boolean {
  return things.every(({ kind }) => kind === 'file');
}

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

/** `<name>`, `v...`: any word. */
const PLACEHOLDER = /[<>…]|\w\.{3}$/;

/** Other operands and options may stand anywhere. */
function toTrigger(command: SimpleCommand, more: readonly string[]): ProgramTrigger {
  const trigger = toTaskTrigger(command);
  const operands = toOperands(command).filter((word) => !trigger.sub?.includes(word) && !PLACEHOLDER.test(word));
  const all = [...new Set([...operands, ...more])];
  if (all.length === 0) return trigger;
  // Two names of one option, and the ways to write a folder.
  if (all.length === 1 && all[0] === '--force') return { ...trigger, args: { any: ['--force', '-f'] } };
  const [path = '', other] = isKnownAs(command.program, 'removes') ? operands.map(toPlainPath) : [];
  if (path === '' || other !== undefined) return { ...trigger, args: { all } };
  const options = all.filter((word) => !operands.includes(word));
  const any = [path, `${path}/`, `./${path}`, `./${path}/`];
  return { ...trigger, args: { any, ...(options.length > 0 && { all: options }) } };
}

export function toTriggers(things: readonly Thing[], more: readonly string[] = []): Triggers {
  const commands = toRun(things).map(({ command }) => command as SimpleCommand);
  const options = [...commands.flatMap(toOptions), ...more];
  const letter = commands.length > 1 ? undefined : options.find((word) => LETTER.test(word));
  const isKept = (word: string): boolean => letter === undefined || !LETTER.test(word);
  return {
    tools: ['shell'],
    programs: commands.map((one) => toTrigger(one, [...toOptions(one), ...more].filter(isKept))),
    ...(letter && { command: { match: [`\\s-[A-Za-z]{0,2}${letter[1]}[A-Za-z]{0,2}(?:\\s|$)`] } }),
  };
}

/** An option that may stand among others: `-r` in `grep -rn`. */
const LETTER = /^-[A-Za-z]$/;

/** The folder or file behind a command and a word of place: "whenever you git mv something in docs". */
export function toPlace(commands: readonly Thing[], named: readonly Thing[]): Pick<Triggers, 'command'> {
  const isBehind = ({ sentence, at }: Thing): boolean =>
    PLACED.test(sentence.slice(0, at)) && commands.some((one) => one.sentence === sentence && one.end < at);
  const match = pick(named, 'file')
    .filter(isBehind)
    .map(({ text }) => `(?:^|[\\s/'"])${toLiteral(toPlainPath(text))}(?:[/\\s'"]|$)`);
  return match.length === 0 ? {} : { command: { match } };
}

const PLACED = new RegExp(`(?<!\\p{L})(?:${PLACE_WORDS}) (?:the )?[\`"']?$`, 'iu');

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
  const isBare = /(?:^|\/)(?:readme|changelog)$/i.test(text);
  const name = isBare ? path.replace(/readme|changelog/i, (word) => word.toUpperCase()) : path;
  return `**/${name}${isBare ? '*' : ''}${text.endsWith('/') ? '/**' : ''}`;
}

function isSameFile(path: string, named: string): boolean {
  if (named.endsWith('/')) return `/${path}`.includes(`/${toPlainPath(named)}/`);
  if (named.includes('*')) return new RegExp(`(?:^|/)${named.split(/\*+/).map(toLiteral).join('.*')}$`).test(path);
  const isBare = /^(?:readme|changelog)$/i.test(named);
  if (isBare) return toBaseName(path).toLowerCase().startsWith(named.toLowerCase());
  return endsWithPath(path, named) || endsWithPath(named, path);
}
