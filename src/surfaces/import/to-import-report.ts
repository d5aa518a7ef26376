/** What an import did, or would do, for a person and for a program. */
import type { ImportFormat } from './candidate.ts';
import type { ParsedImport } from './parse-import.ts';
import type { ImportPlan, PlanAction, PlanRow } from './plan-import.ts';

export interface ImportReport {
  readonly file: string;
  readonly format: ImportFormat;
  readonly dryRun: boolean;
  readonly counts: Readonly<Record<PlanAction | 'drafts' | 'conflicts', number>>;
  /** Entries of a list of rules that state none. */
  readonly skipped: number;
  readonly lessons: readonly PlanRow[];
}

export function toImportReport(
  { rows }: ImportPlan,
  { parsed, file, dryRun }: { readonly parsed: ParsedImport; readonly file: string; readonly dryRun: boolean },
): ImportReport {
  const count = (is: (row: PlanRow) => boolean): number => rows.filter(is).length;
  const isSaved = ({ action }: PlanRow): boolean => action === 'new' || action === 'merged';
  return {
    file,
    format: parsed.format,
    dryRun,
    counts: {
      new: count(({ action }) => action === 'new'),
      merged: count(({ action }) => action === 'merged'),
      unchanged: count(({ action }) => action === 'unchanged'),
      refused: count(({ action }) => action === 'refused'),
      drafts: count((row) => isSaved(row) && row.status === 'draft'),
      conflicts: count(({ conflict }) => conflict !== undefined),
    },
    skipped: parsed.skipped,
    lessons: rows,
  };
}
