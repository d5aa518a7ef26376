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
  return (run) => {
    let last = 0;
    for (let i = 0; i < run.length; i++) {
      // The lower byte, as above: another character with the same one is found out by who looks for the run itself.
      last = ((last << SHIFT) ^ (run.charCodeAt(i) & 255)) & MASK;
      if (i >= CHARS - 1 && isThere[last] === 0) return false;
    }
    return true;
  };
}
