/** A number of rows, or of one, as a person types it. */
import { UsageError } from './usage-error.ts';

const MAX = 1_000_000;

export function toLimit(text: string | undefined, otherwise: number, option = '--limit'): number {
  if (text === undefined) return otherwise;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit > 0 && limit <= MAX) return limit;
  throw new UsageError({ subject: `${option} ${text}`, reason: 'is not a number of rows', next: 'use 1 or more' });
}
