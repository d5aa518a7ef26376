/** Failures as tables. */
import type { FailedCall, FailureGroup } from '../../base/failure.ts';
import type { FailureCounts } from '../../base/failure-ledger.ts';
import { renderTextRemoval } from '../../base/retention.ts';
import { type Page, renderRest } from './page.ts';
import { renderFailureCounts } from './render-failure-counts.ts';
import { renderTable, type TableRoom } from './render-table.ts';
import { toCount } from './to-count.ts';
import { toLine, toMinute } from './to-line.ts';
import { wrapText } from './wrap-text.ts';

export interface FailuresView extends Pick<TableRoom, 'columns'> {
  /** There are failures, whether or not they match the filters. */
  readonly isAny: boolean;
  /** Absent where only unresolved failures were asked for. */
  readonly calls: FailureCounts | undefined;
}

/** Narrower than this, the minutes of a day would take the room of what matters. */
const WIDE = 100;
const NONE = 'No failures yet. Learn from past sessions: oncebitten scan';
const NONE_LIKE_IT = 'No failures match these filters. See all: oncebitten failures';

export function renderFailureGroups(page: Page<FailureGroup>, view: FailuresView): string {
  const groups = page.items;
  if (groups.length === 0) return view.isAny ? NONE_LIKE_IT : NONE;
  const toWhen = (view.columns ?? WIDE) < WIDE ? toDay : toMinute;
  const rows = groups.map((group) => [
    String(group.count),
    group.masked === 0 ? '' : String(group.masked),
    String(group.sessions),
    toWhen(group.first),
    toWhen(group.last),
    group.isHook ? `${group.program} (hook)` : group.program,
    group.signature ?? '-',
    toLine(group.message ?? ''),
  ]);
  const table = renderTable(
    ['FAILED', 'HIDDEN', 'SESSIONS', 'FIRST', 'LAST', 'PROGRAM', 'SIGNATURE', 'MESSAGE'],
    rows,
    view,
  );
  const next = 'The single calls: oncebitten failures --each --signature <signature>';
  return [...renderCounts(view), table, ...renderRest(page), '', next].join('\n');
}

export function renderFailedCalls(page: Page<FailedCall>, view: FailuresView): string {
  const calls = page.items;
  if (calls.length === 0) return view.isAny ? NONE_LIKE_IT : NONE;
  const rows = calls.map((call) => [
    toMinute(call.at),
    call.exitCode === undefined ? '-' : String(call.exitCode),
    call.masked ? 'masked' : '',
    call.branch ?? '-',
    toLine(call.command ?? call.program ?? call.tool),
    toLine(call.message ?? (call.textRemoved ? `(${renderTextRemoval(call.textRemoved)})` : '')),
  ]);
  const room = { columns: view.columns, texts: [4, 5] };
  const table = renderTable(['TIME', 'EXIT', 'MASKED', 'BRANCH', 'COMMAND', 'MESSAGE'], rows, room);
  return [...renderCounts(view), table, ...renderRest(page)].join('\n');
}

/** The same figures as `start` and `stats` print. */
function renderCounts({ calls }: FailuresView): readonly string[] {
  if (calls === undefined) return [];
  const hidden = calls.masked === 0 ? '' : ` ${toCount(calls.masked, 'more failure')} hid the exit code.`;
  const hooks = calls.hookFailures === 0 ? '' : ` ${toCount(calls.hookFailures, 'run')} of hooks failed.`;
  return [...wrapText(`${renderFailureCounts(calls)}${hidden}${hooks}`, ''), ''];
}

function toDay(iso: string): string {
  return iso.slice(0, 10);
}
