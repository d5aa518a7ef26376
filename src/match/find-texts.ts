/**
 * Which of the texts of a branch stand in a text of the call. A look at three letters in a row, of which a table says
 * whether the call has them anywhere, drops nearly all of them: the call's text is gone through once, however many texts are
 * looked for in however many branches.
 */
import type { IndexBranch, TextDimension } from '../base/lesson-index.ts';

const MASK = (1 << 14) - 1;
const GRAM = 3;
/** Of one text so many are looked up. */
const GRAMS = 4;
/** Under it a search for each costs less than the table. */
const LITTLE = 300;
/** One byte each: the table stays where the processor has it at hand. */
const MAX_STAMP = 255;

/** A text of the call. */
export interface Haystack {
  readonly by: TextDimension;
  readonly text: string;
  /** Of its letters in the table, once they are there. */
  stamp?: number;
}

/** One for each kind of text that a call has. Kept, and not emptied: what bears another stamp is not in the text. */
const tables: Partial<Record<TextDimension, Uint8Array>> = {};
let lastStamp = 0;

export function findTexts(branch: IndexBranch, haystack: Haystack): readonly string[] {
  const { text } = haystack;
  const { texts, grams } = getKnown(branch);
  if (haystack.stamp === undefined && texts.length * text.length < LITTLE)
    return texts.filter((one) => text.includes(one));
  const table = fillTable(haystack);
  const { stamp } = haystack;
  const found: string[] = [];
  for (let i = 0, at = 0; i < texts.length; i++, at += GRAMS) {
    const isPossible =
      table[grams[at] as number] === stamp &&
      table[grams[at + 1] as number] === stamp &&
      table[grams[at + 2] as number] === stamp &&
      table[grams[at + 3] as number] === stamp;
    const one = texts[i];
    if (isPossible && one !== undefined && text.includes(one)) found.push(one);
  }
  return found;
}

interface Known {
  readonly texts: readonly string[];
  /** `GRAMS` of each text. */
  readonly grams: Uint16Array;
}

const known = new WeakMap<IndexBranch, Known>();

function getKnown(branch: IndexBranch): Known {
  const before = known.get(branch);
  if (before !== undefined) return before;
  const texts = Object.keys(branch);
  const now = { texts, grams: Uint16Array.from(texts.flatMap(toGrams)) };
  known.set(branch, now);
  return now;
}

/** From its beginning to its end, evenly. */
function toGrams(text: string): readonly number[] {
  const last = Math.max(0, text.length - GRAM);
  return Array.from({ length: GRAMS }, (_, k) => {
    const at = Math.floor((k * last) / (GRAMS - 1));
    return toGram(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  });
}

function fillTable(haystack: Haystack): Uint8Array {
  const { by, text } = haystack;
  const table = tables[by] ?? new Uint8Array(MASK + 1);
  if (haystack.stamp !== undefined) return table;
  if (lastStamp === MAX_STAMP) for (const one of Object.values(tables)) one.fill(0);
  lastStamp = lastStamp === MAX_STAMP ? 1 : lastStamp + 1;
  let [a, b] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = GRAM - 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    table[toGram(a, b, c)] = lastStamp;
    a = b;
    b = c;
  }
  tables[by] = table;
  haystack.stamp = lastStamp;
  return table;
}

function toGram(a: number, b: number, c: number): number {
  return (a ^ (b << 4) ^ (c << 8)) & MASK;
}
