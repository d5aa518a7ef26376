/**
 * Answers "what time is it, and may data be removed by its age?" (rules: `judgeClock`). Its record is the
 * file `upkeep.json`. The daemon's worker and `data retention` judge the clock and write the record; code that only prunes
 * a folder reads it.
 */

import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dropAbsent } from '../../base/records.ts';
import { isAlive } from '../delivery/decide-opening.ts';
import type { DataHome } from '../home/data-home.ts';
import { writeOwnFile } from '../home/write-file.ts';

interface Upkeep extends TimeRecord {
  /** Since when the clock is not trusted, and why. */
  readonly distrusted?: {
    readonly since: string;
    readonly clock: string;
    readonly why: Distrust;
    /** The process that had this clock, and its host. */
    readonly pid?: number;
    readonly host?: string;
  };
  /** When an automatic run reached its limit, and how many rows wait for the next one. */
  readonly capped?: { readonly retention?: CappedRun; readonly expiry?: CappedRun };
  /** Why there is no automatic backup of that day. */
  readonly backup?: FailedBackup;
}

export interface FailedBackup {
  readonly at: string;
  /** Its size, if it was too large. */
  readonly bytes?: number;
  readonly reason?: string;
}

export interface CappedRun {
  readonly at: string;
  readonly waiting: Readonly<Record<string, number>>;
}

export interface TrustedClock {
  /** The current time if the clock is trusted. Undefined: remove nothing by age. */
  findNow(): number | undefined;
  /** Why the clock is not trusted, for a person; undefined if it is trusted. */
  explain(): string | undefined;
  /** A person says that the clock is right. */
  trust(): void;
  readCapped(run: keyof NonNullable<Upkeep['capped']>): CappedRun | undefined;
  noteCapped(run: keyof NonNullable<Upkeep['capped']>, capped: CappedRun | undefined): void;
  readBackup(): FailedBackup | undefined;
  noteBackup(failed: FailedBackup | undefined): void;
}

interface ClockParts {
  readonly home: Pick<DataHome, 'upkeepFile'>;
  /** The newest time in the store, used if there is no record yet. */
  readonly findNewestWrite: () => Promise<string | undefined>;
  readonly fileTimes: ClockSight['fileTimes'];
  readonly log?: (line: string) => void;
  /** A file that the system's time service touches when a time server has set the clock. */
  readonly syncFile?: string;
  /** For a dry run: judges without writing the record. */
  readonly isDryRun?: boolean;
}

const SYNC_FILE = '/run/systemd/timesync/synchronized';
/** An answer is valid for a minute; the record is written when it changes, and every ten minutes. */
const JUDGE_MS = 60_000;
const WRITE_MS = 10 * 60_000;
/** Tolerated difference between the clock and the process timer between two looks. */
const DRIFT_MS = 5_000;

