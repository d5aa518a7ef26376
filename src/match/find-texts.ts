/**
 * Which of the texts of a branch stand in a text of the call. A look at three letters in a row, of which a table says
 * whether the call has them anywhere, drops nearly all of them: the call's text is gone through once, however many texts are
 * looked for in however many branches.
 */
import { MIN_INDEX_TEXT_CHARS, type TextDimension } from '../base/lesson-index.ts';
import type { OpenBranch, TextGrams } from './open-index.ts';

const MASK = (1 << 14) - 1;
const GRAM = 3;
/** Of one text so many are looked up. */
const GRAMS = 4;
/** Under it a search for each costs less than the table. */
const LITTLE = 300;
/** One byte each: the table stays where the processor has it at hand. */
const MAX_STAMP = 255;
const NONE: readonly string[] = [];

/** A text of the call. */
export interface Haystack {
  readonly by: TextDimension;
  readonly text: string;
  /** Of its letters in the table, once they are there. */
  stamp: number | undefined;
}

/** Kept, and not emptied: what bears another stamp than the last is not in the text. */
interface Table {
  readonly stamps: Uint8Array;
  last: number;
}

/** One for each kind of text that a call has: when its stamps begin anew, no other text of the call is in it. */
const tables: Partial<Record<TextDimension, Table>> = {};
let lowBytes = Buffer.alloc(0);

export function findTexts(branch: OpenBranch, haystack: Haystack): readonly string[] {
  const { text } = haystack;
  if (text.length < MIN_INDEX_TEXT_CHARS) return NONE;
  branch.grams ??= makeGrams(Object.keys(branch.entries));
  const { texts, grams } = branch.grams;
  if (haystack.stamp === undefined && texts.length * text.length < LITTLE)
    return texts.filter((one) => text.includes(one));
  const table = fillTable(haystack);
  const { stamp } = haystack;
  const found: string[] = [];
  const count = texts.length;
  for (let i = 0; i < count; i++) {
    if (table[grams[i] as number] !== stamp || table[grams[i + count] as number] !== stamp) continue;
    if (table[grams[i + 2 * count] as number] !== stamp || table[grams[i + 3 * count] as number] !== stamp) continue;
    const one = texts[i] as string;
    if (text.includes(one)) found.push(one);
  }
  return found;
}

/** `GRAMS` of each text: the first ones of all, then the second ones. */
function makeGrams(texts: readonly string[]): TextGrams {
  const grams = new Uint16Array(GRAMS * texts.length);
  for (let i = 0; i < grams.length; i++) {
    grams[i] = getGram(texts[i % texts.length] as string, Math.floor(i / texts.length));
  }
  return { texts, grams };
}

/** From its beginning to its end, evenly. */
function getGram(text: string, k: number): number {
  const at = Math.floor((k * Math.max(0, text.length - GRAM)) / (GRAMS - 1));
  return toGram(text.charCodeAt(at) & 0xff, text.charCodeAt(at + 1) & 0xff, text.charCodeAt(at + 2) & 0xff);
}

function fillTable(haystack: Haystack): Uint8Array {
  const { by, text } = haystack;
  const table = tables[by] ?? { stamps: new Uint8Array(MASK + 1), last: 0 };
  const { stamps } = table;
  if (haystack.stamp !== undefined) return stamps;
  if (table.last === MAX_STAMP) stamps.fill(0);
  const stamp = table.last === MAX_STAMP ? 1 : table.last + 1;
  const bytes = toLowBytes(text);
  let [a, b] = [bytes[0] as number, bytes[1] as number];
  for (let at = GRAM - 1; at < text.length; at++) {
    const c = bytes[at] as number;
    stamps[toGram(a, b, c)] = stamp;
    a = b;
    b = c;
  }
  table.last = stamp;
  tables[by] = table;
  haystack.stamp = stamp;
  return stamps;
}

/** Of each letter, which is what `latin1` keeps. Gone through in half the time that the letters of a string take. */
function toLowBytes(text: string): Uint8Array {
  if (lowBytes.length < text.length) lowBytes = Buffer.allocUnsafe(2 * text.length);
  lowBytes.write(text, 'latin1');
  return lowBytes;
}

/** Of the low bytes of three letters. */
function toGram(a: number, b: number, c: number): number {
  return (a ^ (b << 4) ^ (c << 8)) & MASK;
}
