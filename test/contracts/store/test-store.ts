/** A store under test: the seam itself, and the public tables behind it for what the seam does not return. */
import { sql } from 'kysely';
import type { Store } from '../../../src/base/contracts/store.ts';
import type { Engine } from '../../../src/keep/store/engines/engine.ts';
import { openStore, type StorePlace } from '../../../src/keep/store/open-store.ts';

export interface TestStore {
  readonly place: StorePlace;
  readonly store: Store;
  /** The database below the store, through a connection of its own. */
  readonly engine: Engine;
  query(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export type OpenTestStore = () => Promise<TestStore>;

/** Where stores are made. */
export interface TestDatabases {
  /** A new, empty database. */
  make(): Promise<StorePlace>;
  /** A new database with the content of this one, which nobody has open. */
  copy(place: StorePlace): Promise<StorePlace>;
  openEngine(place: StorePlace): Promise<Engine>;
}

export async function openTestStore(place: StorePlace, openEngine: TestDatabases['openEngine']): Promise<TestStore> {
  const store = await openStore(place);
  const engine = await openEngine(place);
  return {
    place,
    store,
    engine,
    async query(text) {
      const { rows } = await sql.raw<Record<string, unknown>>(text).execute(engine.db);
      return rows.map((row) => ({ ...row }));
    },
    async close() {
      await store.close();
      await engine.db.destroy();
    },
  };
}

/** A test body with a fresh, empty store. */
export function withStore(open: OpenTestStore, body: (test: TestStore) => Promise<void>): () => Promise<void> {
  return async () => {
    const test = await open();
    try {
      await body(test);
    } finally {
      await test.close();
    }
  };
}
