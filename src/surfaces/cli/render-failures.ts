/** Failures as tables. */
import type { FailedCall, FailureGroup } from '../../base/failure.ts';
import { renderTable, type TableRoom } from './render-table.ts';
import { toLine, toMinute } from './to-line.ts';

export interface FailuresView extends Pick<TableRoom, 'columns'> {
  readonly limit: number;
  /** There are failures, whatever was asked for. */
  readonly isAny: boolean;
}

const MESSAGE_CHARS = 100;
const COMMAND_CHARS = 60;
/** Narrower than this, the minutes of a day would take the room of what matters. */
const WIDE = 100;
const NONE = 'No failures. Learn from past sessions: oncebitten scan';
const NONE_LIKE_IT = 'No failure is like that. See all: oncebitten failures';

export function renderFailureGroups(groups: readonly FailureGroup[], view: FailuresView): string {
  if (groups.length === 0) return view.isAny ? NONE_LIKE_IT : NONE;
  const toWhen = (view.columns ?? WIDE) < WIDE ? toDay : toMinute;
  const rows = groups.map((group) => [
    String(group.count),
    String(group.sessions),
    toWhen(group.first),
    toWhen(group.last),
    group.program,
    group.signature ?? '-',
    toLine(group.message ?? '', MESSAGE_CHARS),
  ]);
  const table = renderTable(['COUNT', 'SESSIONS', 'FIRST', 'LAST', 'PROGRAM', 'SIGNATURE', 'MESSAGE'], rows, view);
  return withMore(`${table}\n\nThe single calls: oncebitten failures --each --signature <signature>`, groups, view);
}

export function renderFailedCalls(calls: readonly FailedCall[], view: FailuresView): string {
  if (calls.length === 0) return view.isAny ? NONE_LIKE_IT : NONE;
  const rows = calls.map((call) => [
    toMinute(call.at),
    call.exitCode === undefined ? '-' : String(call.exitCode),
    call.masked ? 'masked' : '',
    call.branch ?? '-',
    toLine(call.command ?? call.program ?? call.tool, COMMAND_CHARS),
    toLine(call.message ?? '', MESSAGE_CHARS),
  ]);
  const room = { columns: view.columns, texts: [4, 5] };
  return withMore(renderTable(['TIME', 'EXIT', 'MASKED', 'BRANCH', 'COMMAND', 'MESSAGE'], rows, room), calls, view);
}

function toDay(iso: string): string {
  return iso.slice(0, 10);
}

function withMore(text: string, rows: readonly unknown[], { limit }: FailuresView): string {
  return rows.length < limit ? text : `${text}\nThere may be more: --limit ${limit * 5}`;
}
