/** Turns a filter into one SQL condition, in the same way for every table. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database-schema.ts';
import { listAllIds } from './projects.ts';

/**
 * The rows that a filter asks for. `columns`: what each field of the filter is compared with; other fields of the filter
 * are ignored, and so are absent ones. Any id of a joined project stands for all of them.
 */
export async function toCondition<F extends object>(
  db: Database,
  filter: F,
  columns: { readonly [K in keyof F]?: string },
  ...others: readonly RawBuilder<unknown>[]
): Promise<RawBuilder<boolean>> {
  const conditions = [...others];
  for (const [name, column] of Object.entries(columns) as [keyof F & string, string][]) {
    const value: unknown = filter[name];
    if (value !== undefined) conditions.push(await compare(db, name, sql.raw(column), value));
  }
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

async function compare(db: Database, name: string, column: RawBuilder<unknown>, value: unknown) {
  if (name === 'since') return sql`${column} >= ${value}`;
  if (name === 'until') return sql`${column} < ${value}`;
  if (name === 'projectId') return isOneOf(column, await listAllIds(db, [String(value)]));
  if (name === 'projectIds') return isOneOf(column, await listAllIds(db, value as readonly string[]));
  // Not LIKE, because an id may contain its wildcards, and one engine ignores case.
  if (name === 'idPrefix') return sql`substr(${column}, 1, ${sql.lit([...String(value)].length)}) = ${value}`;
  return Array.isArray(value) ? isOneOf(column, value) : sql`${column} = ${value}`;
}

/** The calls, failures or deliveries of a table in sessions of this model. */
export function listOfModel(table: string, model: string | undefined): readonly RawBuilder<unknown>[] {
  if (model === undefined) return [];
  const [agent, session] = [sql.ref(`${table}.agent`), sql.ref(`${table}.session_id`)];
  return [
    sql`exists (select 1 from sessions as m where m.agent = ${agent} and m.session_id = ${session} and m.model = ${model})`,
  ];
}

/** PostgreSQL takes no empty list. */
function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<unknown> {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
}
