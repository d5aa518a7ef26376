/** A store of every earlier version, with rows in all its tables, is migrated to this version and back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_MIGRATIONS } from 'kysely';
import type { BackupPart } from '../../../src/base/storage/backup.ts';
import { readTablesAt, type Tables } from '../../../src/keep/backup/backup-rows.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';
import { makeMigrator, migrateUp } from '../../../src/keep/store/engines/migrate-store.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { insertRows } from '../../../src/keep/store/statements.ts';
import { makeRows } from './make-rows.ts';
import { readRows } from './read-rows.ts';
import { type OpenTestStore, type TestStore, withStore } from './test-store.ts';

export function describeVersions(open: OpenTestStore): void {
  describe('a store of an earlier version', () => {
    for (const version of Object.keys(MIGRATIONS)) {
      it(
        `comes up from ${version} with all its rows, and goes down again`,
        withStore(open, async (test) => {
          const tables = await readTablesAt(version);
          assert.ok(tables);
          await migrate(test, NO_MIGRATIONS);
          await migrate(test, version);
          const parts = makeRows(tables, 3);
          for (const part of parts) await insertRows(test.engine.db, part, toColumns(tables, part));
          const before = await readRows(test.engine);

          await migrateUp(test.engine);
          await assertKept(test, parts);
          const store = await openStore(test.place);
          assert.equal((await store.listProjects()).length, 3);
          await store.close();

          await migrate(test, version);
          assert.deepEqual(await readRows(test.engine), before);
          await migrate(test, NO_MIGRATIONS);
          assert.deepEqual(await readRows(test.engine), {});
        }),
      );
    }
  });
}

/** Columns of that version keep their values; later columns may be anything. */
async function assertKept({ engine }: TestStore, parts: readonly BackupPart[]): Promise<void> {
  const after = await readRows(engine);
  for (const { table, rows } of parts) {
    const kept = after[table]?.map((row, n) =>
      Object.fromEntries(Object.keys(rows[n] ?? {}).map((name) => [name, row[name]])),
    );
    assert.deepEqual(kept, rows, table);
  }
}

async function migrate({ engine }: TestStore, version: Parameters<ReturnType<typeof makeMigrator>['migrateTo']>[0]) {
  const { error } = await makeMigrator(engine).migrateTo(version);
  assert.equal(error, undefined);
}

function toColumns(tables: Tables, { table }: BackupPart): readonly string[] {
  return [...(tables.get(table)?.keys() ?? [])];
}
