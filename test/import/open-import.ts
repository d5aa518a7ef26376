/** A text goes the whole way of an import, on a real store in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lesson } from '../../src/base/lesson.ts';
import type { Store } from '../../src/base/store.ts';
import { makeSecretScan } from '../../src/capture/scan-secrets.ts';
import { openSqliteStore } from '../../src/keep/store/open-sqlite-store.ts';
import type { ImportFormat } from '../../src/surfaces/import/candidate.ts';
import { parseImport } from '../../src/surfaces/import/parse-import.ts';
import type { PlanRow } from '../../src/surfaces/import/plan-import.ts';
import { prepareImport } from '../../src/surfaces/import/prepare-import.ts';
import { saveImport } from '../../src/surfaces/import/save-import.ts';

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
