/**
 * Converts values for the store: storable text, comparable times, fields to columns, and ids that sort in order. PostgreSQL
 * rejects NUL in text, and neither engine keeps half of a surrogate pair. Everything that enters the store is
 * converted, including keys and filters, so that a saved name is found again.
 */

import { CROCKFORD, type IdPrefix, makeId } from '../../base/ids.ts';

/** Makes text storable in both engines: without NUL, and without half of a surrogate pair. */
export function toStorable<T>(value: T): T {
  return convert(value) as T;
}

function convert(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null || isStorable(value)) return value;
  if (Array.isArray(value)) return value.map(convert);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), convert(inner)]));
}

/** Nearly all values are storable and need not be copied. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  for (const key in value) if (!isStorable(key) || !isStorable((value as Record<string, unknown>)[key])) return false;
  return true;
}

export function toStorableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}

/**
 * Times are compared as text, so all must have the same form; agents differ in the length of the fraction and in the
 * zone. A text that is not a time stays as it is, because a wrong order is better than losing its batch.
 */
const ALIKE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function toTime(text: string): string {
  if (ALIKE.test(text)) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

/** NULL in a row is an absent field of a domain object. */
type NullOmitted<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]>;
};

export function omitNull<T extends object>(fields: T): NullOmitted<T> {
  const kept: Record<string, unknown> = {};
  // No list of pairs is built, because thousands of rows pass through here.
  for (const key in fields) if (fields[key] !== null) kept[key] = fields[key];
  return kept as NullOmitted<T>;
}

type StoredField<T, C> = keyof C & keyof T;

/** The columns of fields, by their table; an optional field may be NULL. */
type ColumnsOf<T, C> = {
  -readonly [F in StoredField<T, C> as C[F] & string]-?: undefined extends T[F]
    ? Exclude<T[F], undefined> | null
    : T[F];
};

/** Defines the columns that store the fields of `T`: field -> column. Other columns are written by hand. */
export function defineColumns<T>() {
  return <const C extends { readonly [F in keyof T]?: string }>(columns: C) => {
    const pairs = Object.entries(columns) as [StoredField<T, C> & string, string][];
    return {
      toRow(value: Pick<T, StoredField<T, C>>): ColumnsOf<T, C> {
        const row: Record<string, unknown> = {};
        for (const [field, column] of pairs) row[column] = value[field] ?? null;
        return row as ColumnsOf<T, C>;
      },
      toFields(row: ColumnsOf<T, C>): Pick<T, StoredField<T, C>> {
        const fields: Record<string, unknown> = {};
        for (const [field, column] of pairs) {
          const value = (row as Record<string, unknown>)[column];
          if (value !== null) fields[field] = value;
        }
        return fields as Pick<T, StoredField<T, C>>;
      },
    };
  };
}

export type IdSequence = (prefix: IdPrefix, count: number) => readonly string[];

/** The characters that count within one sequence; those before them make it unique. */
const COUNTED = 5;

/** Ids that sort in the order of the calls, because rows of the same time are sorted by id. */
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

const TIME_CHARS = 10;

/**
 * Returns an id that sorts after `last`, so that rows that two processes write at the same time stay in order. The same
 * id if it already does.
 */
export function toLaterId(id: string, last: string | undefined): string {
  if (last === undefined || id > last) return id;
  const [prefix = '', rest = ''] = last.split('_');
  let ms = 0;
  for (const char of rest.slice(0, TIME_CHARS)) ms = ms * 32 + Math.max(0, CROCKFORD.indexOf(char));
  return makeId(prefix as IdPrefix, ms + 1);
}
