/**
 * Counts of past calls and failures by session, project and day, and their sums by agent, project, model, day or week.
 * The sums are pure functions, so every engine and every surface counts alike.
 */

import { type Session, type SessionKey, toSessionKey } from '../model/session.ts';
import { compareTexts, dropAbsent } from '../records.ts';

export interface HistoryFilter {
  readonly agent?: string;
  /** Any id of a joined project stands for all its ids. */
  readonly projectIds?: readonly string[];
  readonly model?: string;
  /** From this time on. */
  readonly since?: string;
  /** Exclusive. */
  readonly until?: string;
}

/** Calls of agents by outcome. */
export interface CallCounts {
  readonly calls: number;
  readonly failures: number;
  /** Failures with a hidden exit code, known only from their text; not included in `failures`. */
  readonly masked: number;
  readonly denied: number;
  readonly cancelled: number;
}

/** The calls of one session in one project on one day (UTC). Every other grouping is a sum of these. */
export interface HistoryCell extends CallCounts, SessionKey {
  readonly projectId: string;
  readonly model?: string;
  /** `2026-01-31`. */
  readonly day: string;
  /** Failed runs of the user's hooks, which are not calls. */
  readonly hookFailures: number;
  readonly first: string;
  readonly last: string;
}

export interface SignatureCount {
  readonly signature: string;
  readonly program: string;
  readonly message: string;
  readonly count: number;
  /** Those with a hidden exit code. */
  readonly masked: number;
  readonly sessions: number;
  readonly last: string;
}

export interface SessionFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  readonly idPrefix?: string;
  /** For a sub-agent with a session id of its own: the session that started it. */
  readonly parent?: SessionKey;
  readonly projectIds?: readonly string[];
  readonly model?: string;
  /** Sessions that ended after this time. */
  readonly since?: string;
  /** Sessions that began before this time. */
  readonly until?: string;
  readonly limit: number;
}

export type SessionSummary = Session & CallCounts;

export const HISTORY_GROUPS = ['agent', 'project', 'model', 'day', 'week'] as const;
export type HistoryGrouping = (typeof HISTORY_GROUPS)[number];

export interface HistorySum extends CallCounts {
  /** Sessions with at least one call. */
  readonly sessions: number;
  /** The share of failures among calls that ran, neither denied nor cancelled. Absent if none ran. */
  readonly failureRate?: number;
  readonly hookFailures: number;
  readonly first?: string;
  readonly last?: string;
}

export interface HistoryGroup extends HistorySum {
  /** The agent, project id, model, day, or Monday of the week; empty if the model is unknown. */
  readonly key: string;
}

export function sumHistory(cells: readonly HistoryCell[]): HistorySum {
  const sum = (field: keyof CallCounts | 'hookFailures'): number => cells.reduce((all, cell) => all + cell[field], 0);
  const counts = {
    calls: sum('calls'),
    failures: sum('failures'),
    masked: sum('masked'),
    denied: sum('denied'),
    cancelled: sum('cancelled'),
  };
  const ran = counts.calls - counts.denied - counts.cancelled;
  const first = cells.map((cell) => cell.first).sort()[0];
  const last = cells
    .map((cell) => cell.last)
    .sort()
    .at(-1);
  return {
    sessions: new Set(cells.filter(({ calls }) => calls > 0).map(toSessionKey)).size,
    ...counts,
    ...(ran > 0 ? { failureRate: Math.round((counts.failures / ran) * 10_000) / 10_000 } : {}),
    hookFailures: sum('hookFailures'),
    ...dropAbsent({ first, last }),
  };
}

/** Days and weeks newest first, everything else by the number of calls. */
export function groupHistory(cells: readonly HistoryCell[], by: HistoryGrouping): readonly HistoryGroup[] {
  const groups = [...Map.groupBy(cells, TO_KEY[by])].map(([key, some]) => ({ key, ...sumHistory(some) }));
  const byKey = (a: HistoryGroup, b: HistoryGroup): number => compareTexts(a.key, b.key);
  return by === 'day' || by === 'week'
    ? groups.sort((a, b) => byKey(b, a))
    : groups.sort((a, b) => b.calls - a.calls || byKey(a, b));
}

const TO_KEY: Readonly<Record<HistoryGrouping, (cell: HistoryCell) => string>> = {
  agent: (cell) => cell.agent,
  project: (cell) => cell.projectId,
  model: (cell) => cell.model ?? '',
  day: (cell) => cell.day,
  week: (cell) => toMonday(cell.day),
};

/** Any text that is not a day is returned as it is. */
export function toMonday(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms)) return day;
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return new Date(ms - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}
