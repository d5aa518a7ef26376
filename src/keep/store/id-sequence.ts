/**
 * Ids that sort in the order they were asked for. Rows of the same moment are ordered by id, and that should be the
 * order in which they were told.
 */
import { CROCKFORD, type IdPrefix, makeId } from '../../base/ids.ts';

export type IdSequence = (prefix: IdPrefix, count: number) => readonly string[];

/** Characters that count within one sequence: those before them make it unique. */
const COUNTED = 5;

export function makeIdSequence(): IdSequence {
  let lastMs = 0;
  return (prefix, count) => {
    lastMs = Math.max(Date.now(), lastMs + 1);
    const first = makeId(prefix, lastMs);
    if (count <= 1) return count === 1 ? [first] : [];
    const head = first.slice(0, -COUNTED);
    return Array.from({ length: count }, (_, i) => head + toDigits(i));
  };
}

function toDigits(number: number): string {
  let rest = number;
  let digits = '';
  for (let i = 0; i < COUNTED; i++) {
    digits = CROCKFORD.charAt(rest % CROCKFORD.length) + digits;
    rest = Math.floor(rest / CROCKFORD.length);
  }
  return digits;
}
