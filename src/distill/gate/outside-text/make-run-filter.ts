/**
 * Whether a run of words may stand in one of many texts. It says no to nearly all that do not, at once: a window has
 * hundreds of kilobytes of output, and every run of words in a typed sentence is looked for in it.
 */

export type MayHold = (run: string) => boolean;

/** Six characters in a row, folded to 18 bits: those before them have been shifted out. */
const CHARS = 6;
const SHIFT = 3;
const MASK = (1 << (CHARS * SHIFT)) - 1;

export function makeRunFilter(texts: readonly string[]): MayHold {
  const isThere = new Uint8Array(MASK + 1);
  for (const text of texts) {
    const bytes = Buffer.from(text, 'latin1');
    let last = 0;
    for (let i = 0; i < bytes.length; i++) {
      last = ((last << SHIFT) ^ (bytes[i] as number)) & MASK;
      if (i >= CHARS - 1) isThere[last] = 1;
    }
  }
  return (run) => holdsAll(isThere, run);
}

const scratch = Buffer.alloc(512);

/** The lower bytes, as above: another character with the same one is found out by who looks for the run itself. */
function holdsAll(isThere: Uint8Array, run: string): boolean {
  // Bytes are gone through faster than a text that is part of another. What is longer is looked for by its beginning.
  const length = scratch.write(run, 0, 'latin1');
  let last = 0;
  for (let i = 0; i < length; i++) {
    last = ((last << SHIFT) ^ (scratch[i] as number)) & MASK;
    if (i >= CHARS - 1 && isThere[last] === 0) return false;
  }
  return true;
}
