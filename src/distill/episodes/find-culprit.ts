/**
 * The word of a failed command that the error names. A message alone proves nothing (a test may print one): the word
 * must stand in the command, in the role that the message speaks of, and in one place only that can be meant.
 */

import { findObjectKind } from '../../base/shell/object-kind.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { toSubCommand } from '../../base/shell/sub-commands.ts';
import { toBaseName } from '../../base/text/paths.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { hasClosedQuotes, toPairedQuotes, toShortChars } from '../../base/text/short-text.ts';
import { isNamedCommand } from '../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../base/triggers/trigger.ts';
import { listLead } from '../text/to-short-command.ts';
import { toOutputLines } from './output-lines.ts';
import { SETS_UP } from './set-up.ts';

/** A program speaks at the start of a line, after a prefix such as `gh: error: ` at most. */
const MAX_PREFIX_CHARS = 60;
const MAX_MESSAGE_CHARS = 120;

/**
 * `program`: there is none of that name. `sub-command`, `option`: the program does not know it. `value`: the option
 * does not take it. `word`: a target, script or task of that name does not exist.
 */
export type CulpritRole = 'program' | 'sub-command' | 'option' | 'value' | 'word';

/** The word of a failed command that the program's own error names, with the role that it plays there. */
export interface Culprit {
  readonly role: CulpritRole;
  /** The simple command that failed. */
  readonly command: SimpleCommand;
  /** Its leading words that say what it does: `["pr", "diff"]`; without the culprit itself. */
  readonly sub: readonly string[];
  readonly word: string;
  /** Role `option`: the cluster in which a short option was typed, `-oP` for `-P`. */
  readonly cluster?: string;
  /** Role `value`: the option that was given it, as typed. */
  readonly option?: string;
  /** Role `value`: the word stands in `--opt=…`, in a comma list or attached to a short option. */
  readonly embedded?: boolean;
  /** Nothing of that name exists (branch, target, pod). The next call then names another thing. */
  readonly absent?: true;
  /** The program's words about it, and nothing else of its output. */
  readonly message: string;
}

/** Several detectors ask the same of the same call, and the next window has it again. */
const known = new WeakMap<
  readonly SimpleCommand[],
  { readonly output: string; readonly culprit: Culprit | undefined }
>();

export function findCulprit(commands: readonly SimpleCommand[], output: string): Culprit | undefined {
  const before = known.get(commands);
  if (before !== undefined && before.output === output) return before.culprit;
  const culprit = lookFor(commands, output);
  known.set(commands, { output, culprit });
  return culprit;
}

function lookFor(commands: readonly SimpleCommand[], output: string): Culprit | undefined {
  for (const line of toOutputLines(output)) {
    const culprit = CULPRIT_HINT.test(line) ? findInLine(commands, line) : undefined;
    if (culprit !== undefined) return culprit;
  }
  return undefined;
}

function findInLine(commands: readonly SimpleCommand[], line: string): Culprit | undefined {
  for (const message of CULPRIT_MESSAGES) {
    const match = message.pattern.exec(line);
    if (match === null || match.index > MAX_PREFIX_CHARS) continue;
    const word = (match.groups?.word ?? '').replace(/[.:)]+$/, '');
    const named = { word, option: match.groups?.option, text: toMessage(line, match) };
    const { absent } = message;
    const isNone = word === '' || (absent === true && isPassing(word));
    const located = isNone ? [] : toSpeakers(commands, line).flatMap((command) => locate(command, message, named));
    const readings = located.map((one) => ({ ...one, ...(absent && { absent }) }));
    const culprit = chooseOnlyReading(readings);
    if (culprit !== undefined) return culprit;
  }
  return undefined;
}

/** Objects go before other words. The same mistake in two commands of one line is one; two different readings are none. */
function chooseOnlyReading(all: readonly Culprit[]): Culprit | undefined {
  const meant = countPlaces(all) > 1 ? all.filter(isObject) : all;
  return countPlaces(meant) === 1 ? meant[0] : undefined;
}

function countPlaces(culprits: readonly Culprit[]): number {
  return new Set(culprits.map(toPlace)).size;
}

/**
 * To the end of the word that the pattern ends in, and of the quotation or bracket. Git opens a quotation with a backtick
 * and closes it with an apostrophe.
 */
