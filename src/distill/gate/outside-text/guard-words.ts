/**
 * Words of a lesson as they may be kept. What a program printed is evidence: one short plain line of it may be quoted,
 * without addresses, encodings and markup, and not at all where it speaks to its reader.
 */

import { hideRandom } from '../../../base/secrets/secret-values.ts';
import { listOpenQuotes, listQuotations, toShortChars } from '../../../base/text/short-text.ts';
import { blankTyped, countWords, findQuoted, isPrinted, type Sources, type Span, toSearchable } from './find-quoted.ts';
import { findPoison, isAttack, type PoisonShape } from './poison-shapes.ts';
import { toPlainLine } from './to-plain-line.ts';

/** Of everything that was printed, no text holds more than this. */
export const QUOTE_CHARS = 160;
/** In place of a message that is not repeated. */
export const NEUTRAL = '(its message is not repeated here)';

export interface Guarded {
  readonly text: string;
  /** The same without a word of what was printed: for what tells its reader what to do. */
  readonly own: string;
  /** How many of its words were printed by a call and typed by nobody. */
  readonly quotedWords: number;
  /** Of so many. */
  readonly words: number;
  /** The worst that was taken out. */
  readonly poison?: PoisonShape['kind'] | undefined;
}

export function guardWords(raw: string, sources: Sources): Guarded {
  const echo = maskEchoes(toPlainLine(raw), sources);
  const plain = maskLong(echo.text, sources);
  const spans = joinAll(
    findQuoted(plain, sources).map((span) => encloseCode(enclose(widen(span, plain), plain, sources.typed), plain)),
  );
  const poisons: (PoisonShape['kind'] | undefined)[] = [echo.poison];
  let [text, own, from, room] = ['', '', 0, QUOTE_CHARS];
  for (const { start, end } of spans) {
    const quote = cleanQuote(plain.slice(start, end), sources);
    poisons.push(quote.poison);
    const shown = cut(quote.text, room);
    room = Math.max(0, room - shown.length);
    text += plain.slice(from, start) + shown;
    own += `${plain.slice(from, start)}…`;
    from = end;
  }
  own = dropMarks(mask(own + plain.slice(from), URLS, sources));
  text = dropMarks(mask(text + plain.slice(from), URLS, sources));
  // Nobody typed it and it was not seen as printed: reworded, or too short to tell.
  if (isAttack(blankTyped(text, sources))) return NOTHING;
  const quotedWords = spans.reduce((sum, { words }) => sum + words, 0);
  return {
    text: toBalanced([text, own], raw),
    own: /[\p{L}\p{N}]/u.test(own) ? toBalanced([own], raw) : NEUTRAL,
    quotedWords,
    words: countWords(plain),
    poison: POISONS.find((kind) => poisons.includes(kind)),
  };
}

const NOTHING: Guarded = { text: NEUTRAL, own: NEUTRAL, quotedWords: 0, words: 0, poison: 'attack' };
const POISONS = ['attack', 'command', 'address'] as const;

/** To the ends of its first and last word, with the signs around them, but not into code that stands beside it. */
function widen({ start, end, words }: Span, text: string): Span {
  let [from, to] = [start, end];
  while (from > 0 && /[^\s`]/.test(text[from - 1] ?? ' ')) from--;
  while (to < text.length && /[^\s`]/.test(text[to] ?? ' ')) to++;
  return { start: from, end: to, words };
}

/**
 * With all of a quotation, or of code in backticks, that it begins or ends in: half of it would leave the other half open.
 * Code that the agent typed itself is left out whole.
 */
function enclose(span: Span, text: string, typed: readonly string[]): Span {
  let { start, end } = span;
  for (const one of listQuotations(text)) {
    const [isFirst, isLast] = [one.start < start && start < one.end, one.start < end && end < one.end];
    if (isFirst === isLast) continue;
    const isOwn = text[one.start] === '`' && isTyped(text.slice(one.start + 1, one.end - 1), typed);
    if (isFirst) start = isOwn ? one.end : one.start;
    else end = isOwn ? one.start : one.end;
  }
  if (start >= end) return { start, end: start, words: 0 };
  const isSame = start === span.start && end === span.end;
  return isSame ? span : enclose({ ...span, start, end }, text, typed);
}

/** Code of which a part was printed: what is not repeated of it is not repeated at all. */
function encloseCode(span: Span, text: string): Span {
  const code = listQuotations(text).find(
    ({ start, end }) => text[start] === '`' && start < span.start && span.end < end,
  );
  return code === undefined ? span : { ...span, start: code.start, end: code.end };
}

