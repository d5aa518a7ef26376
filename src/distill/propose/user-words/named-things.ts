/** The files, commands and options that a sentence names, with their places in it. */

import { ANY_SHELL, parseCommand } from '../../../base/shell/parse-command.ts';
import { findFacts, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import { isListed } from '../../../base/shell/programs/find-program.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { DEEDS, EXTENSIONS, LANGUAGES, NO_PART, OTHER_DEEDS, type Role, SENTENCE_PROGRAMS } from './rule-words.ts';

export interface Thing {
  readonly kind: 'file' | 'command' | 'option' | 'deed';
  /** As the user wrote it; of a deed, the keyword or the command. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Of a command, and of a deed that a command does. */
  readonly command?: SimpleCommand;
  /** The thing that a deed makes, not the deed: `in the commit`. It can be a moment, and is never forbidden. */
  readonly isNoun?: true;
}

/** What the session is known to have: names that a sentence may use without saying what they are. */
export interface Known {
  /** Alone, and with their first word. */
  readonly programs: ReadonlySet<string>;
  /** Files that calls read or wrote. */
  readonly paths: readonly string[];
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
  if (isFile(text, known)) return { kind: 'file', text: toFileName(text) };
  if (OPTION.test(text)) return { kind: 'option', text };
  const [first = ''] = text.split(/\s+/);
  const isProgram = findFacts(first) !== undefined || known.programs.has(first) || SCRIPT.test(first);
  if (!isProgram && !(isCode && /^[\w./-]+ +[\w./:@-]+/.test(text) && !/[(){};]/.test(text))) return undefined;
  const command = toCommand(text);
  return command === undefined ? undefined : { kind: 'command', text, command };
}

export function toCommand(text: string): SimpleCommand | undefined {
  return parseCommand(text, ANY_SHELL).findLast(({ program }) => /^[\w.+@-]+$/.test(program));
}

const OPTION = /^--?[a-zA-Z][\w-]*(?:=\S+)?$/;
/** A script, or a program in the project. */
const SCRIPT = /^(?:[\w.-]+\/)*[\w-]+\.(?:sh|bash|py|rb|ps1)$|^(?:\.\/|bin\/|scripts?\/)(?:[\w-]+\/)*[\w-]+$/;
const TOKEN = /[^\s,;()[\]{}“”„«»、，。；：！？（）「」]+/g;
/** Of a command in a sentence, besides its options, their values and paths. */
const MAX_WORDS = 4;
const MAX_ALL_WORDS = 12;
const RUN_VERBS = toVerbs('use', 'run', 'always', 'never', 'not', 'without', 'before');
/** Words that are no program, although some machine has one of that name. */
const VERBS = toVerbs('use', 'run', 'change');

function toVerbs(...roles: readonly Role[]): RegExp {
  const rows = roles.flatMap((role) => Object.values(LANGUAGES).flatMap(({ words }) => words[role] ?? []));
  return new RegExp(`^(?:${rows.join('|')})$`, 'iu');
}

interface Token {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** More than a blank stands between it and the next. */
  readonly isLast: boolean;
  readonly isColon: boolean;
}

function findBare(text: string, known: Known): readonly Thing[] {
  const tokens = toTokens(text);
  const hasKinds = tokens.some((token, i) => EACH.test(tokens[i - 1]?.text ?? '') && /^\*?\./.test(token.text));
  const found: Thing[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.text.includes(MASK)) continue;
    const count = countCommand(tokens, i, known);
    const last = tokens[i + count - 1];
    const command = count > 0 && last !== undefined ? toCommand(text.slice(token.at, last.end)) : undefined;
    if (command !== undefined && last !== undefined) {
      found.push({ kind: 'command', text: text.slice(token.at, last.end), at: token.at, end: last.end, command });
      i += count - 1;
    } else if (isFile(token.text, known)) {
      const isKind = hasKinds && LONG_KIND.test(token.text);
      found.push({ kind: 'file', ...token, text: isKind ? `*${token.text}` : toFileName(token.text) });
    } else if (OPTION.test(token.text)) found.push({ kind: 'option', ...token });
  }
  return found;
}

