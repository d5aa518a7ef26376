/** Rewrites the database file from what is in it now, and empties the write-ahead log, which holds older pages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DatabaseSchema } from './database-schema.ts';

const WAIT_MS = 5_000;
const STEP_MS = 20;

export async function scrubSqlite(db: Kysely<DatabaseSchema>): Promise<void> {
  await sql`vacuum`.execute(db);
  for (let waited = 0; ; waited += STEP_MS) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return;
    if (waited > WAIT_MS) {
      throw new Error(
        'the rows are gone, but another process still reads the file: its log keeps old pages until then',
      );
    }
    await sleep(STEP_MS);
  }
}
