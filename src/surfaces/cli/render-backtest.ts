/** A back-test as text. */
import type { BacktestReport, ClassFigures, Interval } from '../../measure/backtest-report.ts';
import { renderTable } from './render-table.ts';
import { toLine } from './to-line.ts';

const MAX_ROWS = 10;

export function renderBacktest(pooled: BacktestReport, agents: Readonly<Record<string, BacktestReport>>): string {
  if (pooled.calls === 0) return 'There are no calls to replay. Name a folder of sessions: oncebitten backtest --path';
  const apart = Object.entries(agents).flatMap(([agent, report]) => ['', `${agent} alone`, ...renderFigures(report)]);
  return [
    'The past, replayed: what would have been said at each call with what had been learned before it.',
    ...renderFigures(pooled),
    ...apart,
    '',
    'Most repeated',
    renderTable(
      ['REPEATS', 'WARNED', 'SESSIONS', 'CLASS', 'FAILURE'],
      pooled.perSignature
        .slice(0, MAX_ROWS)
        .map(({ repeats, warned, sessions, class: found, signature }) => [
          `${repeats}`,
          `${warned}`,
          `${sessions}`,
          found,
          toLine(signature, 100),
        ]),
    ),
  ].join('\n');
}

function renderFigures(report: BacktestReport): readonly string[] {
  const { sessions, calls, failures, deliveries, deliveriesPer100Calls, masked } = report;
  const rows = [...Object.entries(report.classes), ['all', report.all], ['learnable', report.learnable]] as const;
  return [
    `${sessions} sessions, ${calls} calls, ${failures} failures and ${masked.failures} more that their command hid (${masked.hits} of the hits); ${deliveries} deliveries, ${deliveriesPer100Calls} per 100 calls.`,
    renderTable(
      ['CLASS', 'FAILURES', 'REPEATS', 'WARNED', 'RECALL', '', 'DELIVERIES', 'HITS', 'PRECISION', ''],
      rows.map(([name, figures]) => [name, ...renderClass(figures)]),
    ),
  ];
}

function renderClass(figures: ClassFigures): readonly string[] {
  const { failures, repeats, warned, recall, recallInterval, deliveries, hits, precision, precisionInterval } = figures;
  return [
    ...[failures, repeats, warned].map(String),
    ...[renderShare(recall), renderInterval(recallInterval)],
    ...[deliveries, hits].map(String),
    ...[renderShare(precision), renderInterval(precisionInterval)],
  ];
}

function renderShare(share: number | null): string {
  return share === null ? '-' : share.toFixed(2);
}

function renderInterval(interval: Interval | null): string {
  return interval === null ? '' : `${interval[0].toFixed(2)}-${interval[1].toFixed(2)}`;
}