export async function openTrustedClock(parts: ClockParts): Promise<TrustedClock> {
  const record = await openRecord(parts);
  const fileTimes = makeCache(parts.fileTimes);
  let looked = { wallMs: Date.now(), timerMs: performance.now() };
  let isJudged = false;
  const judge = (): void => {
    const [wallMs, timerMs] = [Date.now(), performance.now()];
    const ranMs = timerMs - looked.timerMs;
    const isSteady = Math.abs(wallMs - looked.wallMs - ranMs) < DRIFT_MS;
    looked = { wallMs, timerMs };
    record.adopt();
    const { distrusted: was, trial: _, ...rest } = record.upkeep;
    const fileSystemMs = isSteady && was?.why !== 'files' && !record.isStale() ? undefined : record.save();
    const judged = judgeClock(record.upkeep, {
      nowMs: wallMs,
      ranMs: isSteady ? ranMs : 0,
      fileTimes,
      ...dropAbsent({ fileSystemMs, syncedMs: readTime(parts.syncFile ?? SYNC_FILE) }),
    });
    const why = judged.distrust;
    const since = was !== undefined && was.why === why ? was.since : toIso(wallMs);
    const distrusted =
      why === undefined ? undefined : { since, clock: toIso(wallMs), why, pid: process.pid, host: hostname() };
    record.upkeep = { ...rest, ...judged.record, ...dropAbsent({ distrusted }) };
    // Other processes read the answer from the file.
    if (why !== undefined || was !== undefined) record.save();
    if (was?.why === why) return;
    parts.log?.(renderDistrust(record.upkeep) ?? 'the clock is trusted again');
  };
  return {
    findNow() {
      const { wallMs, timerMs } = looked;
      // Judge at once if the clock has jumped.
      const isDue = performance.now() - timerMs > JUDGE_MS || Math.abs(Date.now() - wallMs) > 2 * JUDGE_MS;
      if (isDue || !isJudged) judge();
      isJudged = true;
      return record.upkeep.distrusted === undefined ? Date.now() : undefined;
    },
    explain: () => renderDistrust(record.upkeep),
    trust() {
      const { distrusted: _, trial: __, ...rest } = record.upkeep;
      record.upkeep = { ...rest, trustedAt: toIso(Date.now()) };
      record.save();
    },
    readCapped: (run) => record.upkeep.capped?.[run],
    noteCapped(run, capped) {
      record.adopt();
      const { [run]: was, ...others } = record.upkeep.capped ?? {};
      if (was === undefined && capped === undefined) return;
      record.upkeep = { ...record.upkeep, capped: { ...others, ...dropAbsent({ [run]: capped }) } };
      record.save();
    },
    readBackup: () => record.upkeep.backup,
    noteBackup(failed) {
      record.adopt();
      const { backup: was, ...rest } = record.upkeep;
      if (was === undefined && failed === undefined) return;
      record.upkeep = { ...rest, ...dropAbsent({ backup: failed }) };
      record.save();
    },
  };
}

const CAPPED_MS = 20 * 60 * 60_000;

/** A run that removed or archived all it may is not repeated on the same day, although daemons start several times a day. */
export function isCappedToday(capped: CappedRun | undefined, nowMs: number): boolean {
  return capped !== undefined && Math.abs(nowMs - Date.parse(capped.at)) < CAPPED_MS;
}

interface OpenRecord {
  upkeep: Upkeep;
  /** Reads what another process has written meanwhile. */
  adopt(): void;
  /** True if the file is old enough to be written again. */
  isStale(): boolean;
  /** Returns the file time that the file system wrote; undefined if nothing can be written. */
  save(): number | undefined;
}

async function openRecord({ home, findNewestWrite, isDryRun }: ClockParts): Promise<OpenRecord> {
  let text = '';
  let savedMs = Number.NEGATIVE_INFINITY;
  const known = readUpkeep(home);
  const newest = known === undefined ? await findNewestWrite() : undefined;
  const record: OpenRecord = {
    upkeep: known ?? { trustedAt: newest ?? toIso(Date.now()) },
    adopt() {
      const found = readText(home);
      if (found !== undefined && found !== text) record.upkeep = parseUpkeep(found) ?? record.upkeep;
      text = found ?? text;
    },
    isStale: () => performance.now() - savedMs > WRITE_MS,
    save() {
      savedMs = performance.now();
      if (isDryRun === true) return undefined;
      try {
        text = `${JSON.stringify(record.upkeep, null, 2)}\n`;
        writeOwnFile(home.upkeepFile, text);
        return statSync(home.upkeepFile).mtimeMs;
      } catch {
        // The disk is full or read-only; the other witnesses decide.
        return undefined;
      }
    },
  };
  // Without any record, the file system's time is better than the clock.
  if (known === undefined && newest === undefined) record.upkeep = { trustedAt: toIso(record.save() ?? Date.now()) };
  savedMs = Number.NEGATIVE_INFINITY;
  text = readText(home) ?? '';
  return record;
}

function makeCache(read: () => readonly number[]): () => readonly number[] {
  let known: { readonly times: readonly number[]; readonly atMs: number } | undefined;
  return () => {
    if (known === undefined || performance.now() - known.atMs > WRITE_MS)
      known = { times: read(), atMs: performance.now() };
    return known.times;
  };
}

