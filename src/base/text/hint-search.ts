/**
 * Finds which of many short words a text contains, in one pass. Every output of every call is searched; a regex of
 * alternatives is about ten times slower, and a search for each word slower still.
 *
 * The text is read two characters at a time. A word of three or more characters contains a whole pair wherever it
 * begins, so the search looks for the rarest such pair and compares the word only where it finds one.
 */

export interface Hints {
  /** Matched in this case only. */
  readonly exact: Iterable<string>;
  /** Matched in any case; given in lower case. */
  readonly anyCase: Iterable<string>;
}

export type HintSearch = (text: string) => ReadonlySet<string>;

interface Hint {
  readonly word: string;
  readonly isExact: boolean;
}

/** A hint that contains a certain pair. */
interface Suspect extends Hint {
  /** The number of characters before the pair. */
  readonly before: number;
}

const NONE: ReadonlySet<string> = new Set();
const PAIRS = 0x1_0000;

/** Every word must have at least two characters, all ASCII. */
export function makeHintSearch({ exact, anyCase }: Hints): HintSearch {
  const suspects = listSuspects([
    ...Array.from(exact, (word) => ({ word, isExact: true })),
    ...Array.from(anyCase, (word) => ({ word, isExact: false })),
  ]);
  const lists = [...suspects.values()];
  /** Zero: no hint has the pair. Otherwise its index in the lists plus one. */
  const places = new Uint16Array(PAIRS);
  for (const [n, pair] of [...suspects.keys()].entries()) places[pair] = n + 1;
  const behind = Uint32Array.from([0, ...lists.map((list) => toNeighbours(list, 2))]);
  const before = Uint32Array.from([0, ...lists.map((list) => toNeighbours(list, -1))]);

  const note = (found: Set<string> | undefined, text: string, at: number, place: number): Set<string> | undefined => {
    let all = found;
    for (const suspect of lists[place - 1] ?? []) {
      if (all?.has(suspect.word) !== true && standsAt(text, at - suspect.before, suspect))
        all = (all ?? new Set()).add(suspect.word);
    }
    return all;
  };

  return (text) => {
    const { pairs, bytes } = hold(text);
    const count = (text.length + 1) >> 1;
    let found: Set<string> | undefined;
    for (let n = 0; n < count; n++) {
      const place = places[pairs[n] as number] as number;
      if (place === 0) continue;
      const next = (behind[place] as number) >>> (FOLD[bytes[2 * n + 2] as number] as number);
      const last = n === 0 ? 0 : (before[place] as number) >>> (FOLD[bytes[2 * n - 1] as number] as number);
      if (((next | last) & 1) !== 0) found = note(found, text, 2 * n, place);
    }
    return found ?? NONE;
  };
}

/** A text as the lower bytes of its characters, and the same bytes in pairs; followed by at least one zero. */
interface Held {
  readonly bytes: Buffer;
  readonly pairs: Uint16Array;
}

const MIN_BYTES = 16 * 1024;
const MAX_KEPT_BYTES = 1024 * 1024;
let kept = makeHeld(MIN_BYTES);

function makeHeld(size: number): Held {
  const pairs = new Uint16Array(size >> 1);
  return { pairs, bytes: Buffer.from(pairs.buffer) };
}

/**
 * Reading bytes is more than twice as fast as reading a string. A character that only looks like a letter in this form
 * is found out when the whole word is compared.
 */
function hold(text: string): Held {
  const { length } = text;
  const isKept = length + 2 <= MAX_KEPT_BYTES;
  if (isKept && length + 2 > kept.bytes.length) kept = makeHeld(2 * length + 4);
  const held = isKept ? kept : makeHeld(length + 4);
  held.bytes.write(text, 'latin1');
  held.bytes.fill(0, length, length + 2);
  return held;
}

function standsAt(text: string, at: number, { word, isExact }: Hint): boolean {
  if (at < 0) return false;
  if (isExact) return text.startsWith(word, at);
  for (let i = 0; i < word.length; i++) if (toSmall(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
  return true;
}

function toSmall(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Maps a byte to five bits: letters without case, digits, frequent characters of secrets; others share one value. */
const FOLD = makeFold();

function makeFold(): Uint8Array {
  const groups = ['0123456789', '_', '-', './:'];
  const fold = new Uint8Array(256);
  for (let code = 33; code < 127; code++) {
    const letter = String.fromCharCode(code).toLowerCase();
    const group = groups.findIndex((letters) => letters.includes(letter));
    fold[code] = letter >= 'a' && letter <= 'z' ? letter.charCodeAt(0) - 96 : 27 + (group < 0 ? groups.length : group);
  }
  return fold;
}

const ANYTHING = 0xffff_ffff;

/**
 * A bit for each character that may stand beside the pair. The character after the pair is checked if the word
 * continues, the one before only if the word ends with the pair. A word of two characters checks none.
 */
function toNeighbours(suspects: readonly Suspect[], from: number): number {
  let bits = 0;
  for (const { word, before } of suspects) {
    if (word.length === 2 && before === 0) return ANYTHING;
    const isEnd = before + 2 >= word.length;
    if (isEnd === from < 0) bits |= 1 << (FOLD[word.charCodeAt(before + from)] as number);
  }
  return bits >>> 0;
}

/** The hints by the pairs that announce them. */
function listSuspects(hints: readonly Hint[]): ReadonlyMap<number, readonly Suspect[]> {
  const suspects = new Map<number, Suspect[]>();
  for (const hint of hints) {
    for (const { before, pairs } of [toMeeting(hint, 0), toMeeting(hint, 1)])
      for (const pair of pairs) suspects.set(pair, [...(suspects.get(pair) ?? []), { ...hint, before }]);
  }
  return suspects;
}

/** The pairs that announce a word whose characters from `first` on are read in pairs. */
function toMeeting(hint: Hint, first: number): { readonly before: number; readonly pairs: readonly number[] } {
  const { word, isExact } = hint;
  const before = findRarest(word, first);
  const toCodes = (at: number): readonly number[] => (word[at] === undefined ? ANY : toForms(word.charAt(at), isExact));
  const right = toCodes(before + 1);
  return { before, pairs: toCodes(before).flatMap((a) => right.map((b) => toPairCode(a, b))) };
}

/** A character pair that spans two read pairs can be announced by either, combined with any neighbour. */
function findRarest(word: string, first: number): number {
  const isSplit = word.length === 2 && first === 1;
  const places = isSplit
    ? [-1, 1]
    : [...word].map((_, at) => at).filter((at) => at % 2 === first && at + 1 < word.length);
  const toRarity = (at: number): number => rarity(word, at) + rarity(word, at + 1);
  return places.toSorted((a, b) => toRarity(b) - toRarity(a))[0] ?? 0;
}

/** Most frequent first, as in texts, paths and code. */
const COMMON = ' etaoinsrldcumhpf/.g-:wbvy_kxjqz';

function rarity(word: string, at: number): number {
  const letter = word[at]?.toLowerCase();
  if (letter === undefined) return 0;
  const rank = COMMON.indexOf(letter);
  return rank < 0 ? COMMON.length : rank;
}

const ANY: readonly number[] = Array.from({ length: 256 }, (_, code) => code);

function toForms(letter: string, isExact: boolean): readonly number[] {
  const forms = isExact ? [letter] : [letter.toLowerCase(), letter.toUpperCase()];
  return [...new Set(forms)].map((form) => form.charCodeAt(0));
}

/** In the byte order of this machine. */
function toPairCode(left: number, right: number): number {
  return new Uint16Array(Uint8Array.of(left, right).buffer)[0] ?? 0;
}
