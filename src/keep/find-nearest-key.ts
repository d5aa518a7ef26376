/** The setting that somebody may have meant by a name that is none, also when it is in another group. */
import { SETTING_GROUPS, SETTING_KEYS } from './setting-keys.ts';

/** A name in the wrong group is further away than a slip in the right one. */
const OTHER_GROUP = 0.5;
const MAX_CHARS = 100;

interface Candidate {
  readonly name: string;
  readonly whole: string;
  readonly last: string;
  readonly variables: readonly string[];
}

const CANDIDATES: readonly Candidate[] = [
  ...SETTING_KEYS.map(({ name, variables, ignoredVariable }) => ({
    name,
    variables: ignoredVariable === undefined ? variables : [ignoredVariable],
  })),
  ...SETTING_GROUPS.map((name) => ({ name, variables: [] })),
].map(({ name, variables }) => ({ name, variables, whole: toPlain(name), last: toLast(name) }));

export function findNearestKey(given: string): string | undefined {
  if (given.length > MAX_CHARS) return undefined;
  const byVariable = CANDIDATES.find(({ variables }) => variables.includes(given));
  if (byVariable !== undefined) return byVariable.name;
  const [whole, last] = [toPlain(given), toLast(given)];
  const ranked = CANDIDATES.map(({ name, ...candidate }) => ({
    name,
    far: Math.min(
      toNearness(whole, candidate.whole),
      toNearness(last, candidate.last) + OTHER_GROUP,
      toNearness(last, candidate.whole) + OTHER_GROUP,
    ),
  })).toSorted((a, b) => a.far - b.far);
  const [best] = ranked;
  return best === undefined || best.far === Number.POSITIVE_INFINITY ? undefined : best.name;
}

/** Infinite where so much differs that it is another word: more than a third of it. */
function toNearness(given: string, known: string): number {
  const most = Math.floor(Math.max(given.length, known.length) / 3);
  if (Math.abs(given.length - known.length) > most) return Number.POSITIVE_INFINITY;
  const far = toDistance(given, known);
  return far <= most ? far : Number.POSITIVE_INFINITY;
}

/** How many letters were added, left out, changed, or swapped with their neighbour. */
function toDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : change;
      row.push(Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, change, swap));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** `min_score` and `min-score` are `minScore`. */
function toPlain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

function toLast(name: string): string {
  return toPlain(name.slice(name.lastIndexOf('.') + 1));
}
