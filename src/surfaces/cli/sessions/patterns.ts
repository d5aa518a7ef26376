/**
 * `oncebitten sessions patterns`: lists failures that recur across sessions and projects, with the lesson about each,
 * if there is one.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { isToolName, isTracked } from '../../../base/model/tool.ts';
import { findPatterns } from '../../../distill/patterns/find-patterns.ts';
import { PATTERN_KINDS, type Pattern, type PatternKind } from '../../../distill/patterns/pattern.ts';
import type { PatternKnowledge } from '../../../distill/patterns/pattern-context.ts';
import { toCallFilter } from '../arguments/call-filter.ts';
import type { Handler } from '../command.ts';
import { UsageError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { renderTable } from '../table.ts';
import { toLine } from '../text.ts';

const LISTED = 20;
/** Keeps memory bounded in the largest stores: under 300 MB when each of them is another message, far less otherwise. */
const MAX_CELLS = 20_000;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const kind = toKind(input.options.kind as string | undefined);
    const filter = await toCallFilter(input, store);
    const recurrence = await store.countRecurrence({ ...filter, limit: MAX_CELLS });
    const all = findPatterns(recurrence, await readKnowledge(store, settings));
    const patterns = kind === undefined ? all : all.filter((pattern) => pattern.kind === kind);
    const report: PatternReport = {
      ...(filter.since === undefined ? {} : { since: filter.since }),
      failures: recurrence.cells.reduce((sum, { count }) => sum + count, 0),
      isCut: recurrence.isCut,
      ...toPage(patterns, input.options, LISTED),
    };
    const isNarrowed = [input.options.project, filter.agent, filter.since, kind].some((one) => one !== undefined);
    const any = isNarrowed && (report.failures > 0 || (await hasFailures(store)));
    return { json: report, text: renderPatterns(report, { byKind: kind !== undefined, any }, input.columns) };
  });

async function hasFailures(store: Store): Promise<boolean> {
  const { failures, masked } = await store.countAll();
  return failures + masked > 0;
}

async function readKnowledge(store: Store, { trackedTools }: Settings): Promise<PatternKnowledge> {
  const projects = await store.listProjectSummaries();
  return {
    now: new Date().toISOString(),
    lessons: await store.listLessons(),
    projects: new Map(
      projects.map(({ id, name, roots, joined }) => [
        id,
        { name, roots: [...roots, ...joined.flatMap((one) => one.roots)] },
      ]),
    ),
    isTracked: (tool) => isToolName(tool) && isTracked({ tool, outcome: 'success' }, trackedTools),
  };
}

function toKind(text: string | undefined): PatternKind | undefined {
  if (text === undefined) return undefined;
  const known = PATTERN_KINDS.find((kind) => kind === text);
  if (known !== undefined) return known;
  throw new UsageError({
    subject: `--kind ${text}`,
    reason: 'is not a known kind of pattern',
    next: `use one of: ${PATTERN_KINDS.join(', ')}`,
  });
}

export interface PatternReport extends Page<Pattern> {
  readonly since?: string;
  /** All failures that were looked at, masked ones too. */
  readonly failures: number;
  /** There are older ones that were not looked at. */
  readonly isCut: boolean;
}

const INDENT = '    ';

/** Patterns as a table, and what to do about one. */
function renderPatterns(
  report: PatternReport,
  narrowed: { readonly byKind: boolean; readonly any: boolean },
  columns?: number,
): string {
  if (report.items.length === 0) return renderNothing(report, narrowed);
  const { items: patterns, failures, isCut } = report;
  const cut = isCut
    ? [`Only the newest ${failures} failures were searched; choose others with --since or --project.`]
    : [];
  return [...renderRows(patterns, columns), ...renderRest(report), '', ...cut, ...renderNext(patterns)].join('\n');
}

/** Two lines each in a terminal, so that the failure has room on a narrow one; one line each in a pipe. */
function renderRows(patterns: readonly Pattern[], columns: number | undefined): readonly string[] {
  const head = ['KIND', 'TIMES', 'SESSIONS', 'LAST SEEN', 'LESSON'];
  const rows = patterns.map((pattern) => [
    pattern.kind,
    pattern.outOf === undefined ? String(pattern.frequency) : `${pattern.frequency} of ${pattern.outOf}`,
    String(pattern.sessions),
    pattern.last.slice(0, 10),
    renderLesson(pattern),
  ]);
  if (columns === undefined)
    return [
      renderTable(
        [...head, 'WHAT'],
        rows.map((row, i) => [...row, toLine(patterns[i]?.what ?? '')]),
      ),
    ];
  const [first = '', ...lines] = renderTable(head, rows, { columns }).split('\n');
  const whats = patterns.map(({ what }) => `${INDENT}${toLine(what, columns - INDENT.length)}`);
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
    ...(id === undefined
      ? []
      : [`See the calls of one (ids: --json): oncebitten sessions failures --each --signature ${id}`]),
    'Write a lesson about one: oncebitten lessons add --help',
  ];
}

function renderNothing(
  { failures }: PatternReport,
  narrowed: { readonly byKind: boolean; readonly any: boolean },
): string {
  if (failures === 0 && !narrowed.any) return 'No failures are known. Learn from past sessions: oncebitten scan';
  const all = narrowed.any ? ' See all: oncebitten sessions patterns' : '';
  if (failures === 0) return `No failures match these filters.${all}`;
  const seen = failures === 1 ? '1 failure' : `${failures} failures`;
  if (narrowed.byKind) return `No pattern of that kind in ${seen}.${all}`;
  return `No patterns in ${seen}: no failure repeated in two sessions or three tasks.${all}`;
}
