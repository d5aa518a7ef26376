/** What an import did or would do, lesson by lesson. */
import type { PlanRow } from '../import/plan-import.ts';
import type { ImportReport } from '../import/to-import-report.ts';
import { toLine } from './to-line.ts';

const MAX_ROWS = 200;
const MAX_REASON = 240;

export function renderImport(report: ImportReport): string {
  const { counts, dryRun, lessons, skipped, format, file } = report;
  const shown = lessons.slice(0, MAX_ROWS).flatMap(renderRow);
  const more = lessons.length - MAX_ROWS;
  const told = [
    `${dryRun ? 'would be ' : ''}added: ${counts.new}`,
    `merged: ${counts.merged} (of the added and merged lessons, ${counts.drafts} ${counts.drafts === 1 ? 'is a draft' : 'are drafts'})`,
    `${counts.unchanged} unchanged`,
    `${counts.refused} refused`,
    ...(counts.conflicts > 0 ? [`${counts.conflicts} conflicts`] : []),
    ...(skipped > 0 ? [`${skipped} entries state no rule`] : []),
  ];
  return [
    `${toLine(file, 200)}, format: ${format}`,
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

function renderRow({ action, name, slug, status, reasons, dropped = [], conflict }: PlanRow): readonly string[] {
  const known = slug === undefined || slug === name ? toLine(name, 80) : `${toLine(name, 80)} -> ${slug}`;
  const isSaved = action === 'new' || action === 'merged';
  const because = isSaved && status === 'draft' ? 'a draft because' : action === 'refused' ? 'because' : '';
  return [
    `  ${action.padEnd(9)}  ${known}`,
    ...(reasons.length === 0 ? [] : [`             ${`${because} ${toLine(reasons.join('; '), MAX_REASON)}`.trim()}`]),
    ...(dropped.length === 0 ? [] : [`             left out: ${toLine(dropped.join(', '), MAX_REASON)}`]),
    ...(conflict === undefined ? [] : [`             conflict: ${toLine(conflict, MAX_REASON)}`]),
  ];
}
