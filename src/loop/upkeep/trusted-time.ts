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
export type Distrust = 'ahead' | 'behind' | 'files';

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
export function isNear(nowMs: number, trustedMs: number): boolean {
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

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
