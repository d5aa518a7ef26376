/**
 * The rules of retention: a call loses its text first and its facts much later. Age counts from the later of two times:
 * when the call was made, and when its text was stored. So a scan of old sessions stays readable as long as today's
 * sessions.
 */

export interface RetentionLimits {
  /** A later time comes from a wrong clock. */
  readonly now: string;
  /** Calls before this time lose their text. */
  readonly textBefore: string;
  /** The setting behind `textBefore`. It is stored with the call, so that views can say why the text is gone. */
  readonly textDays: number;
  /** All but the newest `perProject` calls of a project lose their text … */
  readonly perProject: number;
  /** … unless their text was stored after this time, so that freshly imported sessions can be read first. */
  readonly settledBefore: string;
  /** Calls, sessions, episodes and deliveries before this time are removed. */
  readonly factsBefore: string;
  /** The maximum number of rows to remove of each kind, oldest first. Absent: no limit. */
  readonly most?: RemovalCap;
}

export interface RetentionCounts {
  /** Calls that lost their text. */
  readonly texts: number;
  /** Excerpts removed from the evidence of archived lessons and from their history. */
  readonly excerpts: number;
  readonly calls: number;
  readonly sessions: number;
  readonly deliveries: number;
  readonly signatures: number;
}

/** The kinds of rows that are removed by age; other rows are removed with them. */
const REMOVAL_KINDS = ['texts', 'excerpts', 'calls', 'sessions', 'deliveries'] as const;
type RemovalKind = (typeof REMOVAL_KINDS)[number];
export type RemovalCap = Readonly<Record<RemovalKind, number>>;

/** One bounded step of the work. `next`: where to continue; absent when all is done. */
export interface RetentionStep extends RetentionCounts {
  readonly next?: RetentionPoint;
}

/** Opaque to callers, who pass it back unchanged. */
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
/** The time for which `perProject` spares text that was just stored. */
const SETTLE_DAYS = 7;

export function toRetentionLimits(
  { textDays, perProject, factDays }: { textDays: number; perProject: number; factDays: number },
  nowMs: number,
): RetentionLimits {
  const daysAgo = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString();
  return {
    now: daysAgo(0),
    ...{ textBefore: daysAgo(textDays), textDays, perProject },
    settledBefore: daysAgo(Math.min(SETTLE_DAYS, textDays)),
    factsBefore: daysAgo(factDays),
  };
}

export function addCounts(a: RetentionCounts, b: RetentionCounts): RetentionCounts {
  const keys = Object.keys(NOTHING_REMOVED) as (keyof RetentionCounts)[];
  return Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) as unknown as RetentionCounts;
}

/** The largest share of the rows of one kind that an automatic run may remove. */
const MAX_SHARE = 0.2;

/** The number of rows that one run may remove; at least one, or a small store would never shrink. */
export function toRemovalLimit(rows: number): number {
  return Math.max(1, Math.floor(rows * MAX_SHARE));
}

export interface RemovalPlan {
  readonly due: RetentionCounts;
  readonly rows: RemovalCap;
  readonly most: RemovalCap;
  /** For the kinds with more rows due than one run may remove: the rows that stay for later. */
  readonly waiting: Readonly<Partial<Record<RemovalKind, number>>>;
}

export function planRemoval(due: RetentionCounts, rows: RemovalCap): RemovalPlan {
  const most = Object.fromEntries(REMOVAL_KINDS.map((kind) => [kind, toRemovalLimit(rows[kind])])) as RemovalCap;
  const over = REMOVAL_KINDS.filter((kind) => due[kind] > most[kind]);
  return { due, rows, most, waiting: Object.fromEntries(over.map((kind) => [kind, due[kind] - most[kind]])) };
}

/** The cap that is left after a step. */
export function subtractCap(most: RemovalCap, removed: RetentionCounts): RemovalCap {
  return Object.fromEntries(REMOVAL_KINDS.map((kind) => [kind, Math.max(0, most[kind] - removed[kind])])) as RemovalCap;
}

/** The setting that made retention remove the text of a call, and its value at that time. */
export interface TextRemoval {
  readonly setting: 'retention.textDays' | 'retention.perProject';
  readonly value: number;
}

export function renderTextRemoval({ setting, value }: TextRemoval): string {
  return setting === 'retention.textDays'
    ? `text removed after ${value} days, setting ${setting}`
    : `text removed, not among the newest ${value} calls of its project, setting ${setting}`;
}
