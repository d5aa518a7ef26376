/** All rows of a database, by table, in the order of their keys. */
import { sql } from 'kysely';
import type { BackupRow } from '../../../src/base/storage/backup.ts';
import type { Engine } from '../../../src/keep/store/engines/engine.ts';
import { BACKUP_TABLES } from '../../../src/keep/store/maintenance/snapshot.ts';

export type Rows = Readonly<Record<string, readonly BackupRow[]>>;

export async function readRows({ db }: Engine): Promise<Rows> {
  const there = new Set((await db.introspection.getTables()).map(({ name }) => name));
  const all: Record<string, readonly BackupRow[]> = {};
  for (const [table, key] of BACKUP_TABLES.filter(([name]) => there.has(name))) {
    const order = sql.join(key.map((column) => sql.ref(column)));
    const { rows } = await sql<BackupRow>`select * from ${sql.table(table)} order by ${order}`.execute(db);
    all[table] = rows.map((row) => ({ ...row }));
  }
  return all;
}
