/**
 * Ids that sort in the order they were asked for. Rows of the same moment are ordered by id, and that should be the
 * order in which they were told.
 */
import { type IdPrefix, makeId } from '../../base/ids.ts';

export type IdSequence = (prefix: IdPrefix, count: number) => readonly string[];

export function makeIdSequence(): IdSequence {
  let lastMs = 0;
  return (prefix, count) => {
    lastMs = Math.max(Date.now(), lastMs + 1);
    return Array.from({ length: count }, () => makeId(prefix, lastMs)).sort();
  };
}
