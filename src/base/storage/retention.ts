/**
 * How long things are kept: a call loses its text first, its facts much later. Age counts from the later of two times:
 * when the call was made, and when its text came into the store. So a scan of old sessions stays readable as long as
 * the sessions of today.
 */

export interface RetentionLimits {
  /** A time after it is in the future: the clock of whoever wrote it was wrong. */
  readonly now: string;
  /** Calls before this time lose their text. */
  readonly textBefore: string;
  /** The setting behind `textBefore`. It is stored with the call, so that views can say why the text is gone. */
  readonly textDays: number;
  /** All but the newest `perProject` calls of a project lose their text … */
  readonly perProject: number;
  /** … unless their text was stored after this time: what was just imported is there to be read first. */
  readonly settledBefore: string;
  /** Calls, sessions, episodes and deliveries before this time are removed. */
  readonly factsBefore: string;
  /** At most so many rows of each kind, the oldest first. Absent: no limit. */
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

/** The kinds of rows that age alone removes; the others go with them. */
const REMOVAL_KINDS = ['texts', 'excerpts', 'calls', 'sessions', 'deliveries'] as const;
type RemovalKind = (typeof REMOVAL_KINDS)[number];
export type RemovalCap = Readonly<Record<RemovalKind, number>>;

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
/** How long the rule `perProject` spares text that was just stored. */
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

/** No automatic run removes a larger share of the rows of one kind. */
const MAX_SHARE = 0.2;

/** How many of so many rows one run may remove. Of a small store one row: else nothing of it would ever go. */
export function toMost(rows: number): number {
  return Math.max(1, Math.floor(rows * MAX_SHARE));
}

export interface RemovalPlan {
  readonly due: RetentionCounts;
  readonly rows: RemovalCap;
  readonly most: RemovalCap;
  /** Of the kinds of which more is due than one run may remove: how many rows stay for later. */
  readonly waiting: Readonly<Partial<Record<RemovalKind, number>>>;
}

export function planRemoval(due: RetentionCounts, rows: RemovalCap): RemovalPlan {
  const most = Object.fromEntries(REMOVAL_KINDS.map((kind) => [kind, toMost(rows[kind])])) as RemovalCap;
  const over = REMOVAL_KINDS.filter((kind) => due[kind] > most[kind]);
  return { due, rows, most, waiting: Object.fromEntries(over.map((kind) => [kind, due[kind] - most[kind]])) };
}

/** What is left of it after a piece was done. */
export function subtractCap(most: RemovalCap, removed: RetentionCounts): RemovalCap {
  return Object.fromEntries(REMOVAL_KINDS.map((kind) => [kind, Math.max(0, most[kind] - removed[kind])])) as RemovalCap;
}

/** Which setting made retention remove the text of a call, and its value then. */
export interface TextRemoval {
  readonly setting: 'retention.textDays' | 'retention.perProject';
  readonly value: number;
}

export function renderTextRemoval({ setting, value }: TextRemoval): string {
  return setting === 'retention.textDays'
    ? `text removed after ${value} days, setting ${setting}`
    : `text removed, not among the newest ${value} calls of its project, setting ${setting}`;
}
