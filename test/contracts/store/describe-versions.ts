/** A store of every earlier version, with rows in all its tables, is migrated to this version and back. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { NO_MIGRATIONS } from 'kysely';
import type { BackupPart } from '../../../src/base/storage/backup.ts';
import { readTablesAt, type Tables } from '../../../src/keep/backup/backup-rows.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';
import type { Engine } from '../../../src/keep/store/engines/engine.ts';
import { makeMigrator, migrateUp } from '../../../src/keep/store/engines/migrate-store.ts';
import { openStore, type StorePlace } from '../../../src/keep/store/open-store.ts';
import { insertRows } from '../../../src/keep/store/statements.ts';
import { makeRows } from './make-rows.ts';
import { readRows } from './read-rows.ts';
import type { TestDatabases } from './test-store.ts';

export function describeVersions({ make, copy, openEngine }: TestDatabases): void {
  const withEngine = async (place: StorePlace, work: (engine: Engine) => Promise<void>): Promise<void> => {
    const engine = await openEngine(place);
    await work(engine).finally(() => engine.db.destroy());
  };

  describe('a store of an earlier version', () => {
    /** Goes up from test to test, so that each need not begin with nothing. */
    let empty: StorePlace;
    before(async () => {
      empty = await make();
    });

    for (const version of Object.keys(MIGRATIONS)) {
      it(`comes up from ${version} with all its rows, and goes down again`, async () => {
        const tables = await readTablesAt(version);
        assert.ok(tables);
        await withEngine(empty, (engine) => migrate(engine, version));
        const place = await copy(empty);
        await withEngine(place, async (engine) => {
          const parts = makeRows(tables, 3);
          for (const part of parts) await insertRows(engine.db, part, toColumns(tables, part));
          const filled = await readRows(engine);

          await migrateUp(engine);
          await assertKept(engine, parts);
          const store = await openStore(place);
          assert.equal((await store.listProjects()).length, 3);
          await store.close();

          await migrate(engine, version);
          assert.deepEqual(await readRows(engine), filled);
          await migrate(engine, NO_MIGRATIONS);
          assert.deepEqual(await readRows(engine), {});
        });
      });
    }
  });
}

/** Columns of that version keep their values; later columns may be anything. */
async function assertKept(engine: Engine, parts: readonly BackupPart[]): Promise<void> {
  const after = await readRows(engine);
  for (const { table, rows } of parts) {
    const kept = after[table]?.map((row, n) =>
      Object.fromEntries(Object.keys(rows[n] ?? {}).map((name) => [name, row[name]])),
    );
    assert.deepEqual(kept, rows, table);
  }
}

async function migrate(engine: Engine, version: Parameters<ReturnType<typeof makeMigrator>['migrateTo']>[0]) {
  const { error } = await makeMigrator(engine).migrateTo(version);
  assert.equal(error, undefined);
}

function toColumns(tables: Tables, { table }: BackupPart): readonly string[] {
  return [...(tables.get(table)?.keys() ?? [])];
}
