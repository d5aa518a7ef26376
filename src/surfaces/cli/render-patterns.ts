/** Patterns as a table, and what to do about one. */
import type { Pattern } from '../../base/pattern.ts';
import { type Page, renderRest } from './page.ts';
import { renderTable } from './render-table.ts';
import { toLine } from './to-line.ts';

export interface PatternReport extends Page<Pattern> {
  readonly since?: string;
  /** All failures that were looked at, masked ones too. */
  readonly failures: number;
  /** There are older ones that were not looked at. */
  readonly isCut: boolean;
}

const INDENT = '    ';

export function renderPatterns(
  report: PatternReport,
  narrowed: { readonly byKind: boolean; readonly any: boolean },
  columns?: number,
): string {
  if (report.items.length === 0) return renderNothing(report, narrowed);
  const { items: patterns, failures, isCut } = report;
  const cut = isCut ? [`Only the newest ${failures} failures were looked at: use --since or --project.`] : [];
  return [...renderRows(patterns, columns), ...renderRest(report), '', ...cut, ...renderNext(patterns)].join('\n');
}

/** Two lines each, so that the failure has room on a narrow terminal. */
function renderRows(patterns: readonly Pattern[], columns: number | undefined): readonly string[] {
  const head = ['KIND', 'TIMES', 'SESSIONS', 'LAST SEEN', 'LESSON'];
  const rows = patterns.map((pattern) => [
    pattern.kind,
    pattern.outOf === undefined ? String(pattern.frequency) : `${pattern.frequency} of ${pattern.outOf}`,
    String(pattern.sessions),
    pattern.last.slice(0, 10),
    renderLesson(pattern),
  ]);
  const [first = '', ...lines] = renderTable(head, rows, { columns }).split('\n');
  const whats = patterns.map(({ what }) => `${INDENT}${toLine(what, columns && columns - INDENT.length)}`);
  return [first, `${INDENT}WHAT`, ...lines.flatMap((line, i) => [line, whats[i] ?? ''])];
}

function renderLesson({ kind, lessons }: Pattern): string {
  const [lesson] = lessons;
  if (kind === 'dominant-category') return '-';
  if (lesson === undefined) return 'no lesson yet';
  const more = lessons.length > 1 ? ` +${lessons.length - 1}` : '';
  return `${toLine(lesson.slug)}${lesson.status === 'draft' ? ' (draft)' : ''}${more}`;
}

function renderNext(patterns: readonly Pattern[]): readonly string[] {
  const [bare] = patterns.filter(({ lessons, signatureIds }) => lessons.length === 0 && signatureIds.length > 0);
  const id = bare?.signatureIds[0];
  return [
    ...(id === undefined ? [] : [`The calls of one (ids: --json): oncebitten failures --each --signature ${id}`]),
    'Teach what to do instead: oncebitten lessons add --help',
  ];
}

function renderNothing(
  { failures }: PatternReport,
  narrowed: { readonly byKind: boolean; readonly any: boolean },
): string {
  if (failures === 0 && !narrowed.any) return 'No failures are known. Learn from past sessions: oncebitten scan';
  const all = narrowed.any ? ' See all: oncebitten patterns' : '';
  if (failures === 0) return `No failures there.${all}`;
  const seen = failures === 1 ? '1 failure' : `${failures} failures`;
  if (narrowed.byKind) return `No pattern of that kind in ${seen}.${all}`;
  return `No patterns in ${seen}: nothing came back in two sessions or three tasks.${all}`;
}
