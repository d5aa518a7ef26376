/** Where the cues of the tables stand in a sentence, and the language whose table is meant. */

import { LANGUAGES, type Language, ROLES, type Role } from './cue-words.ts';

interface Cue {
  readonly role: Role;
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const { english = {}, russian = {}, eastAsian = {} } = LANGUAGES;
const LETTERS = '\\p{L}\\p{N}_';

/** The longest words at a place, then the first role: the rows stand in the order of roles. */
export function findCues(masked: string, language: Language): readonly Cue[] {
  const all = (TABLE.get(language) ?? [])
    // Most rows fit nowhere, and `matchAll` copies the expression first.
    .filter(({ regex }) => masked.search(regex) >= 0)
    .flatMap(({ role, regex }) =>
      [...masked.matchAll(regex)].map(({ 0: text, index: at }) => ({ role, at, end: at + text.length, text })),
    )
    .filter(({ text }) => text.trim() !== '')
    .sort((a, b) => b.end - b.at - (a.end - a.at));
  const found: Cue[] = [];
  for (const cue of all) if (!found.some((one) => cue.at < one.end && one.at < cue.end)) found.push(cue);
  return found;
}

function toRows(language: Language) {
  return ROLES.flatMap((role) => {
    const words = language[role];
    if (words === undefined) return [];
    const source = language === eastAsian ? `(?:${words})` : `(?<![${LETTERS}])(?:${words})(?![${LETTERS}])`;
    return [{ role, regex: new RegExp(source, 'giu') }];
  });
}

const TABLE = new Map(Object.values(LANGUAGES).map((language) => [language, toRows(language)]));

/** Plain words of all rows, with the languages that have them. */
const PLAIN = new Map<string, Language[]>();
for (const language of Object.values(LANGUAGES))
  for (const word of new Set(
    Object.values(language)
      .join('|')
      .split(/[|() ]|\(\?:|\)(?!\?)/),
  ))
    if (/^[\p{L}']+$/u.test(word)) PLAIN.set(word, [...(PLAIN.get(word) ?? []), language]);

/** The language that has most letters of the message in its plain words. */
export function findLanguage(text: string): Language {
  if (/[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)) return eastAsian;
  if (/\p{Script=Cyrillic}/u.test(text)) return russian;
  const letters = new Map<Language, number>();
  for (const word of text.toLowerCase().match(/[\p{L}']+/gu) ?? [])
    for (const language of PLAIN.get(word) ?? []) letters.set(language, (letters.get(language) ?? 0) + 1);
  let best: Language = english;
  for (const [language, count] of letters) if (count > (letters.get(best) ?? 0)) best = language;
  return best;
}