function toMessage(line: string, { 0: found, index }: RegExpExecArray): string {
  const rest = line.slice(index + found.length);
  const ends = [...rest.matchAll(/(?<=\S)(?=\s|$)|^(?=\s|$)/g)].map((end) => found + rest.slice(0, end.index));
  const [whole = found] = /\s$/.test(found) ? [found, ...ends] : ends;
  const texts = [...ends, whole].map((text) => toPairedQuotes(text).replace(/^[:\s]+|[,;]+$/g, ''));
  return toShortChars(texts.find(hasClosedQuotes) ?? texts.at(-1) ?? found, MAX_MESSAGE_CHARS);
}

/** A line that begins with the name of a program is about that one's words: `cat: unrecognized option` blames no `echo`. */
function toSpeakers(commands: readonly SimpleCommand[], line: string): readonly SimpleCommand[] {
  const speaking = commands.filter(({ program }) => program !== '' && line.startsWith(`${program}: `));
  return speaking.length > 0 ? speaking : commands;
}

/** A file, a hash, a number: gone tomorrow, and not missed. */
function isPassing(word: string): boolean {
  const kind = findObjectKind({ text: word, value: word });
  return kind !== undefined && kind !== 'name';
}

/** What the command is about stands first: `main` of `git checkout main`, not of `git pull origin main`. */
function isObject({ command, sub, word, role }: Culprit): boolean {
  return role !== 'word' || toPositionals(command)[sub.length] === word;
}

interface Named {
  readonly word: string;
  readonly option: string | undefined;
  readonly text: string;
}

function locate(command: SimpleCommand, message: CulpritMessage, named: Named): readonly Culprit[] {
  const base = { command, sub: toSubCommand(command), message: named.text };
  switch (message.role) {
    case 'program':
      return command.program !== '' && command.program === toBaseName(named.word)
        ? [{ ...base, role: 'program', word: command.program, sub: [] }]
        : [];
    case 'option':
      return toTyped(command, named.word).map((typed) => ({
        ...base,
        ...typed,
        role: 'option',
        sub: listLead(command),
      }));
    case 'value':
      return locateValue(command, named).map((one) => ({ ...base, ...one }));
    case 'positional': {
      const { sub } = base;
      const at = sub.indexOf(named.word);
      const { word } = named;
      if (at >= 0) return [{ ...base, word, role: isTask(sub, at) ? 'word' : 'sub-command', sub: sub.slice(0, at) }];
      if (toPositionals(command).includes(word)) return [{ ...base, word, role: 'word' }];
      return locateValue(command, named).map((one) => ({ ...base, ...one }));
    }
  }
}

function locateValue(
  command: SimpleCommand,
  { word, option }: Named,
): readonly (OptionValue & Pick<Culprit, 'role' | 'word'>)[] {
  const place = findOptionValue(command, word, option);
  return place === undefined ? [] : [{ ...place, role: 'value', word }];
}

/** `npm run lint`: the second word is a script of the project, not a command of npm. */
function isTask(sub: readonly string[], at: number): boolean {
  return at > 0 && (sub[0] === 'run' || sub[0] === 'task' || sub[0] === 'run-script');
}

/** The option as it was typed: messages say `dry-run` for `--dry-run` and `P` for `-oP`. */
function toTyped(command: SimpleCommand, word: string): readonly Pick<Culprit, 'word' | 'cluster'>[] {
  const names = command.args.map(({ value }) => value.split('=', 1)[0] ?? '').filter(isOption);
  const bare = word.split('=', 1)[0] ?? '';
  const wanted = bare.startsWith('-') ? [bare, `-${bare}`] : [`--${bare}`, `-${bare}`];
  const exact = wanted.find((one) => names.includes(one));
  if (exact !== undefined) return [{ word: exact }];
  const letter = bare.replace(/^-/, '');
  if (letter.length !== 1) return [];
  const cluster = names.find((name) => /^-[A-Za-z0-9]+$/.test(name) && name.includes(letter));
  return cluster === undefined ? [] : [{ word: `-${letter}`, cluster }];
}

function toPlace(culprit: Culprit): string {
  return [culprit.role, culprit.command.program, ...culprit.sub, culprit.option ?? '', culprit.word].join('\n');
}

interface OptionValue {
  readonly option: string;
  /** The value is only a part of the word or of a comma list. */
  readonly embedded: boolean;
}

/**
 * The option of a command that was given a value: `--json merged`, `--json=a,merged`, `-ojson`. `option` restricts
 * the search to that one, where the error names it.
 */
