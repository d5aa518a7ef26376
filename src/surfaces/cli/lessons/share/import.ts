/**
 * `oncebitten lessons import`: imports lessons from a file or standard input, or previews the import (`--dry-run`), and
 * prints the result lesson by lesson.
 */

import { basename } from 'node:path';

import { makeId } from '../../../../base/ids.ts';
import type { Scope } from '../../../../base/model/lesson.ts';
import { makeSecretScan } from '../../../../capture/secrets/scan-secrets.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { IMPORT_FORMATS } from '../../../../loop/import/candidate.ts';
import { parseImport, readImportText } from '../../../../loop/import/parse-import.ts';
import {
  type ImportReport,
  type PlanRow,
  previewImport,
  saveImport,
  toImportReport,
} from '../../../../loop/import/plan-import.ts';
import { prepareImport } from '../../../../loop/import/prepare-import.ts';
import { identifyProject } from '../../../../loop/projects/find-project.ts';
import { findChoice } from '../../arguments/options.ts';
import type { CommandInput, Handler } from '../../command.ts';
import { userError } from '../../errors.ts';
import { withHome } from '../../open-home.ts';
import { joinLines, toLine, toScreenMax } from '../../text.ts';
import { readUserName } from '../change-lessons.ts';

export const run: Handler = async (input) => {
  const { dryRun, trust } = input.options as { dryRun?: true; trust?: true };
  const wanted = findChoice('--format', input.options.format, IMPORT_FORMATS);
  const scope = toScope(input);
  const source = await readImportText({ ...input, file: input.arguments[0] ?? '' });
  input.progress('Reading the lessons …');
  const parsed = parseImport(source, wanted);
  if (trust === true && parsed.format !== 'own')
    throw userError(
      '--trust',
      `works only with your own export, but ${source.name} has the format ${parsed.format}`,
      'leave it out; lessons from others are drafts until you approve them',
    );
  const at = new Date().toISOString();
  return withHome(input, async (open) => {
    const scan = makeSecretScan({ log: open.log });
    const prepared = await prepareImport(parsed, { trust: trust === true, scope, at, scan });
    const from = `${source.name === 'standard input' ? source.name : basename(source.name)} (${parsed.format})`;
    const by = readUserName(input.env);
    input.progress(`Comparing ${prepared.incoming.length} lessons with those in the store …`);
    const plan =
      dryRun === true
        ? await previewImport(open.store, prepared)
        : await saveImport(open.store, prepared, { by, at, from, command: makeId('cmd', Date.now()) });
    if (dryRun !== true && plan.saves.length > 0) await compileLessons(open);
    const report = toImportReport(plan, { parsed, file: source.name, dryRun: dryRun === true });
    return { json: report, text: renderImport(report, input.columns) };
  });
};

function toScope({ options, cwd }: CommandInput): Scope | undefined {
  const kind = findChoice('--scope', options.scope, ['project', 'user']);
  return kind === 'project' ? { kind, id: identifyProject(cwd).id } : kind && { kind };
}

const MAX_ROWS = 200;
const MAX_NAME = 80;
const MAX_REASON = 240;

/** What an import did or would do, lesson by lesson. */
function renderImport(report: ImportReport, columns: number | undefined): string {
  const { counts, dryRun, lessons, skipped, format, file } = report;
  const rows = lessons.slice(0, toScreenMax(columns, MAX_ROWS));
  const shown = rows.flatMap((row) => renderRow(row, columns));
  const more = lessons.length - rows.length;
  const drafts = lessons.filter(({ status }) => status === 'draft');
  const done = [
    `${counts.new} ${dryRun ? 'would be ' : ''}added${renderDrafts(counts.new, drafts, 'new')}`,
    `${counts.merged} merged${renderDrafts(counts.merged, drafts, 'merged')}`,
    `${counts.unchanged} unchanged`,
    `${counts.refused} refused`,
    ...(counts.conflicts > 0 ? [`${counts.conflicts} conflicts`] : []),
    ...(skipped > 0 ? [`${skipped} entries state no rule`] : []),
  ];
  return joinLines([
    `${toLine(file)}, format: ${FORMATS[format] ?? format}`,
    '',
    ...shown,
    more > 0 && `… and ${more} more: --json shows all`,
    '',
    done.join(', '),
    ...renderNext(report),
  ]);
}

const FORMATS: Readonly<Record<string, string>> = { own: 'Oncebitten export' };

function renderDrafts(count: number, drafts: readonly PlanRow[], action: PlanRow['action']): string {
  const some = drafts.filter((row) => row.action === action).length;
  if (some === 0) return '';
  return some < count ? ` (${some} of them drafts)` : count === 1 ? ' (a draft)' : ' (all drafts)';
}

function renderNext({ dryRun, counts }: ImportReport): readonly string[] {
  if (dryRun) return ['Nothing was changed: this was a dry run.'];
  return counts.drafts > 0 ? ['See the drafts: oncebitten lessons list --status draft'] : [];
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
    ...(isSaved && dropped.length > 0 ? [`             fields not imported: ${cut(dropped.join(', '))}`] : []),
    ...(conflict === undefined ? [] : [`             conflict: ${cut(conflict)}`]),
  ];
}
