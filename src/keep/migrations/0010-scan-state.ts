/** How far one transcript file has been read. `offset` is a reserved word in PostgreSQL, hence `byte_offset`. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const scanState: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('scan_state')
      .addColumn('path', text, (c) => c.primaryKey().notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('byte_offset', 'bigint', (c) => c.notNull())
      .addColumn('lines', 'bigint', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('mtime_ms', 'double precision', (c) => c.notNull())
      // A double as well: some file systems number beyond 2^53, and what comes back must equal what `stat` says.
      .addColumn('inode', 'double precision', (c) => c.notNull())
      .addColumn('last_record_id', text)
      .addColumn('parser_version', 'integer', (c) => c.notNull())
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('scan_state').execute();
  },
};
