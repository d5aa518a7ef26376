/** Calls and failures over time, as tables. */
import type { SignatureCount } from '../../base/history.ts';
import type { HistoryGroup, HistoryGrouping, HistorySum } from '../../base/sum-history.ts';
import { alignRight } from './align-right.ts';
import { renderTable } from './render-table.ts';
import { shortenPaths } from './shorten-paths.ts';
import { toCount, toNumber } from './to-count.ts';
import { toLine } from './to-line.ts';

export interface ProjectWords {
  readonly name?: string;
  /** Tells it from others of the same name. */
  readonly label?: string;
}

export interface HistoryReport {
  readonly since?: string;
  readonly until?: string;
  readonly totals: HistorySum & {
    /** Sessions that made no call at all: not among `sessions`. */
    readonly silentSessions: number;
  };
  readonly by: readonly {
    readonly by: HistoryGrouping;
    /** How many groups there are; `groups` has the first of them. */
    readonly total: number;
    readonly groups: readonly (HistoryGroup & ProjectWords)[];
  }[];
  readonly signatures: readonly SignatureCount[];
}

/** `isAny`: there are calls, whether or not they match the filters. */
export function renderHistory(report: HistoryReport, isAny: boolean, columns?: number): string {
  const { totals, by, signatures } = report;
  if (totals.calls === 0) return renderNothing(report, isAny);
  const parts = [
    renderTotals(report),
    // One agent alone is told by the totals already.
    ...by.filter(({ total }) => by.length === 1 || total > 1).map((one) => renderGroups(one, columns)),
    ...(signatures.length === 0 ? [] : [renderSignatures(signatures, columns)]),
  ];
  return parts.join('\n\n');
}

function renderNothing({ since, until, totals }: HistoryReport, isAny: boolean): string {
  const silent = totals.silentSessions === 0 ? '' : ` (${toCount(totals.silentSessions, 'session')} made none)`;
  if (!isAny) return `No calls are known${silent}. Learn from past sessions: oncebitten scan`;
  const none = since === undefined && until === undefined ? 'No call is like that' : 'No calls in that time';
  return `${none}${silent}. See all: oncebitten history`;
}

function renderTotals({ totals }: HistoryReport): string {
  const { sessions, silentSessions, calls, failures, masked, denied, cancelled, hookFailures } = totals;
  const silent = silentSessions === 0 ? '' : ` (${toNumber(silentSessions)} more made none)`;
  const hooks = hookFailures === 0 ? [] : [`  ${toCount(hookFailures, 'failure')} of hooks, beside the calls`];
  return [
    `${toDay(totals.first)} to ${toDay(totals.last)} (UTC)`,
    `  ${toCount(calls, 'call')} in ${toCount(sessions, 'session')}${silent}`,
    `  ${toNumber(failures)} failed${toShare(totals)}, ${toNumber(masked)} more were masked by their command`,
    `  ${toNumber(denied)} denied, ${toNumber(cancelled)} cancelled`,
    ...hooks,
  ].join('\n');
}

function toShare(sum: HistorySum): string {
  return sum.failureRate === undefined ? '' : ` (${toRate(sum)} of those that ran)`;
}

function renderGroups({ by, total, groups }: HistoryReport['by'][number], columns: number | undefined): string {
  const head = [by.toUpperCase(), 'SESSIONS', 'CALLS', 'FAILED', 'RATE', 'MASKED', 'DENIED', 'CANCELLED'];
  const rows = groups.map((group) => [
    toLine(group.label ?? (group.key || '(not known)')),
    ...[group.sessions, group.calls, group.failures].map(toNumber),
    group.failureRate === undefined ? '-' : toRate(group),
    ...[group.masked, group.denied, group.cancelled].map(toNumber),
  ]);
  const more = total > groups.length ? `\n… and ${total - groups.length} more: --by ${by} --limit ${total}` : '';
  const numbers = head.map((_, column) => column).slice(1);
  return renderTable(...alignRight(head, rows, numbers), { columns, texts: [0] }) + more;
}

function renderSignatures(signatures: readonly SignatureCount[], columns = Number.POSITIVE_INFINITY): string {
  const width = Math.max(...signatures.map(({ count }) => toNumber(count).length));
  const room = columns - width - 5;
  const lines = signatures.flatMap(({ count, sessions, last, program, signature, message }) => [
    `${toNumber(count).padStart(width + 2)} x ${toLine(program)}, in ${toCount(sessions, 'session')}, last ${toDay(last)}  ${signature}`,
    `${' '.repeat(width + 5)}${toLine(shortenPaths(message, room), room)}`,
  ]);
  return [
    'WHAT FAILED MOST',
    ...lines,
    '',
    'The calls of one: oncebitten failures --each --signature <signature>',
    'One session: oncebitten session <id>',
  ].join('\n');
}

function toDay(iso: string | undefined): string {
  return (iso ?? '').slice(0, 10);
}

/** From the counts: what was rounded once must not be rounded again. */
function toRate({ calls, denied, cancelled, failures }: HistorySum): string {
  return `${((failures / (calls - denied - cancelled)) * 100).toFixed(1)} %`;
}
