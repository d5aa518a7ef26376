/** A text goes the whole way of an import, on a real store in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { ImportFormat } from '../../src/loop/import/candidate.ts';
import { parseImport } from '../../src/loop/import/parse-import.ts';
import type { PlanRow } from '../../src/loop/import/plan-import.ts';
import { saveImport } from '../../src/loop/import/plan-import.ts';
import { prepareImport } from '../../src/loop/import/prepare-import.ts';

export const NOW = '2026-06-01T00:00:00.000Z';
const scan = makeSecretScan({ log: () => {} });

export interface ImportPlace {
  readonly store: Store;
  take(given: unknown, options?: TakeOptions): Promise<readonly PlanRow[]>;
  lessons(): Promise<readonly Lesson[]>;
  close(): Promise<void>;
}

export interface TakeOptions {
  readonly trust?: boolean;
  readonly format?: ImportFormat;
  readonly at?: string;
}

export async function openImport(): Promise<ImportPlace> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-import-'));
  const store = await openSqliteStore(join(dir, 'oncebitten.db'));
  return {
    store,
    async take(given, { trust = false, format, at = NOW } = {}) {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const parsed = parseImport({ name: 'a file', text }, format);
      const prepared = await prepareImport(parsed, { trust, at, scan });
      return (await saveImport(store, prepared, { by: 'user:test', at, from: 'a file' })).rows;
    },
    lessons: () => store.listLessons(),
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
