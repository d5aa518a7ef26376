/**
 * A message with everything masked that varies from one occurrence to the next: the text of a signature. A pure function
 * of the line, in time linear in its length.
 */
import { findPlace, maskName } from './mask-names.ts';
import { maskQuotes } from './mask-quotes.ts';
import { MASK } from './mask-word.ts';
import { toOwn } from './to-own.ts';
import { toWord, type Word } from './to-word.ts';

/** Longer lines are data. */
const MAX_CHARS = 2_000;
const OTHER_SPACE = /[^\S ]/;
/** Git quotes commits without quotes: `could not apply 1f3a9bc... their subject`. */
const COMMIT_SUBJECT = /(?<![\w.])([0-9a-f]{7,40}|<\*>)\.\.\. .+$/;

/** What is masked may make a value of its neighbour, and so on. */
const MAX_ROUNDS = 8;
/** What becomes of a masked line: a template is its own. Templates are few, lines are many. */
const settled = new Map<string, string>();
const MAX_SETTLED = 5_000;

export function maskLine(line: string): string {
  const masked = maskOnce(line.length > MAX_CHARS ? line.slice(0, MAX_CHARS).toWellFormed() : line);
  const found = settled.get(masked);
  if (found !== undefined) return found;
  if (settled.size >= MAX_SETTLED) settled.clear();
  const template = toOwn(settle(masked));
  settled.set(toOwn(masked), template);
  return template;
}

function settle(masked: string): string {
  let [last, next] = [masked, maskOnce(masked)];
  for (let round = 2; next !== last && round < MAX_ROUNDS; round++) [last, next] = [next, maskOnce(next)];
  return next;
}

function maskOnce(line: string): string {
  const quoted = maskQuotes(line.includes('... ') ? line.replace(COMMIT_SUBJECT, `${MASK}... ${MASK}`) : line);
  const texts = quoted.split(OTHER_SPACE.test(quoted) ? /\s+/ : ' ').filter((text) => text !== '');
  const place = findPlace(texts);
  const named = place === undefined ? texts : texts.map((text, i) => (i > place ? maskName(texts, i, place) : text));
  const words = named.map(toWord);
  const told: string[] = [];
  for (let i = 0; i < words.length; i++) tellWord(told, words, i);
  return told.join(' ');
}

/** A word among its neighbours: some are values only because of them. */
function tellWord(told: string[], words: readonly Word[], at: number): void {
  const word = words[at];
  if (word === undefined) return;
  const before = words[at - 1];
  const last = told.at(-1) ?? '';
  const isAfterValue = last.endsWith(MASK);
  const masked = findByNeighbours(word, before, words[at + 1], isAfterValue) ?? word.masked;
  if (isAfterValue && word.isUnit) told[told.length - 1] = last + masked.slice(word.bare.length);
  else if (isSameValue(masked, last)) told[told.length - 1] = masked;
  else told.push(masked === word.masked && isCounted(words, at) ? word.singular : masked);
}

function findByNeighbours(
  word: Word,
  before: Word | undefined,
  after: Word | undefined,
  isAfterValue: boolean,
): string | undefined {
  if (word.isDay && (after?.isMonth || after?.isNumber)) return MASK;
  if (word.isMonth && (after?.isNumber || isAfterValue)) return MASK;
  if (before === undefined) return undefined;
  if (before.namesSomeone && word.mayBeName) return MASK + word.masked.slice(word.bare.length);
  return word.isStatus && before.tellsStatus ? word.text : undefined;
}

/** `3 errors`, `2 positional arguments`. */
function isCounted(words: readonly Word[], at: number): boolean {
  return words[at - 1]?.isCount === true || words[at - 2]?.isCount === true;
}

/** A list of values is one value. */
function isSameValue(masked: string, last: string): boolean {
  return masked.includes(MASK) && toItem(masked) === toItem(last);
}

function toItem(value: string): string {
  return /[,;.:]$/.test(value) ? value.slice(0, -1) : value;
}
