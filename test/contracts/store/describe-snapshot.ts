/** The contract of a snapshot: everything as of one moment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import type { BackupPart, SnapshotWriter } from '../../../src/base/storage/backup.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';
import { MIGRATION_TABLE } from '../../../src/keep/store/engines/migrate-store.ts';
import { BACKUP_TABLES } from '../../../src/keep/store/maintenance/snapshot.ts';
import { openStore } from '../../../src/keep/store/open-store.ts';
import { makeCall, makeChange, makeFailure, makeLesson, makeProject, makeSignature } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

export function describeSnapshot(open: OpenTestStore): void {
  describe('a snapshot', () => {
    it(
      'has every table of a store, each with key columns that are never empty',
      withStore(open, async ({ engine }) => {
        const tables = await engine.db.introspection.getTables();
        const ours = tables.filter(({ name, isView }) => !isView && !name.startsWith(MIGRATION_TABLE));
        assert.deepEqual(ours.map(({ name }) => name).sort(), BACKUP_TABLES.map(([table]) => table).sort());
        for (const [table, key] of BACKUP_TABLES) {
          const columns = ours.find(({ name }) => name === table)?.columns ?? [];
          for (const name of key) assert.equal(columns.find((one) => one.name === name)?.isNullable, false);
        }
      }),
    );

    it(
      'contains all rows in parts, each once, and the table of each part',
      withStore(open, async ({ store }) => {
        const calls = Array.from({ length: 450 }, (_, n) => makeCall({ callId: `c${n}` }));
        await store.saveCalls(calls, 'observed');
        const { parts, facts, counts } = await read(store);
        assert.equal(facts?.migration, Object.keys(MIGRATIONS).at(-1));
        assert.equal(counts.tool_outcomes, 450);
        assert.deepEqual(counts, await store.countRows());
        const told = parts.filter(({ table }) => table === 'tool_outcomes');
        assert.ok(told.length > 2 && told.every(({ rows }) => rows.length <= 200));
        assert.equal(new Set(told.flatMap(({ rows }) => rows.map((row) => row.call_id))).size, 450);
      }),
    );

    it(
      'is of one moment: later saves, changes and removals do not show, and nobody waits',
      withStore(open, async ({ store, place }) => {
        const other = await openStore(place);
        await store.saveProjects([makeProject({ id: 'prj_a' })]);
        await store.saveLesson(makeLesson({ summary: 'before' }), makeChange('made'));
        let isFirst = true;
        const { parts } = await read(store, async () => {
          if (!isFirst) return;
          isFirst = false;
          await other.saveLesson(makeLesson({ summary: 'after' }), makeChange('edited'));
          await other.saveCalls([makeFailure(makeSignature('gh'))], 'observed');
        });
        assert.deepEqual(
          parts.map(({ table, rows }) => [table, rows.length]),
          [
            ['projects', 1],
            ['lessons', 1],
            ['lesson_history', 1],
          ],
        );
        assert.equal(parts.find(({ table }) => table === 'lessons')?.rows[0]?.summary, 'before');
        assert.equal((await store.countRows()).tool_outcomes, 1);
        await other.close();
      }),
    );

    it(
      'that is not read to the end leaves the store usable',
      withStore(open, async ({ store }) => {
        await store.saveProjects([makeProject()]);
        await assert.rejects(
          read(store, () => Promise.reject(new Error('enough'))),
          /enough/,
        );
        await store.saveProjects([makeProject({ id: 'prj_b' })]);
        assert.equal((await store.listProjects()).length, 2);
      }),
    );
  });
}

async function read(store: Store, onPart: () => Promise<void> = async () => {}) {
  const parts: BackupPart[] = [];
  let facts: Parameters<SnapshotWriter['begin']>[0] | undefined;
  const counts = await store.readSnapshot({
    begin: async (told) => {
      facts = told;
    },
    writeRows: async (part) => {
      parts.push(part);
      await onPart();
    },
  });
  return { parts, facts, counts };
}