/** For code that only prunes. Without a record, or far from it, the clock is not trusted. */
export function readTrustedNow(home: Pick<DataHome, 'upkeepFile'>): number | undefined {
  const upkeep = readUpkeep(home);
  const nowMs = Date.now();
  if (upkeep === undefined || upkeep.distrusted !== undefined) return undefined;
  return isNear(nowMs, Date.parse(upkeep.trustedAt)) ? nowMs : undefined;
}

/** Undefined if there is no readable record; then a new one begins. */
export function readUpkeep(home: Pick<DataHome, 'upkeepFile'>): Upkeep | undefined {
  return parseUpkeep(readText(home) ?? '');
}

function parseUpkeep(text: string): Upkeep | undefined {
  try {
    const upkeep = JSON.parse(text) as Partial<Upkeep> | null;
    return Number.isNaN(Date.parse(upkeep?.trustedAt ?? '')) ? undefined : (upkeep as Upkeep);
  } catch {
    return undefined;
  }
}

function readText({ upkeepFile }: Pick<DataHome, 'upkeepFile'>): string | undefined {
  try {
    return readFileSync(upkeepFile, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Why the clock is not believed at this moment: somebody may have set it since the record was written. Only the process
 * that wrote the record knows whether its clock differs from the times of files. When that process has ended, the
 * reader's own clock counts.
 */
export function findDistrust({ distrusted, trustedAt }: Upkeep, nowMs = Date.now()): Upkeep['distrusted'] {
  if (distrusted === undefined || (distrusted.why === 'files' && !isOver(distrusted))) return distrusted;
  const trustedMs = Date.parse(trustedAt);
  if (isNear(nowMs, trustedMs)) return undefined;
  return { ...distrusted, clock: toIso(nowMs), why: nowMs < trustedMs ? 'behind' : 'ahead' };
}

/** Whether a process on another host has ended is not known here. */
function isOver({ pid, host }: NonNullable<Upkeep['distrusted']>): boolean {
  return pid !== undefined && host === hostname() && !isAlive(pid);
}

/** The message for a person while the clock is not trusted; undefined if it is trusted. */
export function renderDistrust(upkeep: Upkeep, nowMs = Date.now()): string | undefined {
  const distrusted = findDistrust(upkeep, nowMs);
  if (distrusted === undefined) return undefined;
  const clock = `the system clock says ${toMinute(distrusted.clock)}`;
  const but =
    distrusted.why === 'files'
      ? 'but the file system gives new files another time'
      : `but the newest time that Oncebitten trusts is ${toMinute(upkeep.trustedAt)}`;
  return `${clock}, ${but}. Oncebitten deletes and archives nothing by age until it trusts the clock, because it cannot tell how old your data is`;
}

export const CLOCK_NEXT =
  'if the clock is wrong, set it; if it is right, run: oncebitten data retention --trust-clock (or wait: Oncebitten trusts the clock after the daemon has run with it on three days)';

function readTime(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function toMinute(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

export interface TimeRecord {
  /** The newest time that was believed. */
  readonly trustedAt: string;
  /** A clock that is not believed yet, and what is known of it. */
  readonly trial?: ClockTrial;
}

interface ClockTrial {
  readonly from: string;
  readonly until: string;
  /** How long a daemon ran under it, by a timer that nobody can set. */
  readonly ranMs: number;
  /** The days on which one ran. */
  readonly days: readonly string[];
}

export interface ClockSight {
  readonly nowMs: number;
  /** How long this process ran since it looked last, if the clock went on by as much; else 0. */
  readonly ranMs: number;
  /** What the file system wrote as the time of a file just now. Absent where nothing can be written. */
  readonly fileSystemMs?: number;
  /** When a time server last set the clock. */
  readonly syncedMs?: number;
  /** When other programs wrote their files. Asked only where it matters: it means reading folders. */
  readonly fileTimes: () => readonly number[];
}

/** `ahead`, `behind`: of the newest time that was believed. `files`: this process has another time than its files. */
type Distrust = 'ahead' | 'behind' | 'files';

interface ClockJudgement {
  readonly record: TimeRecord;
  /** Absent when the clock is believed. */
  readonly distrust?: Distrust;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** How far a clock may be ahead of the newest trusted time. */
const AHEAD_MS = 3 * DAY_MS;
/** Clocks are corrected by seconds all the time. */
const SLACK_MS = HOUR_MS;
const TRIAL_DAYS = 3;
const TRIAL_RAN_MS = HOUR_MS;
/** Who uses the machine once a week is believed in the third week. */
const TRIAL_GAP_MS = 31 * DAY_MS;

/**
 * Can the clock be believed? Everything that removes, archives or prunes by age asks first, because a clock that is 800
 * days ahead makes every row look old. The record has the newest time that was believed. A clock is believed when it is
 * not before that time and not more than three days after it. Beyond that it needs a second witness, one that the same
 * wrong clock has not written:
 * - a time server: the system's time service notes when it last set the clock;
 * - files of other programs that cover the time since then, without a gap of more than three days. A clock that jumped
 *   dates all later files after the jump, so the gap stays;
 * - use: the clock went on as it should for an hour of the daemon's own running time, on three different days. This is
 *   how a laptop that was shut for a month, or a clock that was set back, is believed again.
 * Times of events are no witness: whoever writes them may have any clock.
 */
export function judgeClock(record: TimeRecord, sight: ClockSight): ClockJudgement {
  const { nowMs, fileSystemMs } = sight;
  if (fileSystemMs !== undefined && Math.abs(fileSystemMs - nowMs) > SLACK_MS) return { record, distrust: 'files' };
  const trustedMs = Date.parse(record.trustedAt);
  if (isNear(nowMs, trustedMs) || isWitnessed(trustedMs, sight))
    return { record: { trustedAt: toIso(Math.max(trustedMs, nowMs)) } };
  const trial = goOn(record.trial, sight);
  if (trial.days.length >= TRIAL_DAYS && trial.ranMs >= TRIAL_RAN_MS) return { record: { trustedAt: toIso(nowMs) } };
  return { record: { trustedAt: record.trustedAt, trial }, distrust: nowMs < trustedMs ? 'behind' : 'ahead' };
}

/** Without any witness: for whoever only looks. */
function isNear(nowMs: number, trustedMs: number): boolean {
  return nowMs >= trustedMs - SLACK_MS && nowMs <= trustedMs + AHEAD_MS;
}

function isWitnessed(trustedMs: number, { nowMs, syncedMs, fileTimes }: ClockSight): boolean {
  if (syncedMs !== undefined && Math.abs(nowMs - syncedMs) <= DAY_MS) return true;
  if (nowMs < trustedMs) return false;
  let reachMs = trustedMs;
  for (const ms of fileTimes().toSorted((a, b) => a - b)) {
    if (ms > Math.min(reachMs + AHEAD_MS, nowMs)) break;
    reachMs = Math.max(reachMs, ms);
  }
  return nowMs <= reachMs + AHEAD_MS;
}

/** The trial of this clock, or a new one where the clock jumped again. */
function goOn(trial: ClockTrial | undefined, { nowMs, ranMs }: ClockSight): ClockTrial {
  const now = toIso(nowMs);
  const sinceMs = trial === undefined ? Number.NaN : nowMs - Date.parse(trial.until);
  const before = sinceMs >= -SLACK_MS && sinceMs <= TRIAL_GAP_MS ? trial : undefined;
  const days = new Set([...(before?.days ?? []), ...(ranMs > 0 ? [now.slice(0, 10)] : [])]);
  return {
    from: before?.from ?? now,
    until: now,
    ranMs: (before?.ranMs ?? 0) + ranMs,
    days: [...days].slice(-TRIAL_DAYS),
  };
}
