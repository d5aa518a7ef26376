/** Migrates a store's tables to this version. Several processes may try at once. */
import { type Migration, Migrator, sql } from 'kysely';
import { toReason, UserError } from '../../../base/errors.ts';
import { MIGRATIONS } from '../../migrations/migrations.ts';
import type { Engine } from './engine.ts';

type Migrations = Readonly<Record<string, Migration>>;

/** Not Kysely's default name, because a team may have another Kysely application in the same database. */
export const MIGRATION_TABLE = 'oncebitten_migrations';

/** Runs in one transaction, after a backup: all or nothing. Closes the engine on failure, because nobody else can. */
export async function migrateUp(engine: Engine, migrations: Migrations = MIGRATIONS): Promise<void> {
  try {
    // Checked first, because the migrator takes the write lock even if there is nothing to do.
    const executed = await listKnown(engine, migrations);
    if (executed.length === Object.keys(migrations).length) return;
    await backUp(engine, executed);
    const { error } = await makeMigrator(engine, migrations).migrateToLatest();
    if (error === undefined) return;
    // A newer version may have migrated the store in between.
    await listKnown(engine, migrations);
    throw failed(engine, error);
  } catch (error) {
    await engine.db.destroy();
    throw error instanceof UserError ? error : failed(engine, error);
  }
}

async function backUp(engine: Engine, executed: readonly string[]): Promise<void> {
  // A new store has nothing to back up.
  if (executed.length === 0) return;
  await engine.backUp?.(executed.toSorted().at(-1) ?? '');
}

/** The migrations that ran in this store. Throws if the store has a newer version. */
async function listKnown(engine: Engine, migrations: Migrations): Promise<readonly string[]> {
  const names = await listExecuted(engine);
  const unknown = names.find((name) => !Object.hasOwn(migrations, name));
  if (unknown === undefined) return names;
  throw new UserError({
    subject: engine.name,
    reason: `was written by a newer Oncebitten (it has "${unknown}", which this version does not know)`,
    next: 'Update Oncebitten; the store was not changed.',
  });
}

async function listExecuted({ db }: Engine): Promise<readonly string[]> {
  const list = async (): Promise<readonly string[]> => {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
    return rows.map((row) => row.name);
  };
  try {
    return await list();
  } catch {
    // Only now, because every command opens the store, and to list all tables takes longer.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    // Another process may have made it just now.
    return tables.some((table) => table.name === MIGRATION_TABLE) ? list() : [];
  }
}

export function makeMigrator({ db }: Pick<Engine, 'db'>, migrations: Migrations = MIGRATIONS): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  });
}

function failed(engine: Engine, cause: unknown): UserError {
  const reason = `its tables could not be migrated to this version, and were not changed: ${toReason(cause)}`;
  return new UserError({ subject: engine.name, reason, next: engine.advise(cause), cause });
}
