/** What a scan left in a store, without what differs between two scans of the same: ids, and when it was. */
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';

export interface Scanned {
  readonly calls: readonly string[];
  readonly signatures: readonly string[];
  readonly lessons: readonly string[];
}

export async function readScanned(dataDir: string): Promise<Scanned> {
  const store = await openSqliteStore(toDataHome(dataDir).storeFile);
  try {
    const stored = await store.listCalls({});
    const names = new Map(stored.map(({ id, sessionId, callId }) => [id, `${sessionId} ${callId}`]));
    const calls = stored.map(({ id: _, precedingId = '', ...call }) => ({ ...call, after: names.get(precedingId) }));
    const signatures = await store.listTopSignatures({ limit: 1_000 });
    const lessons = (await store.listLessons()).map(
      ({ id: _, slug: __, createdAt: ___, updatedAt: ____, evidence, ...lesson }) => ({
        ...lesson,
        evidence: evidence.map(({ file, lines }) => [file, lines]),
      }),
    );
    return { calls: toLines(calls), signatures: toLines(signatures), lessons: toLines(lessons) };
  } finally {
    await store.close();
  }
}

function toLines(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
