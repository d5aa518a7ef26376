/** For `on conflict do update`: each of these columns takes the value of the row that was to be inserted. */
import { type RawBuilder, sql } from 'kysely';

export function fromExcluded<K extends string>(columns: readonly K[]): Record<K, RawBuilder<never>> {
  const entries = columns.map((column) => [column, sql<never>`${sql.ref(`excluded.${column}`)}`]);
  return Object.fromEntries(entries);
}
