/** The shape of every list that `--json` prints, and the options that page through it. */

import type { Options } from './command.ts';
import { usageError } from './errors.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** How many rows there are in all. */
  readonly total: number;
  /** The value of `--from` for the next page; null on the last one. */
  readonly next: number | null;
}

/** The options of a list; `fallback` is how many rows it shows without `--limit`. */
export function makePageOptions(fallback: number, all = 'List all rows'): Options {
  return {
    '--limit <n>': `Maximum number of rows (default: ${fallback})`,
    '--from <n>': 'Number of the first row (default: 1)',
    '--all': all,
  };
}

export function toPage<T>(rows: readonly T[], options: Readonly<Record<string, unknown>>, fallback: number): Page<T> {
  const { limit, from, all } = options as { limit?: string; from?: string; all?: boolean };
  const first = toLimit(from, 1, '--from') - 1;
  const end = first + toLimit(limit, all === true ? Math.max(1, rows.length) : fallback);
  return {
    items: rows.slice(first, end),
    total: rows.length,
    next: end < rows.length ? end + 1 : null,
  };
}

/** A list that is always printed whole. */
export function toWholePage<T>(rows: readonly T[]): Page<T> {
  return { items: rows, total: rows.length, next: null };
}

/**
 * Tells a person about the rows that are not shown. `hasMore`: the list leaves out other rows, too, and says below that
 * `--all` lists them.
 */
export function renderRest({ items, total, next }: Page<unknown>, hasMore = false): readonly string[] {
  if (next === null) return [];
  const [first, last] = [next - items.length, next - 1];
  const rows = first === last ? `Row ${first}` : `Rows ${first}-${last}`;
  const all = hasMore ? '' : ' All rows: --all';
  return ['', `${rows} of ${total}. Next rows: --from ${next}.${all}`];
}

const MAX = 1_000_000;

/** A number of rows, or of one, as a person types it. */
export function toLimit(text: string | undefined, otherwise: number, option = '--limit'): number {
  if (text === undefined) return otherwise;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit > 0 && limit <= MAX) return limit;
  throw usageError(`${option} ${text}`, 'is not a number of rows', 'use 1 or more');
}
