/** The files, commands, options and deeds that a sentence names, with their places in it. */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOperands, toPlainSubCommand } from '../../../base/shell/command-words.ts';
import { ANY_SHELL, parseCall, parseCommand } from '../../../base/shell/parse-command.ts';
import { findFacts, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import { isListed } from '../../../base/shell/programs/find-program.ts';
import { type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { findScriptName, isInterpreter, toSubCommand, unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { toBaseName } from '../../../base/text/paths.ts';
import { LANGUAGES, type Role } from './cue-words.ts';
import { DEEDS, EXTENSIONS, NO_PART, SENTENCE_PROGRAMS } from './name-words.ts';

export interface Thing {
  /** A deed is a command that a verb of everyday names: "before you commit". */
  readonly kind: 'file' | 'command' | 'option' | 'deed';
  /** As the user wrote it; of a deed, the command. A folder ends with a slash, a kind of files begins with `*`. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Of a command and a deed. */
  readonly command?: SimpleCommand;
  /** The text of a commit, not the commit. */
  readonly isText?: true;
  /** A plain word, of which only the calls after the words show what it names. */
  readonly isShown?: true;
}

/** The names that the calls of a session have: a sentence may use them without saying what they are. */
export interface Known {
  /** Programs, alone and with any of their words. */
  readonly programs: ReadonlySet<string>;
  /** Files that calls read or wrote, and words of commands that may be paths. */
  readonly paths: readonly string[];
  /** Words that only the calls after the words make known, with what they name. */
  readonly shown: ReadonlyMap<string, Omit<Thing, 'at' | 'end'>>;
  /** The first words of the latest commands: what "don't apply" forbids. */
  readonly done: ReadonlyMap<string, SimpleCommand>;
  /** The folders of the files that calls edited, by their names. */
  readonly folders: ReadonlyMap<string, string>;
  /** Of the message: in others, a word behind a program is mostly one of the sentence. */
  readonly isEnglish?: boolean;
}

const RECENT = 4;
const MAX_DONE = 3;

export function toKnown(
  before: readonly LiveCall[],
  after: readonly LiveCall[] = [],
  shown: Known['shown'] = new Map(),
): Known {
  const calls = [...before, ...after];
  return {
    shown,
    folders: toFolders(calls),
    done: toDone(before.flatMap(parseCall).slice(-RECENT)),
    paths: [
      ...calls.flatMap(({ targetPath }) => targetPath ?? []),
      ...calls.flatMap((call) => toCallNames(call).paths),
    ],
    programs: new Set(calls.flatMap((call) => toCallNames(call).programs)),
  };
}

interface CallNames {
  readonly paths: readonly string[];
  readonly programs: readonly string[];
}

/** Every prompt of a session asks for the names of the calls before it. */
const namesOf = new WeakMap<LiveCall, CallNames>();

function toCallNames(call: LiveCall): CallNames {
  const known = namesOf.get(call);
  if (known !== undefined) return known;
  const commands = parseCall(call);
  const names = {
    paths: commands.flatMap(toOperands).filter((word) => word.includes('/')),
    programs: toProgramNames([...commands, ...commands.map(unwrapRunner)]),
  };
  namesOf.set(call, names);
  return names;
}

/** Each program, alone and with any of its words. */
function toProgramNames(commands: readonly SimpleCommand[]): readonly string[] {
  return commands.flatMap(({ program, args }) => [program, ...args.map(({ value }) => `${program} ${value}`)]);
}

function toFolders(calls: readonly LiveCall[]): Known['folders'] {
  const paths = calls.flatMap(({ tool, targetPath = '' }) =>
    tool === 'edit' ? targetPath.split('/').slice(-3, -1).join('/') : [],
  );
  return new Map(paths.map((path) => [toStem(toBaseName(path)), `${path}/`]));
}

/** By the words of its name, and by two words of it: `migrate` and `db push` of `prisma db push`. */
function toDone(commands: readonly SimpleCommand[]): Known['done'] {
  const done = new Map<string, SimpleCommand>();
  const add = (words: string, text: string): void => {
    const command = toCommand(text);
    if (command !== undefined) done.set(toStem(words), { ...command, text });
  };
  for (const one of commands.map(unwrapRunner)) {
    const words = toPositionals(one).slice(0, MAX_DONE);
    words.slice(1).forEach((word, i) => {
      add(`${words[i]} ${word}`, [one.program, ...words.slice(0, i + 2)].join(' '));
    });
    const [program, ...names] = toName(one).split(' ');
    for (const name of names)
      add(
        name,
        toPlainSubCommand(one).length === 0 && !isInterpreter(one.program) ? `${program} ${name}` : toName(one),
      );
  }
  return done;
}

/** The program and the words that say what it does. */
export function toName(command: SimpleCommand): string {
  const sub = toPlainSubCommand(command);
  const [script = '', ...rest] = toPositionals(command);
  if (isInterpreter(command.program) && HAS_ENDING.test(script))
    return [command.program, script, ...rest.slice(0, 1)].join(' ');
  return [command.program, ...(sub.length > 0 ? sub : toPositionals(command).filter(isWord).slice(0, 2))].join(' ');
}

export const HAS_ENDING = /\.\w+$/;

export function isWord(word: string): boolean {
  return /^[a-z][\w:-]*$/i.test(word);
}

/** Stands for every character of a thing, so that no word inside it counts as a word of the sentence. */
export const MASK = '¤';

export interface NamedThings {
  readonly things: readonly Thing[];
  readonly masked: string;
}

export function findThings(sentence: string, known: Known): NamedThings {
  const marked = findMarked(sentence, known);
  const inMarks = mask(sentence, marked);
  const bare = findBare(inMarks.replaceAll(/[`"]|(?<!\w)'|'(?!\w)/g, ' '), known);
  const plain = mask(inMarks, bare);
  const deeds = findDeeds(plain);
  const things = [...marked, ...bare, ...deeds].sort((a, b) => a.at - b.at);
  // `refresh()` is no verb.
  return { things, masked: mask(plain, deeds).replaceAll(/\w[\w.]*\([^()\s]*\)/g, (call) => '·'.repeat(call.length)) };
}

function mask(text: string, things: readonly Thing[]): string {
  let masked = text;
  for (const { at, end } of things) masked = masked.slice(0, at) + MASK.repeat(end - at) + masked.slice(end);
  return masked;
}

const SPAN = /`([^`]+)`|"([^"]+)"|(?<![\w])'([^']+)'(?!\w)/g;

/** Between backticks, or between quotation marks around nothing but a command or a file. */
function findMarked(sentence: string, known: Known): readonly Thing[] {
  return [...sentence.matchAll(SPAN)].flatMap((match) => {
    const inside = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    const thing = toThing(inside, known, match[1] !== undefined);
    return thing === undefined ? [] : [{ ...thing, at: match.index, end: match.index + match[0].length }];
  });
}

function toThing(text: string, known: Known, isCode: boolean): Omit<Thing, 'at' | 'end'> | undefined {
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
const OPTION = /^(?:--?[a-zA-Z][\w-]*(?:[= ][^\s-]\S*)?|[A-Z][A-Z0-9_]{2,}=\S+)$/;
/** A script, or a program in the project. */
const SCRIPT = /^(?:[\w.-]+\/)*[\w-]+\.(?:sh|bash|py|rb|ps1)$|^(?:\.\/|bin\/|scripts?\/)(?:[\w-]+\/)*[\w-]+$/;
const TOKEN = /[^\s,;()[\]{}“”„«»、，。；：！？（）「」]+/g;
/** A command in a sentence has no more words. */
const MAX_WORDS = 12;

function toWords(roles: readonly Role[]): string {
  return roles.flatMap((role) => Object.values(LANGUAGES).flatMap((words) => words[role] ?? [])).join('|');
}

const CALLING = new RegExp(
  `(?:^|[\\s"'\`])(?:${toWords(['want', 'firm', 'never', 'not', 'over', 'without', 'before'])})(?: (?:the|a|just|first|plain|also|to))*$`,
  'iu',
);
const USING = new RegExp(
  `(?:^|[\\s"'\`])(?:${toWords(['want', 'over', 'never'])}|without|ohne(?: vorher)?|sans|sin|sem|senza|zonder)$`,
  'iu',
);
/** Words that are no part of a command that they follow. */
const NO_PARTS = new RegExp(
  `^(?:${toWords(['small', 'not', 'never', 'over', 'before', 'without', 'reason', 'firm', 'must', 'when'])}|with|mit|avec|con|com|met|${toAlternatives(NO_PART)})$`,
  'iu',
);
const CUE_NEXT = new RegExp(
  `^(?:${toWords(['before', 'when', 'without', 'over', 'want', 'never', 'firm', 'must', 'ours', 'before-behind'])})(?![\\p{L}\\p{N}_-])`,
  'iu',
);
const SMALL = new RegExp(`^(?:${toWords(['small', 'not', 'over', 'before', 'reason', 'must', 'when'])})$`, 'iu');
const SENTENCE_WORDS = new RegExp(`^(?:${toAlternatives(SENTENCE_PROGRAMS)})$`);

interface Token {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** More than a blank stands between it and the next. */
  readonly isLast: boolean;
}

function findBare(text: string, known: Known): readonly Thing[] {
  const tokens = toTokens(text);
  const found: Thing[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]?.text.includes(MASK)) continue;
    const thing = findCommand(tokens, i, known, text) ?? findWord(tokens, i, known, text);
    if (thing === undefined) continue;
    found.push(thing);
    while ((tokens[i + 1]?.at ?? thing.end) < thing.end) i++;
  }
  return found;
}

function toTokens(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].flatMap((match) => {
    const bare = match[0].replace(/(?<=[^.])[.:!?…]+$|^[:…]+/, '');
    const end = match.index + bare.length;
    return bare === ''
      ? []
      : [{ text: bare, at: match.index, end, isLast: !/^ [^\s,;()]/.test(text.slice(end, end + 2)) }];
  });
}

function findCommand(tokens: readonly Token[], i: number, known: Known, text: string): Thing | undefined {
  const { at } = tokens[i] as Token;
  const last = tokens[i + countCommand(tokens, i, known, text) - 1];
  const typed = last === undefined || last.at < at ? '' : text.slice(at, last.end);
  const command =
    typed === '' ? undefined : toCommand(typed.replace(/^[A-Z](?=[a-z]+( |$))/, (letter) => letter.toLowerCase()));
  return command && { kind: 'command', text: typed, at, end: at + typed.length, command };
}

/** "Use just, not make": in a contrast both are programs. */
const CONTRAST = /\b(\w+)\s*,?\s*(?:not|instead of|over|rather than)\s+(\w+)\b(?!\s+\w+\s+\w)/;
const ARTICLE =
  /^(?:an?|the|this|that|our|your|my|its|eine?n?|de[rnms]|die|das|une?|le|la|el|los|uma?|os?|il|lo|een|het)$/i;
/** What a program's name may stand before and still be the program. */
const OWN_NOUN =
  /^(?:repo|repository|project|monorepo|commands?|cli|shop|codebase|workspace|proje[ck]t|proyecto|projeto|progetto|wrapper)$/i;

/** How many words from this one on are a command; zero for none. */
function countCommand(tokens: readonly Token[], start: number, known: Known, text: string): number {
  const { text: typed = '', at = 0, isLast = true } = tokens[start] ?? {};
  const name =
    /^[A-Z][a-z]+$/.test(typed) && isKnownAs(typed.toLowerCase(), 'unmistakable') ? typed.toLowerCase() : typed;
  const next = isLast ? '' : (tokens[start + 1]?.text ?? '');
  if (!/^[a-z.][\w./+-]*$/.test(name)) return 0;
  const isPair = isKnownPair(name, next, known);
  if (!isPair && !isProgram(name, next, known, { text, head: text.slice(0, at).trimEnd() })) return 0;
  if (NO_PARTS.test(name)) return 0;
  // "the npm package" names no command.
  const isNoun = !isLast && /^\p{L}{3,}$/u.test(next) && !OWN_NOUN.test(next) && !SMALL.test(next);
  if (isNoun && !isPair && ARTICLE.test(tokens[start - 1]?.text ?? '')) return 0;
  return countParts(tokens, start, name, known, text);
}

/** Is it the name of a program, by itself or by the words before it? */
function isProgram(name: string, next: string, known: Known, { text, head }: { text: string; head: string }): boolean {
  const isListedName = findFacts(name) !== undefined;
  const pair = CONTRAST.exec(text)?.slice(1) ?? [];
  const isUsed = new RegExp(`\\buse ${pair[0]}\\b`).test(text);
  if (pair.includes(name) && pair.every((one, i) => findFacts(one) !== undefined || (i === 0 && isUsed))) return true;
  // `make`, `go` and `find` are verbs, too.
  if (SENTENCE_WORDS.test(name)) return USING.test(head) && isPlain(next);
  if (isListedName && head === '' && CUE_NEXT.test(text.trimStart().slice(name.length).trimStart())) return true;
  if (isKnownAs(name, 'unmistakable') || (known.programs.has(name) && name.length > 2)) return true;
  const isScript = SCRIPT.test(name);
  if (!isScript && !isListedName) return false;
  const isCalled = CALLING.test(head);
  const isEdited = known.paths.some((path) => path.endsWith(`/${name}`));
  if (isScript && ((isEdited ? USING : CALLING).test(head) || name.startsWith('./'))) return !/\bwith$/i.test(head);
  return isListedName && (isCalled || isKnownAs(name, 'leading', 'build', 'lint', 'test'));
}

function isPlain(word: string): boolean {
  return /^[a-z][\w:-]*$/.test(word) && !NO_PARTS.test(word);
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
function countParts(tokens: readonly Token[], start: number, name: string, known: Known, text: string): number {
  const { at = 0 } = tokens[start] ?? {};
  const mayFollow = known.isEnglish !== false || SENTENCE_WORDS.test(name) || USING.test(text.slice(0, at).trimEnd());
  let [count, plain] = [1, 0];
  while (count < MAX_WORDS && !tokens[start + count - 1]?.isLast) {
    const { text: word, end } = tokens[start + count] as Token;
    if (word.includes(MASK) || !/^(?:--|-{1,2}\w[\w-]*(?:=\S+)?|[a-z0-9@./<][\w:@./=*<>-]*)$/.test(word)) break;
    const isBehind = /^-/.test(tokens[start + count - 1]?.text ?? '');
    const isPassedOn = tokens.slice(start, start + count).some((one) => one.text === '--') && !NO_PARTS.test(word);
    const isValue = isBehind && (/^\d+$/.test(word) || isPassedOn);
    const isMarked =
      isValue || (/^-|[./*=<]/.test(word) && !/^\.{2,}$/.test(word) && !(plain === 0 && /\.\w+$/.test(word)));
    const isSeen = isKnownPair(name, word, known);
    const isSub =
      !NO_PARTS.test(word) &&
      mayFollow &&
      isEnd(tokens, start + count, text) &&
      isSubWord(text.slice(at, end), word, plain + 1, /^ -/.test(text.slice(end)));
    if (!isMarked && !isSeen && !isSub) break;
    if (!isMarked) plain++;
    count++;
  }
  return count;
}

/** "gradle tout court": a word of the sentence follows, so this is one, too. */
function isEnd(tokens: readonly Token[], at: number, text: string): boolean {
  const next = tokens[at + 1]?.text ?? '';
  const rest = text.slice(tokens[at + 1]?.at ?? text.length);
  return tokens[at]?.isLast === true || /^[-¤.]|[/=]/.test(next) || NO_PARTS.test(next) || CUE_NEXT.test(rest);
}

function isSubWord(typed: string, word: string, plain: number, isOptionNext: boolean): boolean {
  const command = toCommand(typed);
  if (command === undefined || /^v?\d/.test(word)) return false;
  const isScript = isInterpreter(command.program);
  if (isScript) return SCRIPT.test(word) || (plain === 2 && SCRIPT.test(command.args[0]?.value ?? ''));
  return (
    (plain === 1 && (!isKnownAs(command.program, 'flat') || isOptionNext)) ||
    toSubCommand(command).length >= plain ||
    findScriptName(command) === word
  );
}

const IN =
  /^(?:in|into|inside|under|to|from|of|below|touch|edit|auf|unter|nach|dans|sous|vers|en|bajo|em|no|na|nella?|sotto|naar|onder|в)$/i;

/** Behind these words, the name of a task is the command that ran it. */
const BANNING = new RegExp(`(?:^|\\s)(?:${toWords(['never', 'not', 'over', 'before'])}|ever)$`, 'iu');
/** "Never edit a migration": a file in the folder `migrations`. */
const CHANGING = new RegExp(`(?:^|\\s)(?:${toWords(['change'])})(?: \\p{L}+){0,2}$`, 'iu');
const TASK = /^[a-z]\w*(?:[a-z][A-Z]|[:_-])\w+$/;

function findWord(tokens: readonly Token[], i: number, known: Known, sentence: string): Thing | undefined {
  const { text, at, end } = tokens[i] as Token;
  const [before, next] = [tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? ''];
  const isPlace = IN.test(before) || /^(?:files?|dateien|fichiers?|archivos?|folder|dir|directory)$/i.test(next);
  const file = findFile(text, known, isPlace, IN.test(before));
  if (file !== undefined) return { kind: 'file', text: file, at, end };
  if (/^(?:--?[a-zA-Z][\w-]*(?:=\S+)?|[A-Z][A-Z0-9_]{2,}=\S+)$/.test(text)) return { kind: 'option', text, at, end };
  const head = sentence.slice(0, at).trimEnd();
  const isTask =
    TASK.test(text) || BANNING.test(head) || (head === '' && CUE_NEXT.test(sentence.slice(end).trimStart()));
  const phrase = known.done.get(toStem(`${text} ${next}`));
  if (phrase !== undefined)
    return { kind: 'command', text: phrase.text, at, end: tokens[i + 1]?.end ?? end, command: phrase };
  const done = isTask && findDeeds(text).length === 0 ? known.done.get(toStem(text)) : undefined;
  if (done !== undefined) return { kind: 'command', text: done.text, at, end, command: done };
  const folder = CHANGING.test(head) ? known.folders.get(toStem(text)) : undefined;
  if (folder !== undefined) return { kind: 'file', text: folder, at, end };
  const shown = known.shown.get(toStem(text));
  return shown && { ...shown, at, end, isShown: true };
}

/** `linter`, `lint` and `Linting` are one word. */
export function toStem(word: string): string {
  return word.toLowerCase().replace(/(?<=\w{3})(?:ers?|ing|e?s|en|n|e)$/, '');
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
/** Folders that are no word of a sentence. */
const MADE = /^(?:dist|vendor|gen|node_modules|src|lib)$/;
/** All files of a kind: `.proto` and `*.proto`, but not `.env`. */
const KIND = new RegExp(`^\\*?(\\.(?!env$)(?:${toAlternatives(EXTENSIONS)}))$`, 'i');

/** The name of a file or a folder as a rule has it. `isPlace`: the words beside it say that it is one. */
function findFile(word: string, known: Known, isPlace: boolean, isIn = isPlace): string | undefined {
  if (word.includes('://') || /\s/.test(word)) return undefined;
  const bare = word.replace(/^@/, '').replace(/^\.\//, '');
  const { paths } = known;
  const isEnding =
    /^\*?\.[a-z][\w.-]{1,14}$/i.test(bare) &&
    paths.some((path) => path.endsWith(bare.replace('*', '')) && toBaseName(path) !== bare);
  if (isEnding || KIND.test(bare)) return `*${bare.replace('*', '')}`;
  if (bare.length > 2 && /[./]/.test(bare) && paths.some((path) => path.endsWith(`/${bare}`))) return bare;
  if (FOLDER.test(bare)) return bare.replace(/\*+$/, '');
  if (NAMED_FILE.test(bare)) return bare;
  if (isFolder(bare, known, isPlace, isIn)) return `${bare}/`;
  const isPath = /^(?:[\w@.*+-]+\/)+[\w@*+-][\w@.*+-]*\.[a-z]\w{0,7}$/i.test(bare);
  return isPath || FILE_NAME.test(word) || DOT_FILE.test(bare) ? bare : undefined;
}

function isFolder(bare: string, { paths }: Known, isPlace: boolean, isIn: boolean): boolean {
  const isSeen = (): boolean => paths.some((path) => `/${path}`.includes(`/${bare}/`));
  if (SLASHED.test(bare))
    return !/\.\w{1,5}$/.test(bare) && ((isPlace && !/^(?:origin|feature|fix)\//.test(bare)) || isSeen());
  return /^[\w.-]{3,}$/.test(bare) && (isIn || /[_-]/.test(bare) || MADE.test(bare)) && isSeen();
}

const DEED_ROWS = DEEDS.map(([words, name]) => ({
  name,
  regex: new RegExp(
    `(?<![\\p{L}\\p{N}_-](?<![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]))(?<!\\b(?:in|into|from|of|with) (?:the|a|an|this|that|your|my|one|last)(?: last)? |\\b(?:merge|squash|fixup|wip|last) )(?:${words})(?![\\p{Script=Latin}\\p{N}_-])`,
    'giu',
  ),
  command: toCommand(name),
}));

/** The first row that fits a place has it: `force push` is no mere `push`. */
function findDeeds(masked: string): readonly Thing[] {
  const found: Thing[] = [];
  for (const { name, regex, command } of DEED_ROWS) {
    // Most rows fit nowhere, and `matchAll` copies the expression first.
    if (masked.search(regex) < 0) continue;
    for (const match of masked.matchAll(regex)) {
      const [at, end] = [match.index, match.index + match[0].length];
      if (match[0].trim() === '' || found.some((one) => at < one.end && one.at < end)) continue;
      const isText = /m(?:e|en)s|nachricht|信息|メッ/i.test(match[0]);
      found.push({ kind: 'deed', text: name, at, end, ...(command && { command }), ...(isText && { isText }) });
    }
  }
  return found;
}

function toAlternatives(list: string): string {
  return list.replaceAll(' ', '|');
}
