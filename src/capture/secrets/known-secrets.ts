/**
 * Values that were secrets in one text and are so in all others. A mistyped option tells nothing of its value, the call that
 * corrects it does. In memory only, and not for ever.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import { type HintSearch, makeHintSearch } from '../../base/text/hint-search.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';

export interface KnownSecrets {
  add(values: readonly string[]): void;
  /** Whether there is one that was not there when this was last asked. */
  isNew(): boolean;
  /** The text without any of them. */
  clean(text: string): string;
  /** The secrets of one call, short ones and plain words too: a later event may tell more of the same call. */
  listOfCall(callId: string): Iterable<string>;
  addOfCall(callId: string, values: ReadonlySet<string>): void;
}

/** More than one session has; each costs every text a little. */
const MAX_VALUES = 64;
/** Far more calls than run in the background at once. */
const MAX_CALLS = 200;
/** Up to so many a search for each is quicker than one for all. */
const FEW = 3;

export function makeKnownSecrets(): KnownSecrets {
  // In order of use: the oldest is forgotten.
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

/** Not inside a longer word or number. */
function replaceWords(text: string, value: string): string {
  return text.replace(new RegExp(`${START}${toLiteral(value)}(?![A-Za-z0-9])`, 'g'), MARK);
}

/** Also behind the letter of a short option, which takes its value joined: `-pVALUE`. */
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
    // The longest first: a secret may begin with another.
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

/** As it stands in a URL or in JSON. */
function toForms(value: string): readonly string[] {
  return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])];
}

function toSource(value: string): string {
  if (WORD.test(value)) return `(?:(?<![A-Za-z0-9]|[\\w.][-_./]|\\/)|${JOINED})${value}(?![A-Za-z0-9]|[-_./][\\w]|\\/)`;
  if (/^\d+$/.test(value))
    return `(?:(?<![A-Za-z0-9]|\\d[.,:-]|(?:[\\w-]\\.[\\w.-]{1,60}|localhost|\\]):)|${JOINED})${value}(?![A-Za-z0-9]|[.,:-]\\d)`;
  return `${START}${toLiteral(value)}(?![A-Za-z0-9])`;
}