function joinAll(spans: readonly Span[]): readonly Span[] {
  return spans
    .filter(({ start, end }) => start < end)
    .toSorted((a, b) => a.start - b.start)
    .reduce<readonly Span[]>(join, []);
}

/** The first of the texts whose quotes are closed, but for those that were open before. A lone backtick is left out. */
function toBalanced(texts: readonly string[], raw: string): string {
  const before = listOpenQuotes(raw).map(String);
  const isBalanced = (text: string): boolean =>
    listOpenQuotes(text).every((quote) => before.includes(`${quote}`)) && (text.split('`').length - 1) % 2 === 0;
  for (const text of texts) {
    const last = text.lastIndexOf('`');
    const bare = before.includes('/`/g') && last >= 0 ? text.slice(0, last) + text.slice(last + 1) : text;
    const found = [text, bare].find(isBalanced);
    if (found !== undefined) return found;
  }
  return NEUTRAL;
}

/** Two that end and begin in one word are one. */
function join(known: readonly Span[], next: Span): readonly Span[] {
  const last = known.at(-1);
  if (last === undefined || next.start > last.end) return [...known, next];
  return known.with(-1, { start: last.start, end: Math.max(last.end, next.end), words: last.words + next.words });
}

/** Sentences that were typed because they had been printed: the lesson is not about them. */
function maskEchoes(raw: string, { typed, echoed = [], led = [] }: Sources): Quote {
  const text = led.length === 0 ? raw : raw.replace(URLS, (url) => (isLed(url, led) ? '…' : url));
  if (echoed.length === 0) return { text, poison: undefined };
  const spans = joinAll(findQuoted(text, { printed: echoed, typed }).map((span) => enclose(span, text, typed)));
  let [masked, from, isAttack] = ['', 0, false];
  for (const { start, end } of spans) {
    const run = toSearchable(text.slice(start, end)).replace(/\s+/g, ' ');
    const whole = echoed.filter((one) => one.includes(run));
    isAttack ||= [run, ...whole].some((one) => ['attack', 'command'].includes(findPoison(one) ?? ''));
    masked += `${text.slice(from, start)}…`;
    from = end;
  }
  return { text: (masked + text.slice(from)).replace(/…[.!?…]+/g, '…'), poison: isAttack ? 'attack' : undefined };
}

/** Long arguments are shown shortened. */
function isLed(url: string, led: readonly string[]): boolean {
  const wanted = toSearchable(url.replace(/…$/, ''));
  return led.some((one) => one.startsWith(wanted) || wanted.startsWith(one));
}

interface Quote {
  readonly text: string;
  readonly poison: PoisonShape['kind'] | undefined;
}

function cleanQuote(quote: string, sources: Sources): Quote {
  const poison = findPoison(quote);
  if (poison === 'attack' || poison === 'command') return { text: NEUTRAL, poison };
  const kept = poison === undefined ? quote : dropAddresses(quote);
  const bare = hideRandom(mask(mask(toUnmarked(kept), URLS, sources), ENCODED, sources));
  const text = mask(mask(bare, BARE_HOSTS, sources), FOREIGN_SCRIPT, sources).trim();
  const left = findPoison(text);
  const isWhole = String(listOpenQuotes(text)) === String(listOpenQuotes(quote));
  return left === undefined && isWhole && /[\p{L}\p{N}]/u.test(text)
    ? { text, poison }
    : { text: NEUTRAL, poison: poison ?? left };
}