function toTokens(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    // `./...` and `.` are operands; other dots end a sentence.
    const bare = /\/\.{3}$|^\.{1,2}$/.test(match[0]) ? match[0] : match[0].replace(/[.:!?…'"]+$/, '');
    const end = match.index + bare.length;
    const isLast = !/^ [^\s,;()]/.test(text.slice(end, end + 2));
    return { text: bare, at: match.index, end, isLast, isColon: text[end] === ':' };
  });
}

/** How many words from this one on are a command; zero for none. */
function countCommand(tokens: readonly Token[], start: number, known: Known): number {
  const name = tokens[start]?.text ?? '';
  const before = tokens[start - 1];
  const isFirst = (before === undefined || before.isColon) && !SENTENCE_WORDS.test(name);
  const words = [before?.text ?? '', `${tokens[start - 2]?.text ?? ''} ${before?.text ?? ''}`];
  const isTold = isFirst || before?.isColon === true || words.some((word) => RUN_VERBS.test(word));
  const isPair = isKnownPair(name, tokens[start + 1]?.text ?? '', known);
  if (!isPair && !mayBegin(name, isTold, known)) return 0;
  const count = countParts(tokens, start);
  const isSure = isKnownAs(name, 'unmistakable') || SCRIPT.test(name) || known.programs.has(name);
  return count === 1 && !isSure && (!isTold || SENTENCE_WORDS.test(name)) ? 0 : count;
}

function countParts(tokens: readonly Token[], start: number): number {
  const name = tokens[start]?.text ?? '';
  let [count, plain] = [1, 1];
  while (count < MAX_ALL_WORDS && !tokens[start + count - 1]?.isLast) {
    const [word, before] = [tokens[start + count]?.text ?? '', tokens[start + count - 1]?.text ?? ''];
    // `pr` of `gh pr create` is also a word of sentences.
    const isGroup = count === 1 && isKnownAs(name, 'hub') && /^[pm]r$/.test(word);
    if (!isGroup && !isPart(word)) break;
    const isPlain = /^\w[\w:-]*$/.test(word) && !before.startsWith('-');
    if (isPlain && plain === MAX_WORDS) break;
    if (isPlain) plain++;
    count++;
  }
  return count;
}

/** A shorter name of a program may be a word of any language. */
const MIN_SEEN_CHARS = 4;

/** `go test`: the session ran it, or the catalogue has its second word. */
function isKnownPair(name: string, next: string, { programs }: Known): boolean {
  const { subs = {}, groups, single, own } = findFacts(name) ?? {};
  return (
    programs.has(`${name} ${next}`) ||
    [...Object.values(subs), groups, single, own].some((list) => isListed(next, list))
  );
}

function mayBegin(name: string, isTold: boolean, { programs }: Known): boolean {
  if (!/^[a-z.]/.test(name) || VERBS.test(name) || NO_PARTS.test(name)) return false;
  if (isKnownAs(name, 'unmistakable')) return true;
  const isSeen = programs.has(name) && !SENTENCE_WORDS.test(name);
  if (isSeen && name.length >= MIN_SEEN_CHARS) return true;
  const isKnown = findFacts(name) !== undefined || programs.has(name) || SCRIPT.test(name);
  return isKnown && (isTold || isKnownAs(name, 'build', 'leading'));
}

const SENTENCE_WORDS = new RegExp(`^(?:${toAlternatives(SENTENCE_PROGRAMS)})$`);
const NO_PARTS = new RegExp(`^(?:${toAlternatives(NO_PART)})$`, 'iu');

function isPart(word: string): boolean {
  return (
    word !== '' &&
    !word.includes(MASK) &&
    !NO_PARTS.test(word) &&
    /^(?:-{1,2}[\w-]+(?:=\S+)?|[a-z0-9@.][\w:@./=*-]*)$/.test(word)
  );
}

