/**
 * The daily backup of a SQLite store. It reads through a connection of its own, part by part, and rests as long as each
 * part took: events go on being stored meanwhile. With PostgreSQL there is none: the server's owner makes backups, and a
 * copy of everybody's texts on each machine would be out of reach when one of them forgets something.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../base/contracts/store.ts';
import { toReason } from '../../base/errors.ts';
import { listAutomaticBackups, MAX_AUTOMATIC_BYTES } from '../../keep/backup/backup-files.ts';
import { writeAutomaticBackup } from '../../keep/backup/write-backup.ts';
import type { TrustedClock } from './trusted-clock.ts';

interface BackupJob {
  /** Begins a backup when one is due. Never waits for it. */
  step(): void;
  /** False while the store has no backup of the last day: then no run removes as much as it may. */
  isBackedUp(): boolean;
  isRunning(): boolean;
  /** Resolves when no backup is under way any more; one that is under way leaves nothing behind. */
  end(): Promise<void>;
}

export interface BackupParts {
  readonly backupsDir: string;
  /** A connection of its own. Undefined where there is nothing to back up here. */
  readonly open: (() => Promise<Store>) | undefined;
  readonly clock: Pick<TrustedClock, 'findNow' | 'noteBackup' | 'readBackup'>;
  /** The version of the product. */
  readonly oncebitten: string;
  readonly log: (line: string) => void;
  readonly maxBytes?: number;
  /** How long the daemon runs before it begins: at its start it has other things to do. */
  readonly delayMs?: number;
}

const DELAY_MS = 60_000;
const HOUR_MS = 60 * 60_000;
const DUE_MS = 20 * HOUR_MS;
const LOOK_MS = 10 * 60_000;
/** A store whose backup was too large is tried again after so long. */
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
    // A store in which nothing was ever written needs none.
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