function findOptionValue(command: SimpleCommand, value: string, option: string | undefined): OptionValue | undefined {
  const words = command.args.map((arg) => arg.value);
  for (const [i, word] of words.entries()) {
    const place = isOption(word) ? toValuePlace(word, words[i + 1], value) : undefined;
    if (place !== undefined && (option === undefined || isSameOption(place.option, option))) return place;
  }
  return undefined;
}

function toValuePlace(word: string, next: string | undefined, value: string): OptionValue | undefined {
  const equals = word.indexOf('=');
  if (equals > 0) {
    return hasPart(word.slice(equals + 1), value) ? { option: word.slice(0, equals), embedded: true } : undefined;
  }
  if (next !== undefined && hasPart(next, value)) return { option: word, embedded: next !== value };
  return /^-[A-Za-z]/.test(word) && word.slice(2) === value ? { option: word.slice(0, 2), embedded: true } : undefined;
}

function hasPart(list: string, value: string): boolean {
  return list.split(',').includes(value);
}

/** Messages may name the long form where the short one was typed, and the other way round: `-o` and `--output`. */
function isSameOption(typed: string, named: string): boolean {
  const [a, b] = [typed.replace(/^-+/, ''), named.replace(/^-+/, '')];
  return a === b || ((a.length === 1 || b.length === 1) && a[0] === b[0]);
}

/**
 * How programs say which word of their command line they reject. Argument parsers are few and speak alike: a word of
 * complaint, what kind of word it is about, and the word itself. `word` is the rejected word, `option` the option whose
 * value it is. A form only proposes: the word must stand in the command in that very role.
 */
interface CulpritMessage {
  /** `positional`: a sub-command or another word, which its place in the command decides. */
  readonly role: 'program' | 'positional' | 'option' | 'value';
  readonly pattern: RegExp;
  /** Something of that name is not there. Of a file that says little: which one is missing depends on the day. */
  readonly absent?: true;
}

const Q = '[\'"`‘’“”]?';
const WORD = `${Q}(?<word>[^\\s'"\`‘’“”,;()]+)${Q}`;
const OPTION = `${Q}(?<option>-{1,2}[A-Za-z][\\w-]*)`;
const BAD = '(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|undefined|ambiguous|bad|no such)';
const KIND = '(?:[\\w-]+ ){0,2}';
const NO = "(?:is|was|does|were)(?:n't| not)? ?";

/** By kind of word; forms that name more of the call stand first. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  program: [`command not found: ${WORD}$`, `(?:^|: )${WORD}: (?:command )?not found$`],
  value: [
    `${BAD} (?:argument|value|choice) ${WORD} for (?:flag |option )?${OPTION}`,
    `${BAD} value for ${OPTION}[^:]*: ${WORD} is not`,
    `(?:argument|option) (?:-\\w(?: \\w+)?/)?${OPTION}[^:]*: ${BAD} (?:choice|${KIND}value): ${WORD}`,
    `${BAD} ${KIND}(?:field|type|format|value|property|column|key):? ${WORD}`,
  ],
  option: [
    `${BAD} ${KIND}(?:flag|option|argument|switch|parameter|predicate|config|(?:sub-?)?command or argument)(?:e?s|\\(s\\))?(?: name)?(?: -- |:? )${WORD}(?: in -)?`,
    `(?:option|flag|argument|parameter)s? ${WORD}:? (?:which )?${NO}(?:exist|unknown|expected|supported|recogni[sz]ed|replaced|removed|renamed)`,
    `${WORD}:? (?:option |flag )?(?:does not exist|${BAD} (?:primary|option|operator))`,
  ],
  positional: [
    `${BAD} ${KIND}(?:(?:sub-?)?command|verb|action|choice|phase|task|script|target)(?: verb| or argument)?:? ${WORD}`,
    `${WORD}: ${BAD} (?:sub-?)?command`,
    `${WORD} is not an? \\w+ command`,
    `(?:command|task|script|target) (?:not found:? )?${WORD}(?: not found| does not exist| is not defined| could not be found|$)`,
    `(?:missing|no|couldn't find|could not find|make|build|contain) ${KIND}(?:command|script|target|task|recipe)s?(?: named| called)?:? ${WORD}`,
  ],
};

const ABSENT_FORMS: readonly (readonly ['positional' | 'value', string])[] = [
  ['value', `\\b[a-z]+:? \\(?${WORD}\\)? (?:was |could )?not (?:be )?found`],
  ['value', `(?:cannot|could not|unable to|failed to) (?:find|load) ${KIND}(?:named |called |from )?${WORD}`],
  [
    'positional',
    `\\b(?:no such|not a valid|couldn't find|unable to locate|bad|invalid|ambiguous|no available) ${KIND}(?:${KIND}with the name )?${WORD}`,
  ],
  ['positional', `pathspec ${WORD} did not match any`],
  ['positional', `\\b[a-z]+(?:\\.\\w+)* ${WORD} not found`],
];

const CULPRIT_MESSAGES: readonly CulpritMessage[] = [
  ...Object.entries(FORMS).flatMap(([role, forms]) =>
    forms.map((form) => ({ role: role as CulpritMessage['role'], pattern: new RegExp(form, 'i') })),
  ),
  ...ABSENT_FORMS.map(([role, form]) => ({ role, pattern: new RegExp(form, 'i'), absent: true as const })),
];

/** Every message has one of these words: lines without any are not looked at, which is nearly all of them. */
const CULPRIT_HINT =
  /\bnot\b|n't\b|\bno\b|unknown|recogni|invalid|illegal|unexpected|unsupported|undefined|ambiguous|\bbad\b|missing|unable|cannot|failed to|replaced|removed|renamed/i;

