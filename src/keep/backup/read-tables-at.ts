/** Which tables and columns a store has after a given migration: asked of an empty one that is made for the question. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { makeNodeSqliteDialect } from '../store/node-sqlite-dialect.ts';

export type ColumnKind = 'text' | 'integer' | 'real';

export interface Column {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** By table, by column. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, Column>>;

/** Undefined for a migration that this version does not know. */
export async function readTablesAt(migration: string): Promise<Tables | undefined> {
  const names = Object.keys(MIGRATIONS);
  if (!names.includes(migration)) return undefined;
  const db = new Kysely<unknown>({ dialect: makeNodeSqliteDialect(new DatabaseSync(':memory:')) });
  try {
    for (const name of names.slice(0, names.indexOf(migration) + 1)) await MIGRATIONS[name]?.up(db);
    const tables = await db.introspection.getTables();
    return new Map(
      tables
        .filter(({ isView }) => !isView)
        .map(({ name, columns }) => [
          name,
          new Map(columns.map((one) => [one.name, { kind: toKind(one.dataType), isNullable: one.isNullable }])),
        ]),
    );
  } finally {
    await db.destroy();
  }
}

function toKind(dataType: string): ColumnKind {
  if (/int/i.test(dataType)) return 'integer';
  return /double/i.test(dataType) ? 'real' : 'text';
}