const FILE_NAME = new RegExp(
  `^@?(?:\\.{0,2}/)?(?:[\\w@.*+()[\\]-]+/)*[\\w@*+-][\\w@.*+-]*\\.(?:${toAlternatives(EXTENSIONS)})$`,
  'i',
);
const DOT_FILE = /^(?:[\w.*-]+\/)*\.(?!net$|com$)[a-z][\w.-]{2,}$/;
const NAMED_FILE =
  /^(?:[\w.-]+\/)*(?:[A-Z][a-z]+file|CODEOWNERS|LICENSE|NOTICE|README|CHANGELOG|changelog|readme|Changelog|Readme)$/;
const FOLDER = /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)*\/(?:\*{1,2})?$/;
/** Names of products that look like files. */
const PRODUCT =
  /^(?:node|next|vue|nuxt|express|three|react|ember|d3|chart|socket|alpine|discord|moment|day|p5|nest|backbone|angular|solid|knockout|asp)\.(?:js|net)$/i;

function isFile(word: string, { paths }: Known): boolean {
  if (word.includes('://') || /\s/.test(word)) return false;
  const bare = word.replace(/^@/, '').replace(/^\.\//, '');
  if (bare.length > 2 && paths.some((path) => path.endsWith(`/${bare}`) && /[./]/.test(bare))) return true;
  if (PRODUCT.test(word)) return false;
  return FILE_NAME.test(word) || KIND.test(word) || DOT_FILE.test(bare) || NAMED_FILE.test(bare) || FOLDER.test(bare);
}

/** All files of a kind: `.proto` and `*.proto`, but not `.env`. */
function toFileName(word: string): string {
  return word.replace(/^@/, '').replace(KIND, '*$1');
}

const KIND = new RegExp(`^\\*?(\\.(?!env$)(?:${toAlternatives(EXTENSIONS)}))$`, 'i');

/** "Every .test.ts": a kind of files; else it may be a file of that name, like `.eslintrc.json`. */
const EACH = /^(?:every|each|any|all|jede[rsnm]?|chaque|cada|toda?)$/i;
const LONG_KIND = new RegExp(`^\\.[\\w-]+\\.(?:${toAlternatives(EXTENSIONS)})$`, 'i');

const DEED_ROWS = [...DEEDS, ...OTHER_DEEDS].map(([words, name], i) => ({
  name,
  regex: new RegExp(`(?<![\\p{Script=Latin}\\p{N}_-])(?:${words})(?![\\p{Script=Latin}\\p{N}_-])`, 'giu'),
  command: i < DEEDS.length ? toCommand(name) : undefined,
}));

/** What stands before a noun. */
const NOUN = /\b(?:in|into|from|of) (?:the|a|an|this|that|your|my|one|every|each|any)(?: \w+)? $/i;

/** `merge commits`; not `no commits`, `never commits`. */
const KIND_OF = /\b(?:merge|squash|fixup|wip|empty|signed|atomic|small|big|huge) $/i;

/** The first row that fits a place has it: `force push` is no mere `push`. */
function findDeeds(masked: string): readonly Thing[] {
  const found: Thing[] = [];
  for (const { name, regex, command } of DEED_ROWS)
    for (const match of masked.matchAll(regex)) {
      const [at, end] = [match.index, match.index + match[0].length];
      if (match[0].trim() === '' || found.some((one) => at < one.end && one.at < end)) continue;
      const isNoun = NOUN.test(masked.slice(0, at)) || (/s$/i.test(match[0]) && KIND_OF.test(masked.slice(0, at)));
      found.push({
        ...{ kind: 'deed', text: name, at, end },
        ...(command === undefined ? {} : { command }),
        ...(isNoun ? { isNoun } : {}),
      });
    }
  return found;
}

function toAlternatives(list: string): string {
  return list.replaceAll(' ', '|');
}
