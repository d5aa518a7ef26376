/** History cells summed by whatever a person asks for. Pure, so that every engine and every surface counts alike. */
import type { CallCounts, HistoryCell } from './history.ts';

export const HISTORY_GROUPS = ['agent', 'project', 'model', 'day', 'week'] as const;
export type HistoryGrouping = (typeof HISTORY_GROUPS)[number];

export interface HistorySum extends CallCounts {
  /** Those that made a call. */
  readonly sessions: number;
  /** Failures among the calls that ran: neither denied nor cancelled. Absent when none ran. */
  readonly failureRate?: number;
  readonly hookFailures: number;
  readonly first?: string;
  readonly last?: string;
}

export interface HistoryGroup extends HistorySum {
  /** The agent, project id, model, day, or the Monday of the week; empty where the model is not known. */
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
    sessions: new Set(cells.filter(({ calls }) => calls > 0).map((cell) => `${cell.agent}\n${cell.sessionId}`)).size,
    ...counts,
    ...(ran > 0 ? { failureRate: Math.round((counts.failures / ran) * 10_000) / 10_000 } : {}),
    hookFailures: sum('hookFailures'),
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
  };
}

/** Days and weeks newest first, everything else by the number of calls. */
export function groupHistory(cells: readonly HistoryCell[], by: HistoryGrouping): readonly HistoryGroup[] {
  const groups = [...Map.groupBy(cells, TO_KEY[by])].map(([key, some]) => ({ key, ...sumHistory(some) }));
  const byKey = (a: HistoryGroup, b: HistoryGroup): number => (a.key < b.key ? -1 : 1);
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

/** What is no day stays as it is. */
export function toMonday(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms)) return day;
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return new Date(ms - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}
