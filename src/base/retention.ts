/** How long things are kept (K6): a call loses its text first, its facts much later. */

export interface RetentionLimits {
  /** Calls before this time lose their text, and so do excerpts of evidence. */
  readonly textBefore: string;
  /** So do all but the newest so many calls of each project. */
  readonly perProject: number;
  /** Calls, sessions, episodes and deliveries before this time go. */
  readonly factsBefore: string;
}

export interface RetentionCounts {
  /** Calls that lost their text. */
  readonly texts: number;
  /** Excerpts removed from the evidence of lessons and from their history. */
  readonly excerpts: number;
  readonly calls: number;
  readonly sessions: number;
  readonly deliveries: number;
  readonly signatures: number;
}

/** One bounded piece of the work. `next` is where to go on; absent when all is done. */
export interface RetentionStep extends RetentionCounts {
  readonly next?: RetentionPoint;
}

/** Opaque: given back as it came. */
export interface RetentionPoint {
  readonly phase: number;
  readonly at: readonly string[];
}

export const NOTHING_REMOVED: RetentionCounts = {
  texts: 0,
  excerpts: 0,
  calls: 0,
  sessions: 0,
  deliveries: 0,
  signatures: 0,
};

const DAY_MS = 24 * 60 * 60_000;

export function toRetentionLimits(
  { textDays, perProject, factDays }: { textDays: number; perProject: number; factDays: number },
  nowMs: number,
): RetentionLimits {
  const daysAgo = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString();
  return { textBefore: daysAgo(textDays), perProject, factsBefore: daysAgo(factDays) };
}

export function addCounts(a: RetentionCounts, b: RetentionCounts): RetentionCounts {
  const keys = Object.keys(NOTHING_REMOVED) as (keyof RetentionCounts)[];
  return Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) as unknown as RetentionCounts;
}
