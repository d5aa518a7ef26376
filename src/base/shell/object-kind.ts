/**
 * What kind of thing a word of a command names. Options, sub-commands and plain words say how a thing is done: they are
 * true the next time, too. Paths, hashes, numbers, hosts, dates and names are the objects of one call: the next call has
 * others, so a lesson says their kind (`<path>`) or nothing.
 */
import type { Argument } from './simple-command.ts';

export const OBJECT_KINDS = ['path', 'name', 'number', 'hash', 'id', 'url', 'date', 'pattern', 'text'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

const URL =
  /^[a-z][a-z0-9+.-]*:\/\/|^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|local)(?:[:/]|$)|^(?:\d{1,3}\.){3}\d{1,3}\b/i;
const DATE = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]|$)|^\d{1,2}:\d{2}/;
const NUMBER = /^[#+-]?\d[\d.,:%]*[a-zA-Z]{0,2}$/;
const HASH = /^(?=.*\d)[0-9a-f]{7,64}$|^[0-9a-f]{20,64}$/i;
/** Letters and digits mixed, as in `ENT-53`, `av9vi`, `pod-7f8c9`. */
const ID = /^(?=.*[A-Za-z])(?=.*\d\D*\d)[\w.:-]+$|^[A-Z]+-\d+$/;
/** What an error is called: `TS2345`, `E0308`. */
const CODE = /^[A-Z]{1,8}\d{3,5}$/;
const PATTERN = /[*?[\]]/;
const PATH =
  /^(?:\.{1,2}|~|[A-Za-z]:)?[/\\]|^\.{1,2}$|\/(?:\.\.\.)?$|^[^/]+(?:\/[^/]+){2,}$|(?:^|\/)[\w@+-]*\.[A-Za-z][\w.]{0,9}$/;
/** Nothing in it means anything to a shell, wherever it stands, but for the home folder at its beginning. */
const PLAIN = /^(?:~\/)?[\w@%+:,./-][\w@%+=:,./-]*$/;
/** One word of a program's own vocabulary: `json`, `integration`, `ff-only`. */
const VOCABULARY = /^[A-Za-z][a-z]{0,15}(?:-[a-z]{1,8})?$/;

export function isPlainWord(word: string): boolean {
  return PLAIN.test(word);
}

/** Undefined for a word that could be one of a program's own. */
export function findObjectKind({ value, text }: Argument): ObjectKind | undefined {
  if (value === '' || /\s/.test(value) || !isPlainWord(text))
    return PATTERN.test(value) && !/[\s$`{}|]/.test(value) ? 'pattern' : 'text';
  if (URL.test(value)) return 'url';
  if (DATE.test(value)) return 'date';
  if (NUMBER.test(value)) return 'number';
  if (HASH.test(value)) return 'hash';
  if (PATH.test(value)) return 'path';
  if (ID.test(value) && !CODE.test(value)) return 'id';
  return VOCABULARY.test(value) ? undefined : 'name';
}

/** In prose, names and small numbers say what was wrong. */
const TELLING: readonly (ObjectKind | undefined)[] = ['name', 'text', 'pattern', undefined];

/** A message with the objects in it told by their kind. */
export function maskObjects(message: string): string {
  return message.replace(/[^\s'"`‘’“”()[\]{},;<>…]+/g, (found) => {
    const word = found.replace(/[.:!?]+$/, '');
    const kind = findObjectKind({ value: word, text: word });
    if (TELLING.includes(kind) || (kind === 'number' && word.length < 4)) return found;
    return `<${kind}>${found.slice(word.length)}`;
  });
}
