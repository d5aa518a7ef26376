/** Failures as tables. */
import type { FailedCall, FailureGroup } from '../../base/failure.ts';
import { renderTable } from './render-table.ts';
import { toLine, toMinute } from './to-line.ts';

const MESSAGE_CHARS = 100;
const COMMAND_CHARS = 60;
const NONE = 'No failures. Learn from past sessions: oncebitten scan';

export function renderFailureGroups(groups: readonly FailureGroup[], limit: number): string {
  if (groups.length === 0) return NONE;
  const rows = groups.map((group) => [
    String(group.count),
    String(group.sessions),
    toMinute(group.first),
    toMinute(group.last),
    group.program,
    group.signature ?? '-',
    toLine(group.message ?? '', MESSAGE_CHARS),
  ]);
  const table = renderTable(['COUNT', 'SESSIONS', 'FIRST', 'LAST', 'PROGRAM', 'SIGNATURE', 'MESSAGE'], rows);
  return withMore(`${table}\n\nThe single calls: oncebitten failures --each --signature <signature>`, groups, limit);
}

export function renderFailedCalls(calls: readonly FailedCall[], limit: number): string {
  if (calls.length === 0) return NONE;
  const rows = calls.map((call) => [
    toMinute(call.at),
    call.exitCode === undefined ? '-' : String(call.exitCode),
    call.masked ? 'masked' : '',
    call.branch ?? '-',
    toLine(call.command ?? call.program ?? call.tool, COMMAND_CHARS),
    toLine(call.message ?? '', MESSAGE_CHARS),
  ]);
  return withMore(renderTable(['TIME', 'EXIT', 'MASKED', 'BRANCH', 'COMMAND', 'MESSAGE'], rows), calls, limit);
}

function withMore(text: string, rows: readonly unknown[], limit: number): string {
  return rows.length < limit ? text : `${text}\nThere may be more: --limit ${limit * 5}`;
}
