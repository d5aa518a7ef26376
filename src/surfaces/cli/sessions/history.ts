/**
 * `oncebitten sessions history`: counts the calls of the agents and their failures over time, and lists the most
 * frequent failures.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { dropAbsent } from '../../../base/records.ts';
import {
  groupHistory,
  HISTORY_GROUPS,
  type HistoryFilter,
  type HistoryGroup,
  type HistoryGrouping,
  type HistorySum,
  type SignatureCount,
  sumHistory,
} from '../../../base/statistics/history.ts';
import { findChoice, toCallFilter } from '../arguments/options.ts';
import { toProjectLabels } from '../arguments/projects.ts';
import type { Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { toLimit } from '../paging.ts';
import { alignRight, renderTable } from '../table.ts';
import { toCount, toLine, toNumber } from '../text.ts';

const DEFAULT_LIMIT = 10;
/** Two lines each: so that a first look fits a screen. */
const DEFAULT_SIGNATURES = 5;
/** What a first look wants to know. */
const DEFAULT_GROUPS: readonly HistoryGrouping[] = ['agent', 'project'];

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const by = findChoice('--by', input.options.by, HISTORY_GROUPS, 'grouping');
    const groupings = by === undefined ? DEFAULT_GROUPS : [by];
    const given = input.options.limit as string | undefined;
    const limit = toLimit(given, DEFAULT_LIMIT);
    const filter = await toCallFilter(input, store);
    const cells = await store.countHistory(filter);
    if (cells.length === 0) await checkModel(store, filter);
    const projects = (await store.listProjectSummaries()).map(({ roots, ...one }) => ({ ...one, root: roots[0] }));
    const names = new Map(projects.map(({ id, name }) => [id, name || id]));
    const labels = toProjectLabels(projects);
    const isAny = cells.length > 0 || (await store.countAll()).calls > 0;
    const report: HistoryReport = {
      ...dropAbsent({ since: filter.since, until: filter.until }),
      totals: { ...sumHistory(cells), silentSessions: await store.countSilentSessions(filter) },
      by: groupings.map((grouping) => {
        const groups = groupHistory(cells, grouping).map((group) => ({
          ...group,
          ...toName(grouping, group.key, names, labels),
        }));
        return { by: grouping, total: groups.length, groups: groups.slice(0, limit) };
      }),
      signatures: await store.listTopSignatures({ ...filter, limit: toLimit(given, DEFAULT_SIGNATURES) }),
    };
    return { json: report, text: renderHistory(report, isAny, input.columns) };
  });

function toName(
  by: HistoryGrouping,
  key: string,
  names: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string>,
): ProjectWords {
  return by === 'project' ? { name: names.get(key) ?? key, label: labels.get(key) ?? key } : {};
}

/** Nothing to show may be a name that is spelled otherwise. */
async function checkModel(store: Store, { model }: HistoryFilter): Promise<void> {
  if (model === undefined) return;
  const cells = await store.countHistory({});
  const known = [...new Set(cells.map((cell) => cell.model).filter((name) => name !== undefined))].sort();
  if (known.length === 0 || known.includes(model)) return;
  throw userError(`model ${model}`, 'is not the model of any recorded call', `use one of: ${known.join(', ')}`);
}

/** Calls and failures over time, as tables. */
interface ProjectWords {
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
    // With one agent, the totals already say it.
    ...by.filter(({ total }) => by.length === 1 || total > 1).map((one) => renderGroups(one, columns)),
    ...(signatures.length === 0 ? [] : [renderSignatures(signatures, columns)]),
  ];
  return parts.join('\n\n');
}

function renderNothing({ since, until, totals }: HistoryReport, isAny: boolean): string {
  const silent = totals.silentSessions === 0 ? '' : ` (${toCount(totals.silentSessions, 'session')} made none)`;
  if (!isAny) return `No calls are known${silent}. Learn from past sessions: oncebitten scan`;
  const none = since === undefined && until === undefined ? 'No calls match these filters' : 'No calls in that time';
  return `${none}${silent}. See all: oncebitten sessions history`;
}

function renderTotals({ totals }: HistoryReport): string {
  const { sessions, silentSessions, calls, failures, masked, denied, cancelled, hookFailures } = totals;
  const silent = silentSessions === 0 ? '' : ` (${toNumber(silentSessions)} more made none)`;
  const hooks = hookFailures === 0 ? [] : [`  ${toCount(hookFailures, 'failure')} of hooks, not counted as calls`];
  return [
    `${toDay(totals.first)} to ${toDay(totals.last)} (UTC)`,
    `  ${toCount(calls, 'call')} in ${toCount(sessions, 'session')}${silent}`,
    `  ${toNumber(failures)} failed${toShare(totals)}, ${toNumber(masked)} more are masked: their command hid the exit code`,
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
    'MOST FREQUENT FAILURES',
    ...lines,
    '',
    'See the calls of one: oncebitten sessions failures --each --signature <signature>',
    'See one session: oncebitten sessions show <id>',
  ].join('\n');
}

function toDay(iso: string | undefined): string {
  return (iso ?? '').slice(0, 10);
}

/** From the counts: what was rounded once must not be rounded again. */
function toRate({ calls, denied, cancelled, failures }: HistorySum): string {
  return `${((failures / (calls - denied - cancelled)) * 100).toFixed(1)} %`;
}

/**
 * Paths in a text by their last two names, where the text is too long: what stands behind them says more than their
 * beginning.
 */
export function shortenPaths(text: string, max: number): string {
  return text.length <= max ? text : text.replace(/(?:\/[\w.@+~-]+){3,}/g, toLastNames);
}

function toLastNames(path: string): string {
  return `…/${path.split('/').slice(-2).join('/')}`;
}
