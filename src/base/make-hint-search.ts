/**
 * Which of many short words stand in a text, in one pass over it. A regex of alternatives is about four times slower,
 * and a search for each word in turn slower still; every output of every call goes through here.
 */

export interface Hints {
  /** Looked for as they are. */
  readonly exact: Iterable<string>;
  /** Looked for in any case; given in small letters. */
  readonly anyCase: Iterable<string>;
}

export type HintSearch = (text: string) => ReadonlySet<string>;

interface Hint {
  readonly word: string;
  readonly isExact: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const BITS = 5;
/** Three characters, folded to five bits each. */
const MASK = (1 << (3 * BITS)) - 1;

/** Every word has at least two characters, all of them ASCII. */
export function makeHintSearch({ exact, anyCase }: Hints): HintSearch {
  const hints = [
    ...[...exact].map((word) => ({ word, isExact: true })),
    ...[...anyCase].map((word) => ({ word, isExact: false })),
  ];
  const fold = makeFold();
  const byStart = new Map<number, Hint[]>();
  for (const hint of hints) {
    for (const start of toStarts(hint.word, fold)) byStart.set(start, [...(byStart.get(start) ?? []), hint]);
  }
  const isStart = new Uint8Array(MASK + 1);
  for (const start of byStart.keys()) isStart[start] = 1;

  const note = (found: Set<string>, text: string, at: number, start: number): Set<string> => {
    for (const hint of byStart.get(start) ?? []) if (standsAt(text, at, hint)) found.add(hint.word);
    return found;
  };

  return (text) => {
    const { length } = text;
    const bytes = toBytes(text);
    let found: Set<string> | undefined;
    let last = 0;
    for (let i = 0; i < length; i++) {
      last = ((last << BITS) | (fold[bytes[i] as number] as number)) & MASK;
      if (isStart[last] !== 0) found = note(found ?? new Set(), text, i - 2, last);
    }
    // A word of two letters may end the text.
    last = (last << BITS) & MASK;
    if (isStart[last] !== 0) found = note(found ?? new Set(), text, length - 2, last);
    return found ?? NONE;
  };
}

let scratch = Buffer.alloc(0);
const MAX_SCRATCH = 1024 * 1024;

/**
 * The lower byte of each character, and whatever behind it: going through bytes is more than twice as fast as through a
 * text. A character that only looks like a letter this way is found out when the whole word is looked at.
 */
function toBytes(text: string): Uint8Array {
  if (text.length > MAX_SCRATCH) return Buffer.from(text, 'latin1');
  if (text.length > scratch.length) scratch = Buffer.alloc(Math.max(16 * 1024, 2 * text.length));
  scratch.write(text, 0, 'latin1');
  return scratch;
}

/** The three characters that a word begins with; a word of two begins with them and anything. */
function toStarts(word: string, fold: Uint8Array): readonly number[] {
  const [a = 0, b = 0, c] = Array.from(word, (letter) => fold[letter.charCodeAt(0)]);
  const start = ((a << BITS) | b) << BITS;
  return c === undefined ? Array.from({ length: 1 << BITS }, (_, any) => start | any) : [start | c];
}

function standsAt(text: string, at: number, { word, isExact }: Hint): boolean {
  if (isExact) return text.startsWith(word, at);
  return text.slice(at, at + word.length).toLowerCase() === word;
}

/** Letters without their case; digits, and what often stands in secrets, apart from all the rest. */
const FOLDED = ['0123456789', '_', '-', './:'];

function makeFold(): Uint8Array {
  const fold = new Uint8Array(256);
  for (let code = 33; code < 127; code++) {
    const letter = String.fromCharCode(code).toLowerCase();
    const group = FOLDED.findIndex((letters) => letters.includes(letter));
    fold[code] = letter >= 'a' && letter <= 'z' ? letter.charCodeAt(0) - 96 : 27 + (group < 0 ? FOLDED.length : group);
  }
  return fold;
}