/** "not a git repository. Please run …": what comes before is the complaint. */
function dropAddresses(quote: string): string {
  const clauses = quote.split(/(?<=[.!?;])\s+|\s+-\s+(?=\p{Lu})/u);
  return clauses.filter((clause) => findPoison(clause) === undefined).join(' ');
}

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/<!--.*?(?:-->|$)|<!\[CDATA\[|\]\]>/g, ' '],
  [/<\/[a-z][\w:-]*\s*>|<[a-z][\w:-]*\s+[^<>]{0,200}>|<[a-z][\w:-]*\s*\/>/gi, ' '],
  [/!?\[([^\][]{0,200})\]\([^()]{0,400}\)/g, '$1'],
  // Two stars before a letter or behind one; a path has them, too.
  [/`{3,}\w*|(?<![\w/.])(?:\*\*|~~)(?=\p{L})|(?<=[\p{L}\p{N}.!?:])(?:\*\*|~~)(?![\w/])/gu, ''],
  [/^\s*(?:#{1,6}|>+|[-*+])\s+/, ''],
  [/ {2,}/g, ' '],
];

function toUnmarked(quote: string): string {
  return MARKS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), quote);
}

const URLS = /(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.|\b(?:javascript|data|mailto|vbscript):(?=\S))[^\s'"`<>)\]}]+/giu;
const BARE_HOSTS =
  /\b(?:[a-z0-9-]+(?:\.|\[\.\]))+(?:com|net|org|io|dev|app|ai|co|ru|cn|xyz|top|info|biz|site|online|sh|me|cc|tk|example|test|invalid)(?:[/:?][^\s'"`<>)\]}]*|(?=[\s'",;)\]]|$))/giu;
const ENCODED =
  /(?:%[0-9a-fA-F]{2}){3,}|(?:\\x[0-9a-fA-F]{2}){2,}|(?:\\u\{?[0-9a-fA-F]{4,6}\}?){2,}|(?:&#?x?[0-9a-zA-Z]{2,8};){2,}|(?:\b[0-9a-fA-F]{2}[ :,]){7,}[0-9a-fA-F]{2}\b|(?:\b[01]{8}\b ?){3,}|\b[0-9a-fA-F]{32,}\b|[A-Za-z0-9+/]{18,}==?(?![\w/])|(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{32,}/gu;
const FOREIGN_SCRIPT =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+(?:[\p{P}\s\p{M}]*[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+)*/gu;
const LONG = /\S{81,}|[^\p{L}\p{N}]{24,}/gu;

/** What the agent typed or the user said stays. */
function mask(text: string, pattern: RegExp, { typed }: Sources): string {
  return text.replace(pattern, (found) => (isTyped(found, typed) || isPath(found) ? found : toMasked(found)));
}

/** A quote in it that is closed, or was opened, elsewhere stays. */
function toMasked(found: string): string {
  return listOpenQuotes(found).length === 0 ? '…' : found.trim().replace(/[^`"']+/g, '…');
}

/** As many slashes have no codes. */
function isPath(found: string): boolean {
  return /^[\w+/-]+$/.test(found) && (found.split('/').length - 1) * 12 >= found.length;
}

/** A word so long that it is data, or a row of signs. */
function maskLong(text: string, sources: Sources): string {
  return text.replace(LONG, (found) => {
    if (isTyped(found, sources.typed) || !isFromOutput(found, sources)) return found;
    return `${found.startsWith(' ') ? ' ' : ''}${toMasked(found)}${found.endsWith(' ') ? ' ' : ''}`;
  });
}

function isFromOutput(found: string, sources: Sources): boolean {
  return isPrinted(toSearchable(found.trim()).slice(0, 40), sources);
}

/** Long arguments are shown shortened. */
function isTyped(found: string, typed: readonly string[]): boolean {
  const wanted = toSearchable(found.replace(/…$/, '')).replace(/\s+/g, ' ');
  return wanted !== '' && typed.some((text) => text.includes(wanted));
}

function cut(text: string, room: number): string {
  if (text.length <= room || text === NEUTRAL) return text;
  return toShortChars(text, room) || '…';
}

/** Without half a character at its end. */
export function toWhole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/**
 * Words without what a reader could take for more than words: tags and marks of chats, the lines that our own notes are
 * made of, and the markers of reports. In whatever was typed or printed. Once done it changes nothing more.
 */

const TAGS =
  'system|assistant|human|user|developer|instructions?|prompt|tool_result|tool_use|tool_response|function|functions|function_calls?|function_results?|invoke|parameter|important|admin|override|thinking|answer|context|command-[a-z]+|local-command-[a-z]+|user-prompt-[a-z-]+|persisted-output|[a-z]+-reminder|antml[:\\w-]*';

const UNSAFE_MARKS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`<\\s*/?\\s*(?:${TAGS})(?:\\s[^<>]{0,200})?/?\\s*>?`, 'giu'), '…'],
  [/<\|[^|<>]{0,40}\|>|<\|[\w-]{2,30}|\[\/?INST\]|<<\/?SYS>>/giu, '…'],
  [/#{2,}\s*(?=(?:instructions?|system|human|assistant|user|response)\b)/giu, ''],
  // A turn of somebody else.
  [/(^|["'`(]\s*|[.!?…]\s+|\\n\s*)(system|assistant|human|user|developer)\s*[:：]\s*(?=\S)/giu, '$1$2 '],
  [/#(\/?lesson)\b/giu, '$1'],
  [/\[(\/?process[_ -]knowledge)\]/giu, '$1'],
  [/\b((?:CRITICAL )?lesson) from (?=earlier (?:work|in this session)|the files of this repository)/giu, '$1 of '],
  [/\b(what (?:went wrong|works))\s*[:：]/giu, '$1'],
];

export function dropMarks(text: string): string {
  if (!/[<#[:：]|lesson/iu.test(text)) return text;
  const bare = UNSAFE_MARKS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
  return bare === text ? text : dropMarks(bare);
}
