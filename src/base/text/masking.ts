/**
 * Masks every part of a message that varies between occurrences (quoted values, names in diagnostics, numbers, dates),
 * which gives the text of a signature. A pure function of the line, in time linear in its length.
 */

import { MASK, maskWord } from './mask-word.ts';

/** Longer lines are data, not messages. */
const MAX_CHARS = 2_000;
const OTHER_SPACE = /[^\S ]/;
/** Git prints the subject of a commit without quotes: `could not apply 1f3a9bc... their subject`. */
const COMMIT_SUBJECT = /(?<![\w.])([0-9a-f]{7,40}|<\*>)\.\.\. .+$/;

/** A masked word may turn its neighbour into a value, and so on; this limits the rounds. */
const MAX_ROUNDS = 8;
/** Masked line -> its template. Templates are few, lines are many. */
const settled = new Map<string, string>();
const MAX_SETTLED = 5_000;

export function maskLine(line: string): string {
  const masked = maskOnce(line.length > MAX_CHARS ? line.slice(0, MAX_CHARS).toWellFormed() : line);
  const found = settled.get(masked);
  if (found !== undefined) return found;
  if (settled.size >= MAX_SETTLED) settled.clear();
  const template = copyString(settle(masked));
  settled.set(copyString(masked), template);
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
  const masked: string[] = [];
  for (let i = 0; i < words.length; i++) addWord(masked, words, i);
  return masked.join(' ');
}

/** Some words are values only because of their neighbours. */
function addWord(line: string[], words: readonly Word[], at: number): void {
  const word = words[at];
  if (word === undefined) return;
  const before = words[at - 1];
  const last = line.at(-1) ?? '';
  const isAfterValue = last.endsWith(MASK);
  const masked = findByNeighbours(word, before, words[at + 1], isAfterValue) ?? word.masked;
  if (isAfterValue && word.isUnit) line[line.length - 1] = last + masked.slice(word.bare.length);
  else if (isSameValue(masked, last)) line[line.length - 1] = masked;
  else line.push(masked === word.masked && isCounted(words, at) ? word.singular : masked);
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

const ANY_QUOTE = /["'`“‘«]/;
const QUOTED =
  /"(?:[^"\\\n]|\\.)*"|`[^`'\n]*['`]|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|\b[bru]'[^'\n]*'|(?<![A-Za-z0-9>])'[^'\n]*'(?![A-Za-z])/g;
