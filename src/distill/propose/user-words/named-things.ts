/** The files, commands and options that a sentence names, with their places in it. */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOperands } from '../../../base/shell/command-words.ts';
import { ANY_SHELL, parseCall, parseCommand } from '../../../base/shell/parse-command.ts';
import { findFacts, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import { isListed } from '../../../base/shell/programs/find-program.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { findScriptName, isInterpreter, toSubCommand, unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { DEEDS, EXTENSIONS, NO_PART, OTHER_DEEDS, SENTENCE_PROGRAMS } from './name-words.ts';
import { LANGUAGES, type Role } from './rule-words.ts';

export interface Thing {
  readonly kind: 'file' | 'command' | 'option' | 'deed';
  /** As the user wrote it; of a deed, the keyword or the command. A folder ends with a slash. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Of a command, and of a deed that a command does. */
  readonly command?: SimpleCommand;
  /** A deed that is told of: `pushed`. */
  readonly isPast?: true;
  /** The text of a commit, not the commit. */
  readonly isText?: true;
}

/** The names that the calls of a session have: a sentence may use them without saying what they are. */
export interface Known {
  /** Programs, alone and with any of their words. */
  readonly programs: ReadonlySet<string>;
  /** Files that calls read or wrote, and words of commands that may be paths. */
  readonly paths: readonly string[];
}

export function toKnown(calls: readonly LiveCall[]): Known {
  const commands = calls.flatMap(parseCall);
  return {
    paths: [
      ...calls.flatMap(({ targetPath }) => targetPath ?? []),
      ...commands.flatMap(toOperands).filter((word) => word.includes('/')),
    ],
    programs: new Set(
      [...commands, ...commands.map(unwrapRunner)].flatMap(({ program, args }) => [
        program,
        ...args.map(({ value }) => `${program} ${value}`),
      ]),
    ),
  };
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
    const before = sentence.slice(0, match.index).trimEnd();
    const thing = toThing(inside, known, match[1] !== undefined, isAsked(before));
    return thing === undefined ? [] : [{ ...thing, at: match.index, end: match.index + match[0].length }];
  });
}

function toThing(text: string, known: Known, isCode: boolean, isTold: boolean): Omit<Thing, 'at' | 'end'> | undefined {
  const file = findFile(text, known, isCode);
  if (file !== undefined) return { kind: 'file', text: file };
  if (OPTION.test(text)) return { kind: 'option', text };
  const [first = ''] = text.split(/\s+/);
  const isProgram = findFacts(first) !== undefined || known.programs.has(first) || SCRIPT.test(first);
  const isWords = /^[\w./-]+ +[\w./:@-]+/.test(text) || (isTold && /^[\w./-]+$/.test(text));
  if (!isProgram && !(isCode && isWords && !/[(){};]/.test(text))) return undefined;
  const command = toCommand(text);
  return command === undefined ? undefined : { kind: 'command', text, command };
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

function toWords(roles: readonly Role[], languages = Object.values(LANGUAGES)): RegExp {
  const rows = roles.flatMap((role) => languages.flatMap((words) => words[role] ?? []));
  return new RegExp(`^(?:${rows.join('|')})$`, 'iu');
}

const ASKING = toWords([
  'use',
  'run',
  'always',
  'never',
  'not',
  'without',
  'before',
  'after',
  'case',
  'instead-of',
  'ask',
  'remind',
]);
const FOREIGN = Object.values(LANGUAGES).filter((one) => one !== LANGUAGES.english);
/** Where the sentence is not English, no English word stands behind these. */
const FOREIGN_ASKING = toWords(['use', 'run', 'always', 'never', 'without', 'before', 'instead-of'], FOREIGN);
const RUNNING = toWords(['use', 'run', 'instead-of']);
/** Verbs that are no program, and outside English no sub-command either. */
const VERBS = toWords(['use', 'run', 'change']);
const FOREIGN_VERBS = toWords(['use', 'run', 'change'], FOREIGN);
const NO_PARTS = new RegExp(
  `${toWords(['filler', 'ask', 'pronoun', 'but', 'also', 'not', 'reason', 'must', 'instead-of', 'before', 'without', 'always']).source}|${FOREIGN_VERBS.source}|^(?:with|mit|avec|con|com|met|${toAlternatives(NO_PART)})$`,
  'iu',
);

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
    const thing =
      findCommand(tokens, i, known, text) ?? findPath(tokens, i, known) ?? findOption(tokens, i, known, text);
    if (thing === undefined) continue;
    found.push(thing);
    while ((tokens[i + 1]?.at ?? thing.end) < thing.end) i++;
  }
  return found;
}

