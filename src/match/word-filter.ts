/**
 * Which words may be in a branch of the index, in two bytes for each of its words: nearly every word of a call is in none, and
 * is told so by what the processor has at hand. One in fifty passes though it is not there.
 */

const BITS_PER_WORD = 16;
const MIN_CELLS = 2;

export type WordFilter = Int32Array;

/** A place in a text: most words lead nowhere, and are not cut out for that. */
export interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Once a filter asked for it. */
  hash: number | undefined;
}

export function toWord(text: string, from = 0, to = text.length): Word {
  return { text, from, to, hash: undefined };
}

export function makeWordFilter(words: readonly string[]): WordFilter {
  let cells = MIN_CELLS;
  while (cells * 32 < words.length * BITS_PER_WORD) cells *= 2;
  const filter = new Int32Array(cells);
  for (const word of words) {
    const hash = toHash(word, 0, word.length);
    const at = toCell(filter, hash);
    filter[at] = (filter[at] as number) | toBits(hash);
  }
  return filter;
}

/** Never false of a word that is there. */
export function mayHold(filter: WordFilter, word: Word): boolean {
  word.hash ??= toHash(word.text, word.from, word.to);
  const { hash } = word;
  const bits = toBits(hash);
  return ((filter[toCell(filter, hash)] as number) & bits) === bits;
}

function toHash(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

function toCell(filter: WordFilter, hash: number): number {
  return (hash >>> 10) & (filter.length - 1);
}

function toBits(hash: number): number {
  return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
}