const CAUSE = /^(?:--?[A-Za-z][\w-]*|[A-Z]{1,8}\d{3,5}|E[A-Z]{3,}|ERR_\w+)$/;
/** What an HTTP request asks for: `"GET /a/b HTTP/1.1"`. */
const REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?=\S)/;
const BEFORE_MESSAGE = /(?:^|[\s{,"'])(?:msg|message|error|err|reason|detail|details|description)["']?\s*[=:]\s*$/i;
/** Words from a closed list of the program: another one is another mistake. */
const CLOSED_WORD = /^[A-Za-z][\w:-]*$/;
const BEFORE_CLOSED =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|no such) (?:sub-?)?command:? $|\b(?:required|missing|unexpected|unknown) parameter:? $|\bmodule <\*> has no attribute $/i;
const AFTER_CLOSED = /^ is not a \w+ command\b/;
const BEFORE_KEY = /[{,]\s*$/;
const AFTER_KEY = /^\s*:/;
/** The maximum length of the words around a quoted value that say what it is. */
const KEY_CHARS = 40;

/**
 * Masks quoted values. These stay, without quotes: an option, an error code, a sub-command or the attribute of a
 * module, which name the cause; the key of a JSON object; the text of `msg="…"` and `"error": "…"`, which is the
 * message; and a message that is quoted as a whole.
 */
function maskQuotes(line: string): string {
  return ANY_QUOTE.test(line) ? line.replace(QUOTED, maskQuoted) : line;
}

function maskQuoted(quoted: string, at: number, line: string): string {
  const inner = quoted.replace(/^[bru]'/, "'").slice(1, -1);
  if (CAUSE.test(inner)) return inner;
  const [verb] = REQUEST.exec(inner) ?? [];
  if (verb !== undefined) return verb + MASK;
  const before = line.slice(Math.max(0, at - KEY_CHARS), at);
  const after = line.slice(at + quoted.length, at + quoted.length + 2);
  if (BEFORE_KEY.test(before) && AFTER_KEY.test(after)) return inner;
  if (CLOSED_WORD.test(inner) && isClosed(before, line.slice(at + quoted.length))) return inner;
  const isWholeLine = before.trim() === '' && line.slice(at + quoted.length).trim() === '';
  const isMessage = BEFORE_MESSAGE.test(before) && inner.includes(' ');
  // Without the space, the first word would be taken for the value of the key.
  return isWholeLine || isMessage ? ` ${maskQuotes(inner.replaceAll('\\"', '"'))}` : MASK;
}

function isClosed(before: string, after: string): boolean {
  // What was quoted before it is not masked yet.
  return (
    AFTER_CLOSED.test(after) ||
    BEFORE_CLOSED.test(before.replace(/\bmodule ['"`][^'"`]*['"`] has/, `module ${MASK} has`))
  );
}

/** A file with a position; not `10.0.0.1:80`, not `host.example:80`. */
const PLACE = /^(?=[^\s:(]*[A-Za-z])[^\s:(]*[./\\][^\s:(]*(?::\d+(?::|[:.,-]\d+)+|\(\d+(?:,\d+)*\):?)$/;
/** `fooBar`, `foo_bar`, `pkg.Name`, `*Name`, `call()`. */
const CODE_NAME = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|\w\.[A-Za-z_]|^[(*&[\]]*\*[A-Za-z]|\w\(\)/;
const CAPITALISED = /^[([*&]*[A-Z][A-Za-z0-9]*[a-z0-9][).,;]*$/;
const BEFORE_CAPITALISED = /^[a-z]+$/;
const BEFORE_NAME = /^(?:undefined|used|symbol|name):$|^(?:undeclared|unresolved)$/;
const AFTER_NAME = /^(?:re|un)?declared$|^undefined$/;
/** The rule of a linter, at either end. */
const FIRST_RULE = /^\w[\w.-]*:$/;
const LAST_RULE = /^\([a-z][\w-]*\)$/;
const EDGES = /^([([{*&]*)(.*?)([)\]},.:;]*)$/s;

/**
 * Finds the index of the word that is the place of a diagnostic: `a.go:3:5: …`, `vet: a.go:3:5: …`. Names in a
 * diagnostic are the user's own and differ between occurrences of the same mistake, so they are masked there. In other
 * messages such names distinguish one message from another, so they stay.
 */
function findPlace(words: readonly string[]): number | undefined {
  if (isPlace(words[0] ?? '')) return 0;
  return words[0]?.endsWith(':') && isPlace(words[1] ?? '') ? 1 : undefined;
}

function isPlace(word: string): boolean {
  const last = word.charCodeAt(word.length - 1);
  // A digit, a colon or a bracket; most words fail this cheap test.
  return ((last >= 48 && last <= 58) || last === 41) && PLACE.test(word);
}

/** Masks the word at this index of a diagnostic. */
function maskName(words: readonly string[], at: number, place: number): string {
  const [before = '', word = ''] = [words[at - 1], words[at]];
  if (word.includes(MASK) || (at === place + 1 ? FIRST_RULE : LAST_RULE).test(word)) return word;
  const isName =
    BEFORE_NAME.test(before) ||
    AFTER_NAME.test(words[at + 1] ?? '') ||
    CODE_NAME.test(word) ||
    (CAPITALISED.test(word) && BEFORE_CAPITALISED.test(before) && before !== 'error');
  return isName && !isKept(word) ? word.replace(EDGES, toMasked) : word;
}

/** Names and codes of errors say what is wrong. */
function isKept(word: string): boolean {
  return (
    /(?:Error|Exception|Warning)\W*$/.test(word) || /^\W*[A-Z]{1,8}\d{3,5}\W*$/.test(word) || /^\W*--?[a-z]/.test(word)
  );
}

function toMasked(_: string, open: string, core: string, close: string): string {
  // A name with an unclosed bracket is a call; `call()` is one name.
  const isCall = core.endsWith('(') || (core.includes('(') && !core.includes(')'));
  return open.replaceAll(/[*&]/g, '') + MASK + (isCall ? close.replace(')', '') : close);
}

interface Word {
  readonly text: string;
  /** The word with its values masked. */
  readonly masked: string;
  /** The same without the punctuation after it. */
  readonly bare: string;
  readonly isDay: boolean;
  readonly isMonth: boolean;
  readonly isNumber: boolean;
  /** A number before a counted noun: `3 errors`. */
  readonly isCount: boolean;
  /** A unit of the number before it: `10 KB`, `7:15 PM`. */
  readonly isUnit: boolean;
  /** The next word is a name, of a person or a thing. */
  readonly namesSomeone: boolean;
  readonly mayBeName: boolean;
  readonly isStatus: boolean;
  /** The next number may be an HTTP status. */
  readonly tellsStatus: boolean;
  /** The singular form: `error` for `errors`. */
  readonly singular: string;
}

const TRAILING = new Set('.,:;!?)]}');
const DAY = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?$/;
const MONTH = /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec),?$/;
const UNIT = /^(?:[KMGTP]i?B|B|kB|[mnuµ]s|s|secs?|mins?|hrs?|h|UTC|GMT|[PMCE][SD]T|CES?T|AM|PM|am|pm)$/;
/** An empty placeholder. */
const EMPTY = /^(?:\(\)|\[\]|\{\})[.,:;]?$/;
const NAMES_SOMEONE =
  /^(?:(?:user|username|account|login)[:=]?|named|called|(?:host|table|column|field|key|container|service|image|volume|network|namespace|role|database|schema|relation|branch|remote|tag|target|task|recipe|project|package|module|repository|resource|workspace|environment|profile|plugin|property|attribute|variable|identifier|symbol|class|device):)$/i;
const NAME = /^[A-Za-z0-9][\w.-]*$/;
const NO_NAME = new Set(
  `is was are were has had have not no does did do can could cannot may must will would should with without for from of in
  on at by to and or the a an this that as if but unknown name names id ids agent input interface space mode defined
  permission permissions session code type data group error failed already exists lacks needs requires`.split(/\s+/),
);
const COUNT = /^\(?\d[\d,.]*$/;
const STATUS_WORD = /^\(?(?:http\S*|status|code|error)[:=]?$/i;
const STATUS = /^\(?(?:40[0-9]|41[0-7]|42[2-9]|431|451|50[0-8]|511)$/;

const known = new Map<string, Word>();
const MAX_KNOWN = 20_000;
/** A word with more digits is an id, which rarely occurs again, so it is not cached. */
const MAX_KNOWN_DIGITS = 5;
const MAX_KNOWN_CHARS = 60;

const NOTHING = {
  isDay: false,
  isMonth: false,
  isUnit: false,
  isCount: false,
  namesSomeone: false,
  isStatus: false,
  tellsStatus: false,
};

/**
 * The properties of a word that do not depend on its neighbours. Most words have been seen before, so the result is
 * cached; the cache is cleared when it is full.
 */
function toWord(text: string): Word {
  const found = known.get(text);
  if (found !== undefined) return found;
  if (text.length > MAX_KNOWN_CHARS || hasManyDigits(text)) return makeId(text);
  const own = copyString(text);
  const word = makeWord(own);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(own, word);
  return word;
}

/** A long word is only checked for what it can be, because this is where the time goes. */
function makeId(text: string): Word {
  const masked = maskWord(text);
  const bare = withoutEnd(masked);
  const mayBeName = NAME.test(withoutEnd(text));
  const isCount = COUNT.test(text);
  return { ...NOTHING, text, masked, bare, isNumber: masked.startsWith(MASK), isCount, mayBeName, singular: masked };
}

function makeWord(text: string): Word {
  const masked = EMPTY.test(text) ? text.charAt(0) + MASK + text.slice(1) : maskWord(text);
  const bare = withoutEnd(masked);
  const plain = withoutEnd(text);
  return {
    text,
    masked,
    bare,
    isDay: DAY.test(text),
    isMonth: MONTH.test(text),
    isNumber: masked.startsWith(MASK),
    isCount: COUNT.test(text),
    isUnit: UNIT.test(bare),
    namesSomeone: NAMES_SOMEONE.test(text),
    mayBeName: NAME.test(plain) && !NO_NAME.has(plain.toLowerCase()),
    isStatus: STATUS.test(plain),
    tellsStatus: STATUS_WORD.test(text),
    singular: toSingular(bare) + masked.slice(bare.length),
  };
}

function hasManyDigits(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) digits++;
  }
  return digits > MAX_KNOWN_DIGITS;
}

function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && TRAILING.has(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

function toSingular(bare: string): string {
  if (!/^[a-z]{4,}$/.test(bare) || !bare.endsWith('s')) return bare;
  if (/[^aeiou]ies$/.test(bare)) return `${bare.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/.test(bare)) return bare.slice(0, -2);
  return /[sui]s$/.test(bare) ? bare : bare.slice(0, -1);
}

/**
 * Copies a substring, because V8 keeps the whole text of a substring in memory: a cached word would keep a megabyte of
 * output alive.
 */
function copyString(part: string): string {
  return ` ${part}`.slice(1);
}