function findCommand(tokens: readonly Token[], i: number, known: Known, text: string): Thing | undefined {
  const { at } = tokens[i] as Token;
  const last = tokens[i + countCommand(tokens, i, known, text) - 1];
  const typed = last === undefined || last.at < at ? '' : text.slice(at, last.end);
  const command = typed === '' ? undefined : toCommand(typed);
  return command && { kind: 'command', text: typed, at, end: at + typed.length, command };
}

function findPath(tokens: readonly Token[], i: number, known: Known): Thing | undefined {
  const [{ text, at, end }, before, next] = [tokens[i] as Token, tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? ''];
  const isPlace = IN.test(before) || /^(?:files?|dateien|fichiers?|archivos?|folder)$/i.test(next);
  const file = findFile(text, known, isPlace, EACH.test(before));
  return file === undefined ? undefined : { kind: 'file', text: file, at, end };
}

/** With its value, if the session gave it one. */
function findOption(tokens: readonly Token[], i: number, { programs }: Known, text: string): Thing | undefined {
  const [token, value] = [tokens[i] as Token, tokens[i + 1]];
  if (!OPTION.test(token.text)) return undefined;
  const isSeen = (word: string): boolean => [...programs].some((one) => one.endsWith(` ${word}`));
  const isValue = !token.isLast && value !== undefined && isSeen(token.text) && isSeen(value.text);
  const end = isValue ? value.end : token.end;
  return { kind: 'option', text: text.slice(token.at, end), at: token.at, end };
}

function toTokens(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    // `./...` and `.` are operands; other dots end a sentence.
    const bare = /\/\.{3}$|^\.{1,2}$/.test(match[0]) ? match[0] : match[0].replace(/[.:!?…'"]+$/, '');
    const end = match.index + bare.length;
    const isLast = !/^ [^\s,;()]/.test(text.slice(end, end + 2));
    return { text: bare, at: match.index, end, isLast };
  });
}

const ARTICLE =
  /^(?:an?|the|this|that|our|your|my|its|eine?n?|de[rnms]|die|das|une?|le|la|el|los|uma?|os?|il|lo|een|het)$/i;

