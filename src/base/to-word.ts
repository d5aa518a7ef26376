/**
 * What is known of a word of a message without its neighbours. Most words of most messages have been seen before, so it is
 * kept; the store of words is emptied when full, since what a word is depends on nothing else.
 */
import { MASK, maskWord } from './mask-word.ts';
import { toOwn } from './to-own.ts';

export interface Word {
  readonly text: string;
  /** With its values masked. */
  readonly masked: string;
  /** The same without the punctuation after it. */
  readonly bare: string;
  readonly isDay: boolean;
  readonly isMonth: boolean;
  readonly isNumber: boolean;
  /** What follows is counted: `3 errors`. */
  readonly isCount: boolean;
  /** Belongs to the number before it: `10 KB`, `7:15 PM`. */
  readonly isUnit: boolean;
  /** The word after it is somebody's name. */
  readonly namesSomeone: boolean;
  readonly mayBeName: boolean;
  readonly isStatus: boolean;
  /** The number after it may be a status of HTTP. */
  readonly tellsStatus: boolean;
  /** As it is told of one: `errors`, `error`. */
  readonly singular: string;
}

const TRAILING = new Set('.,:;!?)]}');
const DAY = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?$/;
const MONTH = /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec),?$/;
const UNIT = /^(?:[KMGTP]i?B|B|kB|[mnuµ]s|s|secs?|mins?|hrs?|h|UTC|GMT|[PMCE][SD]T|CES?T|AM|PM|am|pm)$/;
/** An empty place for a value. */
const EMPTY = /^(?:\(\)|\[\]|\{\})[.,:;]?$/;
const NAMES_SOMEONE = /^(?:user|username|account|login)[:=]?$/i;
const NAME = /^[A-Za-z0-9][\w.-]*$/;
const NO_NAME = new Set(
  `is was are were has had have not no does did do can could cannot may must will would should with without for from of in
  on at by to and or the a an this that as if but unknown name names id ids agent input interface space mode defined
  permission permissions session code type data group error failed already exists lacks needs requires`.split(/\s+/),
);
const STATUS_WORD = /^\(?(?:http\S*|status|code|error)[:=]?$/i;
const STATUS = /^\(?(?:40[0-9]|41[0-7]|42[2-9]|431|451|50[0-8]|511)$/;

const known = new Map<string, Word>();
const MAX_KNOWN = 20_000;
/** A word with more digits is an id, which hardly comes again. */
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

export function toWord(text: string): Word {
  const found = known.get(text);
  if (found !== undefined) return found;
  if (text.length > MAX_KNOWN_CHARS || hasManyDigits(text)) return makeId(text);
  const own = toOwn(text);
  const word = makeWord(own);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(own, word);
  return word;
}

/** Of a long word only what it can be: this is where the time goes. */
function makeId(text: string): Word {
  const masked = maskWord(text);
  const bare = withoutEnd(masked);
  const mayBeName = NAME.test(withoutEnd(text));
  return { ...NOTHING, text, masked, bare, isNumber: masked.startsWith(MASK), mayBeName, singular: masked };
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
    isCount: /^\(?\d[\d,.]*$/.test(text),
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
