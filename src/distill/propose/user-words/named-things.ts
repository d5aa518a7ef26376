/** The files, commands, options and deeds that a sentence names, with their places in it. */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOperands, toPlainSubCommand } from '../../../base/shell/command-words.ts';
import { ANY_SHELL, parseCall, parseCommand } from '../../../base/shell/parse-command.ts';
import { findFacts, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import { isListed } from '../../../base/shell/programs/find-program.ts';
import { type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { findScriptName, isInterpreter, toSubCommand, unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { endsWithPath, toBaseName } from '../../../base/text/paths.ts';
import { LANGUAGES, type Role } from './cue-words.ts';
import { DEEDS, EXTENSIONS, NO_PART, PLACE_WORDS, SENTENCE_PROGRAMS } from './name-words.ts';

export interface Thing {
  /** A deed is a command that a verb of everyday names: "before you commit". */
  readonly kind: 'file' | 'command' | 'option' | 'deed';
  /** As the user wrote it; of a deed, the command. A folder ends with a slash, a kind of files begins with `*`. */
  readonly text: string;
  /** The sentence that names it, and its place there. */
  readonly sentence: string;
  readonly at: number;
  readonly end: number;
  /** Of a command and a deed. */
  readonly command?: SimpleCommand;
}

/** A thing before its sentence is known. */
type Place = Omit<Thing, 'sentence'>;

/** The names that the calls of a session have: a sentence may use them without saying what they are. */
export interface Known {
  /** Programs, alone and with any of their words. */
  readonly programs: ReadonlySet<string>;
  /** Files that calls read or wrote, and words of commands that may be paths. */
  readonly paths: readonly string[];
  /** Names without an ending of files that were edited. */
  readonly bareFiles: ReadonlySet<string>;
  /** `run-many`: a sub-command that is no word of a sentence, with the command that had it. */
  readonly subs: ReadonlyMap<string, string>;
}

export function toKnown(calls: readonly LiveCall[]): Known {
  const commands = calls.flatMap(parseCall);
  const programs = [...commands, ...commands.map(unwrapRunner)].flatMap(({ program, args }) => [
    program,
    ...args.map(({ value }) => `${program} ${value}`),
  ]);
  const words = commands.flatMap(toOperands).filter((word) => word.includes('/'));
  const paths = calls.flatMap(({ targetPath }) => targetPath ?? []);
  const edited = calls.flatMap(({ tool, targetPath = '' }) =>
    /^(?:edit|write)$/.test(tool) ? toBaseName(targetPath) : [],
  );
  const subs = commands.flatMap((one) => toSubCommand(one).map((sub) => [sub, toName(one)] as const));
  return {
    programs: new Set(programs),
    paths: [...paths, ...words],
    bareFiles: new Set(edited.filter((name) => /^\w{5,}$/.test(name))),
    subs: new Map(subs.filter(([sub]) => /^[a-z]+[-:][\w:-]+$/.test(sub))),
  };
}

/** The program and the words that say what it does. */
export function toName(command: SimpleCommand): string {
  const sub = toPlainSubCommand(command);
  const [script = '', ...rest] = toPositionals(command);
  if (isInterpreter(command.program) && /\.\w+$/.test(script))
    return [command.program, script, ...rest.slice(0, 1)].join(' ');
  return [
    command.program,
    ...(sub.length > 0
      ? sub
      : toPositionals(command)
          .filter((word) => /^[a-z][\w:-]*$/i.test(word) && !takesFiles(command))
          .slice(0, 2)),
  ].join(' ');
}

/** The words of `rm` and `sed` are files, those of `make` are tasks. */
function takesFiles({ program }: SimpleCommand): boolean {
  return isKnownAs(program, 'basic') && !isKnownAs(program, 'runner');
}

/** Stands for every character of a thing, so that no word inside it counts as a word of the sentence. */
export const MASK = '¤';

export function findThings(sentence: string, known: Known): { things: readonly Thing[]; masked: string } {
  const marked = findMarked(sentence, known);
  const inMarks = mask(sentence, marked);
  const bare = findBare(inMarks.replaceAll(/[`"]|(?<!\w)'|'(?!\w)/g, ' '), known);
  const plain = mask(inMarks, bare);
  const deeds = findDeeds(plain);
  const things = [...marked, ...bare, ...deeds.filter(({ text }) => text !== '')]
    .map((one) => ({ ...one, sentence }))
    .sort((a, b) => a.at - b.at);
  // `refresh()` is no verb.
  return { things, masked: mask(plain, deeds).replaceAll(/\w[\w.]*\([^()\s]*\)/g, (call) => '·'.repeat(call.length)) };
}

function mask(text: string, things: readonly Place[]): string {
  let masked = text;
  for (const { at, end } of things) masked = masked.slice(0, at) + MASK.repeat(end - at) + masked.slice(end);
  return masked;
}

const SPAN = /`([^`]+)`|"([^"]+)"|(?<![\w])'([^']+)'(?!\w)/g;

/** Between backticks, or between quotation marks around nothing but a command or a file. */
function findMarked(sentence: string, known: Known): readonly Place[] {
  return [...sentence.matchAll(SPAN)].flatMap((match) => {
    const inside = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    const thing = toThing(inside, known, match[1] !== undefined);
    return thing === undefined ? [] : [{ ...thing, at: match.index, end: match.index + match[0].length }];
  });
}

function toThing(text: string, known: Known, isCode: boolean): Omit<Place, 'at' | 'end'> | undefined {
  const file = findFile(text, known, isCode);
  if (file !== undefined) return { kind: 'file', text: file };
  if (OPTION.test(text)) return { kind: 'option', text };
  const [first = ''] = text.split(/\s+/);
  const isProgram = findFacts(first) !== undefined || known.programs.has(first) || SCRIPT.test(first);
  const isWords = isCode && /^[a-z][\w./-]* +[\w./:@-]+/.test(text) && !/[(){};]/.test(text);
  const command = isProgram || isWords ? toCommand(text) : undefined;
  return command && { kind: 'command', text, command };
}

export function toCommand(text: string): SimpleCommand | undefined {
  return parseCommand(text, ANY_SHELL).findLast(({ program }) => /^[\w.+@][\w.+@-]*$/.test(program));
}

/** With or without its value. */
const OPTION = /^--?[a-zA-Z][\w-]*(?:[= ][^\s-]\S*)?$/;
/** A script, or a program in the project. */
const SCRIPT = /^(?:[\w.-]+\/)*[\w-]+\.(?:sh|bash|py|rb|ps1)$|^(?:\.\/|bin\/|scripts?\/)(?:[\w-]+\/)*[\w-]+$/;
const TOKEN = /[^\s,;()[\]{}“”„«»、，。；：！？（）「」]+/g;
/** A command in a sentence has no more words. */
const MAX_WORDS = 12;

function toWords(roles: readonly Role[]): string {
  return roles.flatMap((role) => Object.values(LANGUAGES).flatMap((words) => words[role] ?? [])).join('|');
}

const CALLING = new RegExp(
  `(?:^|[\\s"'\`])(?:${toWords(['want', 'firm', 'never', 'not', 'without', 'before'])})(?: (?:the|a|just|first|plain|also|to))*$`,
  'iu',
);
const USING = new RegExp(
  `(?:^|[\\s"'\`])(?:${toWords(['want', 'never'])}|without|ohne(?: vorher)?|sans|sin|sem|senza|zonder)$`,
  'iu',
);
const CUE_WORDS = toWords(['small', 'ask', 'not', 'never', 'before', 'without', 'firm', 'must', 'when']);
const CUE = new RegExp(`^(?:${CUE_WORDS})$`, 'iu');
/** Words that are no part of a command that they follow. */
const NO_PARTS = new RegExp(`^(?:${CUE_WORDS}|${toAlternatives(NO_PART)})$`, 'iu');
/** `touch` and `patch`: "never touch prod" names no command. */
const CHANGING = new RegExp(`^(?:${toWords(['change'])})$`, 'iu');
const SENTENCE_WORDS = new RegExp(`^(?:${toAlternatives(SENTENCE_PROGRAMS)})$`);

interface Token {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** More than a blank stands between it and the next. */
  readonly isLast: boolean;
}

const NO_TOKEN: Token = { text: MASK, at: 0, end: 0, isLast: true };

function findBare(text: string, known: Known): readonly Place[] {
  const tokens = toTokens(text);
  const found: Place[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]?.text.includes(MASK)) continue;
    const thing = findCommand(tokens, i, known, text) ?? findWord(tokens, i, known);
    if (thing === undefined) continue;
    found.push(thing);
    while ((tokens[i + 1]?.at ?? thing.end) < thing.end) i++;
  }
  return found;
}

function toTokens(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].flatMap((match) => {
    const bare = match[0].endsWith('/...') ? match[0] : match[0].replace(/(?<=[^.])[.:!?…]+$|^[:…]+/, '');
    const end = match.index + bare.length;
    return bare === ''
      ? []
      : [{ text: bare, at: match.index, end, isLast: !/^ (?![:…]+(?:\W|$))[^\s,;()]/.test(text.slice(end)) }];
  });
}

function findCommand(tokens: readonly Token[], i: number, known: Known, text: string): Place | undefined {
  const { text: name, at, isLast } = tokens[i] as Token;
  const next = isLast ? '' : (tokens[i + 1]?.text ?? '');
  if (!/^[a-z.][\w./+-]*$/.test(name) || NO_PARTS.test(name)) return undefined;
  if (!isKnownPair(name, next, known)) {
    if (!isProgram(name, next, known, text.slice(0, at).trimEnd())) return undefined;
    // "the npm package", "without the dash" name no command.
    const isNoun = isLast
      ? /^\p{L}+$/u.test(name) && !known.programs.has(name)
      : /^\p{L}{3,}$/u.test(next) && !CUE.test(next);
    if (isNoun && ARTICLE.test(tokens[i - 1]?.text ?? '')) return undefined;
  }
  const { end } = tokens[i + countParts(tokens, i, known, text) - 1] as Token;
  const command = toCommand(text.slice(at, end));
  return command && { kind: 'command', text: text.slice(at, end), at, end, command };
}

const ARTICLE =
  /^(?:an?|the|this|that|our|your|my|its|eine?n?|de[rnms]|die|das|une?|le|la|el|los|uma?|os?|il|lo|een|het)$/i;

/** Is it the name of a program, by itself or by the words before it? */
function isProgram(name: string, next: string, { programs, paths }: Known, head: string): boolean {
  // `make`, `go` and `find` are verbs, too.
  if (SENTENCE_WORDS.test(name))
    return !CHANGING.test(name) && USING.test(head) && /^[a-z][\w:-]*$/.test(next) && !NO_PARTS.test(next);
  if (isKnownAs(name, 'unmistakable') || (programs.has(name) && name.length > 2)) return true;
  if (name.startsWith('./')) return SCRIPT.test(name);
  if (SCRIPT.test(name) && paths.some((path) => endsWithPath(path, name))) return USING.test(head);
  return (SCRIPT.test(name) || findFacts(name) !== undefined) && CALLING.test(head);
}

/** `go test`: the session ran it, or the catalogue has its second word. */
function isKnownPair(name: string, next: string, { programs }: Known): boolean {
  if (!/\w/.test(next)) return false;
  if (programs.has(`${toBaseName(name)} ${next}`)) return true;
  const facts = findFacts(name);
  if (facts === undefined) return false;
  const { subs = {}, groups, single, own } = facts;
  return [...Object.values(subs), groups, single, own].some((list) => isListed(next, list));
}

/** The words of the sub-command, options, paths, and words that the session's own commands have. */
function countParts(tokens: readonly Token[], start: number, known: Known, text: string): number {
  const { text: name = '', at = 0 } = tokens[start] ?? {};
  let [count, plain] = [1, 0];
  while (count < MAX_WORDS && !tokens[start + count - 1]?.isLast) {
    const { text: word, end } = tokens[start + count] ?? NO_TOKEN;
    if (word.includes(MASK) || !/^(?:--|-{1,2}\w[\w-]*(?:=\S+)?|[a-z0-9@./<][\w:@./=*<>-]*)$/.test(word)) break;
    const isMarked = /^-|[./*=<]/.test(word) && !/^\.{2,}$/.test(word);
    const isSub = !NO_PARTS.test(word) && isEnd(tokens, start + count) && isSubWord(text.slice(at, end), plain);
    if (!isMarked && !isSub && !isKnownPair(name, word, known)) break;
    if (!isMarked) plain++;
    count++;
  }
  return count;
}

/** "npm messes up the lockfile": a word of the sentence follows, so this is one, too. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text ?? '';
  return tokens[at]?.isLast === true || /^[-¤.]|[/=]/.test(next) || NO_PARTS.test(next);
}

/** Is the last of these words one of the sub-command, or the name of a script? */
function isSubWord(typed: string, plain: number): boolean {
  const command = toCommand(typed);
  if (command === undefined || takesFiles(command)) return false;
  if (plain === 0) return true;
  return toSubCommand(command).length > plain || findScriptName(command) === command.args.at(-1)?.value;
}

const IN = new RegExp(`^(?:${PLACE_WORDS}|touch|edit)$`, 'i');

function findWord(tokens: readonly Token[], i: number, known: Known): Place | undefined {
  const { text, at, end } = tokens[i] as Token;
  const [before, next] = [tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? ''];
  const isPlace = IN.test(before) || /^(?:files?|dateien|fichiers?|archivos?|folder|dir|directory)$/i.test(next);
  const file = findFile(text, known, isPlace);
  if (file !== undefined) return { kind: 'file', text: file, at, end };
  const name = known.subs.get(text);
  const command = name === undefined ? undefined : toCommand(name);
  if (name !== undefined && command !== undefined) return { kind: 'command', text: name, at, end, command };
  return OPTION.test(text) ? { kind: 'option', text, at, end } : undefined;
}

const FILE_NAME = new RegExp(
  `^@?(?:\\.{0,2}/)?(?:[\\w@.*+()[\\]-]+/)*[\\w@*+-][\\w@.*+-]*\\.(?:${toAlternatives(EXTENSIONS)})$`,
  'i',
);
const DOT_FILE = /^(?:[\w.*-]+\/)*\.(?!net$|com$)[a-z][\w.-]{2,}$/;
const NAMED_FILE =
  /^(?:[\w.-]+\/)*(?:[A-Z][a-z]+file|CODEOWNERS|LICENSE|NOTICE|README|CHANGELOG|changelog|readme|Changelog|Readme)$/;
const FOLDER = /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)*\/(?:\*{1,2})?$/;
const SLASHED = /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+$/;

/** The name of a file or a folder as a rule has it. `isPlace`: the words beside it say that it is one. */
function findFile(word: string, known: Known, isPlace: boolean): string | undefined {
  if (word.includes('://') || /\s/.test(word)) return undefined;
  const bare = word.replace(/^@/, '').replace(/^\.\//, '');
  const { paths } = known;
  if (known.bareFiles.has(bare)) return bare;
  const isEnding =
    /^\*?\.[a-z][\w.-]{1,14}$/i.test(bare) &&
    paths.some((path) => path.endsWith(bare.replace('*', '')) && toBaseName(path) !== bare);
  if (isEnding) return `*${bare.replace('*', '')}`;
  if (bare.length > 2 && /[./]/.test(bare) && paths.some((path) => path.endsWith(`/${bare}`))) return bare;
  // "In docs", where the calls show that it is one.
  if (
    (isPlace || bare.includes('/')) &&
    /^[\w@./-]+$/.test(bare) &&
    paths.some((path) => `/${path}`.includes(`/${bare}/`))
  )
    return `${bare}/`;
  if (FOLDER.test(bare)) return bare.replace(/\*+$/, '');
  if (NAMED_FILE.test(bare)) return bare;
  if (isPlace && SLASHED.test(bare) && !SCRIPT.test(bare) && !/\.\w{1,5}$/.test(bare)) return `${bare}/`;
  const isPath = /^(?:[\w@.*+-]+\/)+[\w@*+-][\w@.*+-]*\.[a-z]\w{0,7}$/i.test(bare);
  return isPath || FILE_NAME.test(word) || DOT_FILE.test(bare) ? bare : undefined;
}

const DEED_ROWS = DEEDS.map(([words, name]) => ({
  name,
  regex: new RegExp(
    `(?<![\\p{L}\\p{N}_-](?<![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]))(?<!\\b(?:in|into|from|of|with) (?:the|a|an|this|that|your|my|one|last)(?: last)? |\\b(?:merge|squash|fixup|wip|last|that's|that is|already|was|were|been) )(?:${words})(?![\\p{Script=Latin}\\p{N}_-])`,
    'giu',
  ),
  command: toCommand(name),
}));

/** The first row that fits a place has it: `force push` is no mere `push`. */
function findDeeds(masked: string): readonly Place[] {
  const found: Place[] = [];
  for (const { name, regex, command } of DEED_ROWS) {
    // Most rows fit nowhere, and `matchAll` copies the expression first.
    if (masked.search(regex) < 0) continue;
    for (const match of masked.matchAll(regex)) {
      const [at, end] = [match.index, match.index + match[0].length];
      if (match[0].trim() === '' || found.some((one) => at < one.end && one.at < end)) continue;
      found.push({ kind: 'deed', text: name, at, end, ...(command && { command }) });
    }
  }
  return found;
}

function toAlternatives(list: string): string {
  return list.replaceAll(' ', '|');
}