/** How many words from this one on are a command; zero for none. */
function countCommand(tokens: readonly Token[], start: number, known: Known, text: string): number {
  const [name, before, next] = [start, start - 1, start + 1].map((at) => tokens[at]?.text ?? '') as [
    string,
    string,
    string,
  ];
  const head = text.slice(0, tokens[start]?.at).trimEnd();
  const [isWord, isScript, isPair] = [SENTENCE_WORDS.test(name), SCRIPT.test(name), isKnownPair(name, next, known)];
  const isFirst = /^$|[,;:(!—–-]$/.test(head);
  const isTold = isFirst ? !isWord && !isScript : isAsked(head, isScript ? RUNNING : ASKING);
  if (!isPair && !mayBegin(name, isTold, known)) return 0;
  // "must not open a.ts" names no program.
  if (isWord && !isPair && !RUNNING.test(before) && !isAsked(head, FOREIGN_ASKING)) return 0;
  // "the npm package" names no command, "a yarn repo" does.
  if (ARTICLE.test(before) && !isPair) return isNoun(tokens, start) ? 0 : 1;
  const count = countParts(tokens, start, known, text, isAsked(head));
  const isSure = !isWord && (isTold || isKnownAs(name, 'unmistakable') || known.programs.has(name));
  // "every python edit"
  const isModifier = isInterpreter(name) && isNoun(tokens, start);
  return count === 1 && (!isSure || isModifier) ? 0 : count;
}

function isNoun(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text ?? '';
  return tokens[at]?.isLast === false && !OWN_NOUN.test(next) && /^\p{L}/u.test(next);
}

const SKIPPED =
  /^(?:first|erst|zuerst|vorher|just|also|auch|einfach|d'abord|primero|primeiro|prima|eerst|an?|the|plain|raw)$/i;
const OWN_NOUN =
  /^(?:repo|repository|project|monorepo|shop|codebase|workspace|command|cli|proje[ck]t|proyecto|projeto|progetto|in|is|for|with|to)$/i;

/** The words before it ask for something to be run. */
function isAsked(head: string, asking = ASKING): boolean {
  const words = head
    .replaceAll(/[`"']/g, ' ')
    .split(/[\s,;:]+/)
    .filter((word) => word !== '' && !SKIPPED.test(word));
  // "along with a.py" runs nothing.
  if (asking === RUNNING && /^(?:along|together|zusammen|junto|insieme|samen)$/i.test(words.at(-2) ?? '')) return false;
  return words.length > 0 && (asking.test(words.at(-1) ?? '') || asking.test(words.slice(-2).join(' ')));
}

/** The words of the sub-command, options, paths, and words that the session's own commands have. */
function countParts(tokens: readonly Token[], start: number, known: Known, text: string, isTold: boolean): number {
  const { text: name = '', at = 0 } = tokens[start] ?? {};
  let [count, plain] = [1, 0];
  while (count < MAX_WORDS && !tokens[start + count - 1]?.isLast) {
    const { text: word, end } = tokens[start + count] as Token;
    if (word.includes(MASK) || !/^(?:--|-{1,2}\w[\w-]*(?:=\S+)?|[a-z0-9@./<][\w:@./=*<>-]*)$/.test(word)) break;
    const isMarked = /^-|[./*=<]/.test(word) && !/^\.+$/.test(word);
    const isValue = isListed(tokens[start + count - 1]?.text ?? '', findFacts(name)?.valued);
    const isSeen = known.programs.has(`${name} ${word}`) || (isListed(word, 'pr mr') && isKnownAs(name, 'hub'));
    const isNext = isTold || isEnd(tokens, start + count) || isKnownPair(name, word, known);
    const isSub = isNext && !NO_PARTS.test(word) && isSubWord(text.slice(at, end), word, plain + 1);
    if (!isMarked && !isValue && !isSeen && !isSub) break;
    if (!isMarked) plain++;
    count++;
  }
  return count;
}

/** The command is all that the clause says. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text ?? '';
  return tokens[at]?.isLast === true || /^-/.test(next) || NO_PARTS.test(next);
}

function isSubWord(typed: string, word: string, plain: number): boolean {
  const command = toCommand(typed);
  if (command === undefined || /^v?\d/.test(word) || isInterpreter(command.program)) return false;
  const inner = unwrapRunner(command);
  const isInner = inner !== command && inner.args.length <= 1;
  return plain === 1 || isInner || toSubCommand(command).length >= plain || findScriptName(command) === word;
}

/** A shorter name of a program may be a word of any language. */
const MIN_SEEN_CHARS = 4;

/** `go test`: the session ran it, or the catalogue has its second word. */
function isKnownPair(name: string, next: string, { programs }: Known): boolean {
  const { subs = {}, groups, single, own } = findFacts(name) ?? {};
  return (
    (programs.has(`${name} ${next}`) && /\w/.test(next)) ||
    [...Object.values(subs), groups, single, own].some((list) => isListed(next, list))
  );
}

function mayBegin(name: string, isTold: boolean, { programs }: Known): boolean {
  if (!/^[a-z.][\w./+-]*$/.test(name) || NO_PARTS.test(name) || VERBS.test(name)) return false;
  if (isKnownAs(name, 'unmistakable')) return true;
  if (programs.has(name) && !SENTENCE_WORDS.test(name) && name.length >= MIN_SEEN_CHARS) return true;
  const isKnown = findFacts(name) !== undefined || programs.has(name) || SCRIPT.test(name);
  return isKnown && (isTold || isKnownAs(name, 'build', 'leading'));
}

const SENTENCE_WORDS = new RegExp(`^(?:${toAlternatives(SENTENCE_PROGRAMS)})$`);
const FILE_NAME = new RegExp(
  `^@?(?:\\.{0,2}/)?(?:[\\w@.*+()[\\]-]+/)*[\\w@*+-][\\w@.*+-]*\\.(?:${toAlternatives(EXTENSIONS)})$`,
  'i',
);
const DOT_FILE = /^(?:[\w.*-]+\/)*\.(?!net$|com$)[a-z][\w.-]{2,}$/;
const NAMED_FILE =
  /^(?:[\w.-]+\/)*(?:[A-Z][a-z]+file|CODEOWNERS|LICENSE|NOTICE|README|CHANGELOG|changelog|readme|Changelog|Readme)$/;
const FOLDER = /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)*\/(?:\*{1,2})?$/;
const SLASHED = /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+$/;
const IN =
  /^(?:in|into|inside|under|to|from|of|below|auf|unter|nach|dans|sous|vers|en|bajo|em|nella?|sotto|naar|onder|в)$/i;
/** Names of products that look like files. */
const PRODUCT =
  /^(?:node|next|vue|nuxt|express|three|react|ember|d3|chart|socket|alpine|discord|moment|day|p5|nest|backbone|angular|solid|knockout|asp)\.(?:js|net)$/i;

/** All files of a kind: `.proto` and `*.proto`, but not `.env`. */
const KIND = new RegExp(`^\\*?(\\.(?!env$)(?:${toAlternatives(EXTENSIONS)}))$`, 'i');
/** "Every .test.ts": a kind of files; else it may be a file of that name, like `.eslintrc.json`. */
const EACH = /^(?:every|each|any|all|jede[rsnm]?|chaque|cada|toda?|ogni|elke?)$/i;

/** The name of a file or a folder as a rule has it. `isPlace`: the words beside it say that it is one. */
function findFile(word: string, { paths }: Known, isPlace: boolean, isEach = false): string | undefined {
  if (word.includes('://') || /\s/.test(word)) return undefined;
  const bare = word.replace(/^@/, '').replace(/^\.\//, '');
  const isEnding =
    /^\*?\.[a-z]\w{1,9}$/i.test(bare) &&
    (isPlace || isEach) &&
    paths.some((path) => path.endsWith(bare.replace('*', '')));
  if (isEnding || KIND.test(bare) || (isEach && /^\*?\.[\w-]+\.\w+$/.test(bare))) return `*${bare.replace('*', '')}`;
  if (bare.length > 2 && paths.some((path) => path.endsWith(`/${bare}`) && /[./]/.test(bare))) return bare;
  if (FOLDER.test(bare)) return bare.replace(/\*+$/, '');
  const isFolder =
    paths.some((path) => `/${path}`.includes(`/${bare}/`)) || (isPlace && !/^(?:origin|feature|fix)\//.test(bare));
  if (NAMED_FILE.test(bare)) return bare;
  if (SLASHED.test(bare) && !/\.\w{1,5}$/.test(bare) && isFolder) return `${bare}/`;
  if (PRODUCT.test(word)) return undefined;
  const isPath = /^(?:[\w@.*+-]+\/)+[\w@*+-][\w@.*+-]*\.[a-z]\w{0,7}$/i.test(bare);
  return isPath || FILE_NAME.test(word) || DOT_FILE.test(bare) ? bare : undefined;
}

const DEED_ROWS = [...DEEDS, ...OTHER_DEEDS].map(([words, name], i) => ({
  name,
  regex: new RegExp(
    `(?<![\\p{L}\\p{N}_-](?<![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]))(?:${words})(?![\\p{Script=Latin}\\p{N}_-])`,
    'giu',
  ),
  command: i < DEEDS.length ? toCommand(name) : undefined,
}));

/** The first row that fits a place has it: `force push` is no mere `push`. */
function findDeeds(masked: string): readonly Thing[] {
  const found: Thing[] = [];
  for (const { name, regex, command } of DEED_ROWS)
    for (const match of masked.matchAll(regex)) {
      const [at, end] = [match.index, match.index + match[0].length];
      if (match[0].trim() === '' || found.some((one) => at < one.end && one.at < end)) continue;
      const isPast = /(?<!ne)ed$|^gepusht$|^committet$/i.test(match[0]);
      found.push({
        kind: 'deed',
        text: name,
        at,
        end,
        ...(command && { command }),
        ...(isPast && { isPast }),
        ...(/m(?:e|en)s|nachricht|信息|メッ/i.test(match[0]) && { isText: true as const }),
      });
    }
  return found;
}

function toAlternatives(list: string): string {
  return list.replaceAll(' ', '|');
}
