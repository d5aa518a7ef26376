/** What the product has kept in a data directory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Session } from '../../src/base/model/session.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';

export interface Captured {
  readonly calls: readonly StoredCall[];
  /** Of the first call. */
  readonly session: Session | undefined;
  /** The session files that were read. */
  readonly files: readonly ScanState[];
}

/** Hooks that answer nothing run in the background: give the last of them a moment to arrive. */
export async function readCaptured(dataDir: string): Promise<Captured> {
  const home = toDataHome(dataDir);
  await sleep(1000);
  await askDaemon(home, 'flush');
  const store = await openSqliteStore(home.storeFile);
  try {
    const calls = await store.listCalls({});
    const [call] = calls;
    const session = call && (await store.findSession(call.agent, call.sessionId));
    return { calls, session, files: await store.listScanStates() };
  } finally {
    await store.close();
  }
}
