/**
 * Migrations of the tables of sessions, of the scan state of transcript files, and of forgotten ids. A session is one
 * agent session, or one run of a sub-agent that has its own session id.
 */

import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const sessions: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('sessions')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('parent_session_id', text)
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('cwd', text)
      .addColumn('branch', text)
      .addColumn('model', text)
      .addColumn('agent_version', text)
      .addColumn('started_at', text, (c) => c.notNull())
      .addColumn('last_seen_at', text, (c) => c.notNull())
      .addColumn('ended_at', text)
      .addColumn('end_reason', text)
      .addColumn('source', text, (c) => c.notNull())
      .addUniqueConstraint('sessions_key', ['agent', 'session_id'])
      .execute();
    await db.schema.createIndex('sessions_by_project').on('sessions').columns(['project_id', 'last_seen_at']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('sessions').execute();
  },
};

/** The scan state of one transcript file. `offset` is a reserved word in PostgreSQL, hence `byte_offset`. */
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
      // Also a double: some file systems number beyond 2^53, and the value must equal what `stat` returns.
      .addColumn('inode', 'double precision', (c) => c.notNull())
      .addColumn('last_record_id', text)
      .addColumn('parser_version', 'integer', (c) => c.notNull())
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('scan_state').execute();
  },
};

/** Ids and times of forgotten data, which must not come back; no text. */
export const forgotten: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('forgotten')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('id', text, (c) => c.notNull())
      .addColumn('forgotten_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('forgotten_key', ['kind', 'id'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('forgotten').execute();
  },
};

/** The memo of a reader, because some formats name the session and its folder only in their first line. */
export const scanMemo: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').addColumn('memo', textType(db)).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').dropColumn('memo').execute();
  },
};

/** A hash of the bytes before the offset where reading ended, which reveals a rewritten file. */
export const scanTail: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').addColumn('tail', textType(db)).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').dropColumn('tail').execute();
  },
};

/** A call was running where reading ended, so the file is read again after it stops changing. */
export const scanOpen: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('scan_state')
      .addColumn('is_open', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').dropColumn('is_open').execute();
  },
};
