/**
 * Finds the kind of object that a word of a command names. Options, sub-commands and plain words describe the action
 * and are the same the next time. Paths, hashes, numbers, hosts, dates and names are objects of one call; the next call
 * has others, so a lesson shows their kind (`<path>`) or leaves them out.
 */
import type { Argument } from './simple-command.ts';

export const OBJECT_KINDS = ['path', 'name', 'number', 'hash', 'id', 'url', 'date', 'pattern', 'json', 'text'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

const URL =
  /^[a-z][a-z0-9+.-]*:\/\/|^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|local)(?:[:/]|$)|^(?:\d{1,3}\.){3}\d{1,3}\b/i;
const DATE = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]|$)|^\d{1,2}:\d{2}/;
const NUMBER = /^[#+-]?\d[\d.,:%]*[a-zA-Z]{0,2}$/;
const HASH = /^(?=.*\d)[0-9a-f]{7,64}$|^[0-9a-f]{20,64}$/i;
/** Letters and digits mixed, as in `ENT-53`, `av9vi`, `pod-7f8c9`. */
const ID = /^(?=.*[A-Za-z])(?=.*\d\D*\d)[\w.:-]+$|^[A-Z]+-\d+$/;
/** The code of an error: `TS2345`, `E0308`. */
const CODE = /^[A-Z]{1,8}\d{3,5}$/;
const PATTERN = /[*?[\]]/;
const PATH =
  /^(?:\.{1,2}|~|[A-Za-z]:)?[/\\]|^\.{1,2}$|\/(?:\.\.\.)?$|^[^/]+(?:\/[^/]+){2,}$|(?:^|\/)[\w@+-]*\.[A-Za-z][\w.]{0,9}$/;
/** `{"name": …}`, `[1, 2]`. */
const JSON_TEXT = /^\s*(?:\{\s*(?:"[\s\S]*)?\}|\[\s*(?:[{"\d][\s\S]*)?\])\s*$/;
/** No character has a meaning to the shell, except a leading `~/`. */
const PLAIN = /^(?:~\/)?[\w@%+:,./-][\w@%+=:,./-]*$/;
/** A word of a program's own vocabulary: `json`, `integration`, `ff-only`. */
const VOCABULARY = /^[A-Za-z][a-z]{0,15}(?:-[a-z]{1,8})?$/;

/** What git calls the current commit, and the main branch of the repository that it came from. */
const SYMBOLIC = /^(?:HEAD|@)(?:[~^]\d*)*$|^(?:origin|upstream)\/(?:HEAD|main|master)$/;

export function isSymbolic(word: string): boolean {
  return SYMBOLIC.test(word);
}

export function isPlainWord(word: string): boolean {
  return PLAIN.test(word);
}

/** Undefined for a word that could belong to a program's own vocabulary. */
export function findObjectKind({ value, text }: Argument): ObjectKind | undefined {
  if (value === '' || /\s/.test(value) || !isPlainWord(text))
    return JSON_TEXT.test(value) ? 'json' : PATTERN.test(value) && !/[\s$`{}|]/.test(value) ? 'pattern' : 'text';
  if (URL.test(value)) return 'url';
  if (DATE.test(value)) return 'date';
  if (NUMBER.test(value)) return 'number';
  if (HASH.test(value)) return 'hash';
  if (PATH.test(value)) return 'path';
  if (ID.test(value) && !CODE.test(value)) return 'id';
  return VOCABULARY.test(value) || isSymbolic(value) ? undefined : 'name';
}

/** Kinds that stay in a message, where names and small numbers say what was wrong. */
const TELLING: readonly (ObjectKind | undefined)[] = ['name', 'text', 'pattern', undefined];

/** Replaces the objects in a message by their kinds. */
export function maskObjects(message: string): string {
  return message.replace(/[^\s'"`‘’“”()[\]{},;<>…]+/g, (found) => {
    const word = found.replace(/[.:!?]+$/, '');
    const kind = findObjectKind({ value: word, text: word });
    if (TELLING.includes(kind) || (kind === 'number' && word.length < 4)) return found;
    return `<${kind}>${found.slice(word.length)}`;
  });
}
