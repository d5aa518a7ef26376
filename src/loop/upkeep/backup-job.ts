/**
 * Makes the daily backup of a SQLite store. It reads part by part through its own connection and rests after each part,
 * so that events are stored meanwhile. PostgreSQL stores get no backup: the server's owner makes them, and `data forget`
 * could not remove data from copies on other machines.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../base/contracts/store.ts';
import { toReason } from '../../base/errors.ts';
import { listAutomaticBackups, MAX_AUTOMATIC_BYTES } from '../../keep/backup/backup-files.ts';
import { writeAutomaticBackup } from '../../keep/backup/write-backup.ts';
import type { TrustedClock } from './trusted-clock.ts';

interface BackupJob {
  /** Begins a backup if one is due, without waiting for it. */
  step(): void;
  /** False while there is no backup of the last day; then no run removes the full share of rows. */
  isBackedUp(): boolean;
  isRunning(): boolean;
  /** Resolves when no backup is running; an unfinished one leaves no file. */
  end(): Promise<void>;
}

export interface BackupParts {
  readonly backupsDir: string;
  /** Opens a separate connection. Undefined if there is nothing to back up. */
  readonly open: (() => Promise<Store>) | undefined;
  readonly clock: Pick<TrustedClock, 'findNow' | 'noteBackup' | 'readBackup'>;
  /** The version of the product. */
  readonly oncebitten: string;
  readonly log: (line: string) => void;
  readonly maxBytes?: number;
  /** Delay after the start of the daemon. */
  readonly delayMs?: number;
}

const DELAY_MS = 60_000;
const HOUR_MS = 60 * 60_000;
const DUE_MS = 20 * HOUR_MS;
const LOOK_MS = 10 * 60_000;
/** After a backup that was too large, the next attempt comes after this time. */
const LARGE_MS = 7 * 24 * HOUR_MS;
/** How long backups before a migration, a removal or a restore are kept: as long as text is. */
const OLD_MS = 30 * 24 * HOUR_MS;
const MAX_REST_MS = 50;

export function makeBackupJob(parts: BackupParts): BackupJob {
  const { backupsDir, open, clock, log, delayMs = DELAY_MS } = parts;
  let dueMs = performance.now() + delayMs;
  let isEnding = false;
  let running: Promise<void> | undefined;
  const isFresh = (nowMs: number): boolean =>
    listAutomaticBackups({ backupsDir }).some(({ kind, at }) => kind === 'daily' && isWithin(at, nowMs, DUE_MS));
  const run = async (openStore: () => Promise<Store>, nowMs: number): Promise<void> => {
    try {
      const bytes = await write(openStore, parts, nowMs, () => isEnding);
      clock.noteBackup(bytes === undefined ? undefined : { at: new Date(nowMs).toISOString(), bytes });
      if (bytes !== undefined) log(`backup: ${bytes} bytes are more than automatic backups may take; none was kept`);
    } catch (error) {
      if (isEnding) return;
      log(`backup: ${toReason(error)}`);
      clock.noteBackup({ at: new Date(nowMs).toISOString(), reason: toReason(error) });
      dueMs = performance.now() + HOUR_MS;
    }
  };
  return {
    step() {
      if (open === undefined || running !== undefined || isEnding || performance.now() < dueMs) return;
      dueMs = performance.now() + LOOK_MS;
      const nowMs = clock.findNow();
      if (nowMs === undefined || isFresh(nowMs)) return;
      const last = clock.readBackup();
      if (last?.bytes !== undefined && isWithin(last.at, nowMs, LARGE_MS)) return;
      running = run(open, nowMs).finally(() => {
        running = undefined;
      });
    },
    isBackedUp() {
      const nowMs = clock.findNow();
      return open === undefined || (nowMs !== undefined && running === undefined && isFresh(nowMs));
    },
    isRunning: () => running !== undefined,
    async end() {
      isEnding = true;
      await running;
    },
  };
}

/** The size, if it was too large to be kept. */
async function write(
  open: () => Promise<Store>,
  { backupsDir, oncebitten, maxBytes = MAX_AUTOMATIC_BYTES }: BackupParts,
  nowMs: number,
  isEnding: () => boolean,
): Promise<number | undefined> {
  const store = await open();
  let partMs = performance.now();
  const onRows = async (): Promise<void> => {
    if (isEnding()) throw new Error('the daemon ends');
    await sleep(Math.min(performance.now() - partMs, MAX_REST_MS));
    partMs = performance.now();
  };
  try {
    // An empty store needs no backup.
    if ((await store.findNewestWrite()) === undefined) return undefined;
    const at = new Date(nowMs).toISOString();
    const oldBefore = new Date(nowMs - OLD_MS).toISOString();
    const wish = { backupsDir, kind: 'daily', at, oncebitten, onRows, maxBytes, oldBefore } as const;
    const { bytes, isTooLarge } = await writeAutomaticBackup(store, wish);
    return isTooLarge ? bytes : undefined;
  } finally {
    await store.close();
  }
}

function isWithin(at: string, nowMs: number, ms: number): boolean {
  return Math.abs(nowMs - Date.parse(at)) < ms;
}
