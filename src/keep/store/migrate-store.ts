/** Brings a store's tables up to this version, or down to nothing. Several processes may try at once. */
import { Migrator, NO_MIGRATIONS, sql } from 'kysely';
import { toReason, UserError } from '../../base/errors.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import type { Engine } from './engine.ts';

/** Not Kysely's default name: a team may keep another Kysely application in the same database. */
export const MIGRATION_TABLE = 'oncebitten_migrations';

/** Closes the engine when it fails: nobody else can. */
export async function migrateUp(engine: Engine): Promise<void> {
  try {
    // Asked first, because the migrator takes the write lock even when there is nothing to do.
    if (await isUpToDate(engine)) return;
    const { error } = await makeMigrator(engine).migrateToLatest();
    if (error === undefined) return;
    // Somebody newer may have migrated between our question and our turn.
    await isUpToDate(engine);
    throw failed(engine, error);
  } catch (error) {
    await engine.db.destroy();
    throw error instanceof UserError ? error : failed(engine, error);
  }
}

/** Removes every table of ours, with all they hold. */
export async function migrateDown(engine: Engine): Promise<void> {
  const { error } = await makeMigrator(engine).migrateTo(NO_MIGRATIONS);
  if (error !== undefined) throw failed(engine, error);
}

async function isUpToDate(engine: Engine): Promise<boolean> {
  const names = await listExecuted(engine);
  const unknown = names.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) {
    throw new UserError({
      subject: engine.name,
      reason: `was written by a newer Oncebitten (it has "${unknown}", which this version does not know)`,
      next: 'Update Oncebitten; the store was not changed.',
    });
  }
  return names.length === Object.keys(MIGRATIONS).length;
}

async function listExecuted({ db }: Engine): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  return rows.map((row) => row.name);
}

function makeMigrator({ db }: Engine): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  });
}

function failed(engine: Engine, cause: unknown): UserError {
  const reason = `its tables cannot be brought to this version: ${toReason(cause)}`;
  return new UserError({ subject: engine.name, reason, next: engine.next, cause });
}
