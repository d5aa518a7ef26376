/** What an import did or would do, lesson by lesson. */
import type { PlanRow } from '../import/plan-import.ts';
import type { ImportReport } from '../import/to-import-report.ts';
import { toLine, toScreenMax } from './to-line.ts';

const MAX_ROWS = 200;
const MAX_NAME = 80;
const MAX_REASON = 240;

export function renderImport(report: ImportReport, columns: number | undefined): string {
  const { counts, dryRun, lessons, skipped, format, file } = report;
  const rows = lessons.slice(0, toScreenMax(columns, MAX_ROWS));
  const shown = rows.flatMap((row) => renderRow(row, columns));
  const more = lessons.length - rows.length;
  const told = [
    `${counts.new} ${dryRun ? 'would be ' : ''}added`,
    `${counts.merged} merged (${counts.drafts} of them drafts)`,
    `${counts.unchanged} unchanged`,
    `${counts.refused} refused`,
    ...(counts.conflicts > 0 ? [`${counts.conflicts} conflicts`] : []),
    ...(skipped > 0 ? [`${skipped} entries state no rule`] : []),
  ];
  return [
    `${toLine(file)}, format: ${format}`,
    '',
    ...shown,
    ...(more > 0 ? [`… and ${more} more: --json shows all`] : []),
    '',
    told.join(', '),
    ...renderNext(report),
  ].join('\n');
}

function renderNext({ dryRun, counts }: ImportReport): readonly string[] {
  if (dryRun) return ['Nothing was changed: this was a dry run.'];
  return counts.drafts > 0 ? ['Look at the drafts: oncebitten lessons list --status draft'] : [];
}

function renderRow(row: PlanRow, columns: number | undefined): readonly string[] {
  const { action, name, slug, status, merge, reasons, dropped = [], conflict } = row;
  const cut = (text: string): string => toLine(text, toScreenMax(columns, MAX_REASON));
  const called = toLine(name, toScreenMax(columns, MAX_NAME));
  const known = slug === undefined || slug === name ? called : `${called} -> ${slug}`;
  const isSaved = action === 'new' || action === 'merged';
  const because = isSaved && status === 'draft' ? 'a draft because' : action === 'refused' ? 'because' : '';
  return [
    `  ${action.padEnd(9)}  ${known}`,
    ...(merge === undefined ? [] : [`             ${cut(merge)}`]),
    ...(reasons.length === 0 ? [] : [`             ${`${because} ${cut(reasons.join('; '))}`.trim()}`]),
    ...(dropped.length === 0 ? [] : [`             left out: ${cut(dropped.join(', '))}`]),
    ...(conflict === undefined ? [] : [`             conflict: ${cut(conflict)}`]),
  ];
}
