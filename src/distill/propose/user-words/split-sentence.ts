/**
 * A sentence as clauses, and a clause as its named things, its rule words and its other words. The words of one language
 * count: small words tell which language it is.
 */

import type { Thing } from './named-things.ts';
import { ACTING, type Item } from './read-clause.ts';
import { LANGUAGES, type Language, ROLES, type Role } from './rule-words.ts';

export function splitSentence(masked: string, things: readonly Thing[]): readonly (readonly Item[])[] {
  return toClauses(toItems(masked, things));
}

const { english, chinese, japanese, korean } = LANGUAGES;
const UNSPACED: readonly Language[] = [chinese, japanese, korean];
const LETTERS = '\\p{L}\\p{N}_';

interface Row {
  readonly role: Role;
  readonly rank: number;
  readonly regex: RegExp;
}

const TABLE = new Map<Language, readonly Row[]>(
  Object.values(LANGUAGES).map((language) => [
    language,
    ROLES.flatMap((role, rank): readonly Row[] => {
      const words = language[role];
      if (words === undefined) return [];
      const source = UNSPACED.includes(language) ? `(?:${words})` : `(?<![${LETTERS}])(?:${words})(?![${LETTERS}])`;
      return [{ role, rank, regex: new RegExp(source, 'giu') }];
    }),
  ]),
);
/** Plain words of all rows, with the languages that have them. */
const PLAIN = new Map<string, Language[]>();
for (const language of Object.values(LANGUAGES))
  for (const word of new Set(
    Object.values(language)
      .join('|')
      .split(/[|() ]|\(\?:|\)(?!\?)/),
  ))
    if (/^[\p{L}']+$/u.test(word)) PLAIN.set(word, [...(PLAIN.get(word) ?? []), language]);

/** The language that has most letters of the sentence in its plain words. */
function findLanguage(masked: string): Language {
  if (/\p{Script=Hangul}/u.test(masked)) return korean;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(masked)) return japanese;
  if (/\p{Script=Han}/u.test(masked)) return chinese;
  const letters = new Map<Language, number>();
  for (const word of masked.toLowerCase().match(/[\p{L}']+/gu) ?? [])
    for (const language of PLAIN.get(word) ?? []) letters.set(language, (letters.get(language) ?? 0) + word.length);
  let best: Language = english;
  for (const [language, count] of letters) if (count > (letters.get(best) ?? 0)) best = language;
  return best;
}

interface Mark {
  readonly role: Role;
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** The longest words at a place, then the first role. */
function findMarks(masked: string): readonly Mark[] {
  const all = (TABLE.get(findLanguage(masked)) ?? [])
    .flatMap(({ role, rank, regex }) =>
      [...masked.matchAll(regex)].map(({ 0: text, index: at }) => ({ role, rank, at, end: at + text.length, text })),
    )
    .filter(({ text }) => text.trim() !== '')
    .sort((a, b) => b.end - b.at - (a.end - a.at) || a.rank - b.rank);
  const found: Mark[] = [];
  for (const mark of all) if (!found.some((one) => mark.at < one.end && one.at < mark.end)) found.push(mark);
  return found;
}

const BREAK = /[,;:()，；：、…]|\.{2,}|(?<=\s)[-–—]+(?=\s)|—|(?<=[^\s.\d])\.(?=\s)/g;
/** Commas inside "x, y or z". */
const LIST =
  /¤[`"' ]*(?:[,、] ?[`"' ]*¤+[`"' ]*)*[,、]? ?(?:and|or|und|oder|et|ou|y|o|e|en|of|и|или|和|或|と|や|、) ?[`"']*(?=¤)/gi;

function toItems(masked: string, things: readonly Thing[]): readonly Item[] {
  const marks = findMarks(masked);
  const lists = [...masked.matchAll(LIST)].map(({ index, 0: list }) => ({ at: index, end: index + list.length }));
  const isIn = (spans: readonly { readonly at: number; readonly end: number }[], place: number): boolean =>
    spans.some(({ at, end }) => at <= place && place < end);
  const breaks = [...masked.matchAll(BREAK)].filter(({ index }) => !isIn(lists, index) && !isIn(marks, index));
  const words = [...masked.matchAll(/[\p{L}\p{N}_·][\p{L}\p{N}_'·-]*/gu)].filter(
    ({ index }) => !isIn([...marks, ...things], index),
  );
  const items: Item[] = [
    ...things.map((thing) => ({ at: thing.at, end: thing.end, thing })),
    ...marks,
    ...breaks.map(({ index }) => ({ at: index, end: index + 1, isBreak: true as const })),
    ...words.map(({ index, 0: word }) => ({ at: index, end: index + word.length, word })),
  ];
  return items.sort((a, b) => a.at - b.at || b.end - a.end);
}

const AND = /^(?:and|und|et|y|e|en|и|ed|&)$/i;

/** Cut at signs, at `but`, and at `and` before a verb; a reason is left out up to where its clause ends. */
function toClauses(items: readonly Item[]): readonly (readonly Item[])[] {
  const clauses: Item[][] = [[]];
  let isReason = false;
  for (const [i, item] of items.entries()) {
    const next = items[i + 1];
    const role = 'role' in item ? item.role : undefined;
    const isAnd =
      'role' in item && AND.test(item.text) && next !== undefined && 'role' in next && ACTING.includes(next.role);
    if ('isBreak' in item || role === 'but' || role === 'reason' || isAnd) {
      clauses.push([]);
      isReason = role === 'reason';
    } else if (!isReason) clauses.at(-1)?.push(item);
  }
  return clauses.filter((clause) => clause.length > 0);
}
