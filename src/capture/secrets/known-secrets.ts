/**
 * Remembers values that were secret in one text and removes them from all others. A mistyped option does not reveal its
 * value as secret, but the corrected call does. In memory only, and for a limited time.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import { type HintSearch, makeHintSearch } from '../../base/text/hint-search.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';

export interface KnownSecrets {
  add(values: readonly string[]): void;
  /** Has a value been added since the last call of this function? */
  isNew(): boolean;
  /** Removes all of them from the text. */
  clean(text: string): string;
  /** The secrets of one call, including short ones and plain words, for later events of the same call. */
  listOfCall(callId: string): Iterable<string>;
  addOfCall(callId: string, values: ReadonlySet<string>): void;
}

/** More than a session has; each costs time for every text. */
const MAX_VALUES = 64;
/** Far more calls than run in the background at once. */
const MAX_CALLS = 200;
/** For up to this many values, one search for each is faster than a combined search. */
const FEW = 3;

export function makeKnownSecrets(): KnownSecrets {
  // In order of use; the oldest is forgotten.
  const known = new Set<string>();
  let search: HintSearch | undefined;
  let isAsked = true;
  const ofCalls = new Map<string, ReadonlySet<string>>();

  const findIn = (text: string): Iterable<string> => {
    if (known.size <= FEW) return [...known].filter((value) => text.includes(value));
    search ??= makeHintSearch({ exact: known, anyCase: [] });
    return search(text);
  };

  return {
    add(values) {
      const fresh = values.filter((value) => !known.has(value));
      for (const value of values) {
        known.delete(value);
        known.add(value);
        dropOldest(known, MAX_VALUES);
      }
      if (fresh.length === 0) return;
      search = undefined;
      isAsked = false;
    },
    isNew() {
      const isNew = !isAsked;
      isAsked = true;
      return isNew;
    },
    clean(text) {
      if (known.size === 0) return text;
      let clean = text;
      for (const value of findIn(text)) clean = replaceWords(clean, value);
      return clean;
    },
    listOfCall: (callId) => ofCalls.get(callId) ?? [],
    addOfCall(callId, values) {
      ofCalls.set(callId, values);
      dropOldest(ofCalls, MAX_CALLS);
    },
  };
}

/** Does not replace inside a longer word or number. */
function replaceWords(text: string, value: string): string {
  return text.replace(new RegExp(`${START}${toLiteral(value)}(?![A-Za-z0-9])`, 'g'), MARK);
}

/** Also after the letter of a short option with its value joined: `-pVALUE`. */
const JOINED = '(?<=(?<![\\w-])-[A-Za-z])';
const START = `(?:(?<![A-Za-z0-9])|${JOINED})`;

const MARK = '[redacted:credential]';

/**
 * Removes the secrets of one call from all of its texts. A secret is replaced where it stands alone: never inside a longer
 * word or number. Plain words and numbers need more care, because they also mean something else:
 *
 * - a word stays where it is part of a path or of a longer name, and everywhere if the call uses it as a user, host or
 *   database (`psql -U shop` with the password `shop`)
 * - a number stays where it is a port, a version, a time or a line (`localhost:1234`, `a.ts:1234`)
 */
export function makeCallCleaner(values: Iterable<string>, texts: readonly string[]): (text: string) => string {
  const patterns = Array.from(values)
    .filter((value) => !isUsedAsName(value, texts))
    .flatMap(toForms)
    // Longest first, because a secret may begin with another.
    .sort((a, b) => b.length - a.length)
    .map((value) => new RegExp(toSource(value), 'g'));
  return (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, MARK), text);
}

const WORD = /^[A-Za-z]+$/;
const NAME = /^[A-Za-z][\w.-]*$/;

function isUsedAsName(value: string, texts: readonly string[]): boolean {
  if (!NAME.test(value)) return false;
  const own = toLiteral(value);
  const name = `(?:-[uUdh]|--(?:user|username|host|database|db|dbname))[ =]?${own}(?![\\w-])|\\b(?:USER|DB|DATABASE|HOST|user|dbname|host)=${own}(?![\\w-])|\\b${own}@|:\\/\\/${own}:`;
  return texts.some((text) => text.includes(value) && new RegExp(name).test(text));
}

/** The forms of a value in a URL and in JSON. */
function toForms(value: string): readonly string[] {
  return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])];
}

function toSource(value: string): string {
  if (WORD.test(value)) return `(?:(?<![A-Za-z0-9]|[\\w.][-_./]|\\/)|${JOINED})${value}(?![A-Za-z0-9]|[-_./][\\w]|\\/)`;
  if (/^\d+$/.test(value))
    return `(?:(?<![A-Za-z0-9]|\\d[.,:-]|(?:[\\w-]\\.[\\w.-]{1,60}|localhost|\\]):)|${JOINED})${value}(?![A-Za-z0-9]|[.,:-]\\d)`;
  return `${START}${toLiteral(value)}(?![A-Za-z0-9])`;
}
