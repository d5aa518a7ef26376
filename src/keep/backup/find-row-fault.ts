/** What keeps a row of a backup from being one of our rows, in words. Undefined when nothing does. */
import type { Column, ColumnKind } from './read-tables-at.ts';

const NAMES: Readonly<Record<ColumnKind, string>> = { text: 'text', integer: 'a whole number', real: 'a number' };

export function findRowFault(row: unknown, columns: ReadonlyMap<string, Column>): string | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'a row is no object';
  const unknown = Object.keys(row).find((name) => !columns.has(name));
  if (unknown !== undefined) return `has a column "${unknown}" that is not known`;
  for (const [name, column] of columns) {
    const fault = findValueFault((row as Readonly<Record<string, unknown>>)[name] ?? null, column);
    if (fault !== undefined) return `its column "${name}" ${fault}`;
  }
  return undefined;
}

function findValueFault(value: unknown, { kind, isNullable }: Column): string | undefined {
  if (value === null) return isNullable ? undefined : 'is missing';
  if (!isOfKind(value, kind)) return `is not ${NAMES[kind]}`;
  // PostgreSQL has no NUL in text, and neither engine keeps half of a surrogate pair.
  const isStorable = typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
  return isStorable ? undefined : 'holds a character that no store can keep';
}

function isOfKind(value: unknown, kind: ColumnKind): boolean {
  if (kind === 'text') return typeof value === 'string';
  return kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
}
