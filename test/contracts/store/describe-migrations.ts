/** The contract of opening and migrating a store: which versions are refused, and who may open it together. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_MIGRATIONS } from 'kysely';
import { UserError } from '../../../src/base/errors.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';
import { MIGRATION_TABLE, makeMigrator } from '../../../src/keep/store/engines/migrate-store.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { makeCall, makeFailure, makeSignature } from './make-samples.ts';
import { type OpenTestStore, type TestStore, withStore } from './test-store.ts';

export function describeMigrations(open: OpenTestStore): void {
  describe('opening', () => {
    it(
      'keeps earlier data',
      withStore(open, async ({ store, place }) => {
        await store.saveCalls([makeCall()], 'observed');
        const again = await openStore(place);
        assert.equal((await again.countAll()).calls, 1);
        await again.close();
      }),
    );

    it(
      'sees at once what another process saved',
      withStore(open, async ({ store, place }) => {
        const other = await openStore(place);
        const calls = Array.from({ length: 20 }, (_, i) => makeFailure(makeSignature('gh'), { callId: `c${i}` }));
        await Promise.all(calls.map((call, i) => (i % 2 ? store : other).saveCalls([call], 'observed')));
        assert.deepEqual([(await store.countAll()).calls, (await other.countAll()).calls], [20, 20]);
        await other.close();
      }),
    );

    it(
      'is refused for a store that a newer version wrote, and changes nothing in it',
      withStore(open, async ({ store, place, query }) => {
        await store.saveCalls([makeCall()], 'observed');
        await query(`insert into ${MIGRATION_TABLE} values ('9999-from-the-future', '2026-01-01T00:00:00.000Z')`);
        const before = await query(`select * from ${MIGRATION_TABLE}`);
        await assert.rejects(openStore(place), (error) => {
          assert.ok(error instanceof UserError);
          assert.match(error.subject, /^store /);
          assert.match(error.reason, /newer Oncebitten .*9999-from-the-future/);
          assert.match(error.next, /Update Oncebitten; the store was not changed/);
          return true;
        });
        assert.deepEqual(await query(`select * from ${MIGRATION_TABLE}`), before);
        assert.equal((await store.countAll()).calls, 1);
      }),
    );

    it(
      'returns a store whose methods reject once it is closed',
      withStore(open, async ({ place }) => {
        const store = await openStore(place);
        await store.close();
        await store.close();
        await assert.rejects(store.countAll(), /countAll failed/);
      }),
    );
  });

  describe('migrations', () => {
    it(
      'go down to nothing and up again',
      withStore(open, async (test) => {
        await test.store.saveCalls([makeFailure(makeSignature('gh'))], 'observed');
        assert.deepEqual(await listTables(test), TABLES);
        await migrateDown(test);
        assert.deepEqual(await listTables(test), []);
        const again = await openStore(test.place);
        assert.deepEqual(await listTables(test), TABLES);
        assert.equal(await again.saveCalls([makeFailure(makeSignature('gh'))], 'observed'), 1);
        await again.close();
      }),
    );

    it('are named in the order they run', () => {
      assert.deepEqual(Object.keys(MIGRATIONS).toSorted(), Object.keys(MIGRATIONS));
    });

    it(
      'run once when many open an empty store at the same time',
      withStore(open, async (test) => {
        await migrateDown(test);
        const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(test.place)));
        assert.deepEqual(await listTables(test), TABLES);
        await Promise.all(stores.map((store) => store.close()));
      }),
    );
  });
}

async function migrateDown({ engine }: TestStore): Promise<void> {
  const { error } = await makeMigrator(engine).migrateTo(NO_MIGRATIONS);
  assert.equal(error, undefined);
}

const TABLES = [
  'added_texts',
  'cures',
  'deliveries',
  'episodes',
  'error_log',
  'feedback',
  'findings',
  'forgotten',
  'learn_packs',
  'lesson_history',
  'lessons',
  'missed_opportunities',
  'project_aliases',
  'project_commits',
  'project_links',
  'projects',
  'promotions',
  'remembered_calls',
  'scan_state',
  'self_reports',
  'sessions',
  'signatures',
  'tool_outcomes',
];

async function listTables({ engine }: TestStore): Promise<string[]> {
  const tables = await engine.db.introspection.getTables();
  return tables
    .map((table) => table.name)
    .filter((name) => !name.startsWith(MIGRATION_TABLE))
    .sort();
}