/** The failed command without the culprit: `gh pr diff` of `gh pr diff --stat`. */
export function toFailedName({ command, sub }: Culprit): string {
  return [command.program, ...sub].join(' ');
}

/** When a lesson about a culprit fires: on that word in that role of that program, and on nothing else. */
export function toTriggers(culprit: Culprit): Triggers {
  const match = toMatch(culprit);
  const unless = toUnless(culprit);
  return {
    tools: ['shell'],
    programs: [toProgramTrigger(culprit)],
    ...(match === undefined && unless === undefined
      ? {}
      : {
          command: {
            ...(match === undefined ? {} : { match: [match] }),
            ...(unless === undefined ? {} : { unless: [unless] }),
          },
        }),
    // Once its PATH is set, the program is there.
    ...(culprit.role === 'program' ? { line: { unless: [SETS_UP] } } : {}),
  };
}

/**
 * What is asked for by a name may be meant in another way with other options: `git checkout main` is not
 * `git checkout -b fix main` nor `git checkout main -- file`. A script or target is the same whatever the options are.
 */
function toUnless(culprit: Culprit): string | undefined {
  return isThing(culprit) && !culprit.command.args.some(({ value }) => isOption(value)) ? '\\s-' : undefined;
}

/** Something that comes and goes, or that another one has: not a word of the program or of the project's own tasks. */
function isThing({ role, absent }: Culprit): boolean {
  return role === 'word' && absent === true;
}

function toProgramTrigger(culprit: Culprit): ProgramTrigger {
  const { role, word, option, sub } = culprit;
  const name = culprit.command.program;
  if (role === 'program') return { name };
  if (role === 'sub-command') return { name, sub: [...sub, word] };
  // It has to stand where it stood: `fix main` is about `fix`.
  if (isThing(culprit) && toPositionals(culprit.command)[sub.length] === word) return { name, sub: [...sub, word] };
  const base = sub.length > 0 ? { name, sub } : { name };
  if (role !== 'value' || option === undefined) {
    return { ...base, args: { any: culprit.cluster === undefined ? [word] : [word, culprit.cluster] } };
  }
  return culprit.embedded ? { ...base, args: { any: [option] } } : { ...base, args: { all: [option, word] } };
}

/**
 * Linear-time by construction: no look-around, no backreference, no counts.
 * A missing program: only the bare name is wrong, `.venv/bin/pytest` is a fix of `pytest`.
 */
function toMatch({ role, word, option, embedded }: Culprit): string | undefined {
  if (role === 'program') return `(?:^|\\s)${toLiteral(word)}(?:\\s|$)`;
  if (role !== 'value' || !embedded || option === undefined) return undefined;
  return `${toLiteral(option)}[=\\s]*["']?(?:[^\\s,"']+,)*${toLiteral(word)}(?:[,"'\\s]|$)`;
}

/** Whether a lesson with the culprit's triggers would fire on this command. */
export function isCulpritIn(culprit: Culprit, command: SimpleCommand): boolean {
  return isNamedCommand(toTriggers(culprit), command);
}
