/**
 * `oncebitten sessions patterns`: lists failures that recur across sessions and projects, with the known fix and the
 * lesson about each, if there is one.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { isToolName, isTracked } from '../../../base/model/tool.ts';
import { PATTERN_KINDS } from '../../../distill/patterns/pattern.ts';
import type { PatternKnowledge } from '../../../distill/patterns/pattern-context.ts';
import { type KnownPattern, listPatterns, type PatternList } from '../../../loop/measuring/failure-list.ts';
import { findChoice, toCallFilter } from '../arguments/options.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { renderTable } from '../table.ts';
import { toLine, toShortLine } from '../text.ts';
import { renderLeftOut, renderLesson } from './failures.ts';

const LISTED = 20;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const kind = findChoice('--kind', input.options.kind, PATTERN_KINDS, 'kind of pattern');
    const filter = await toCallFilter(input, store);
    const knowledge = await readKnowledge(store, settings);
    const found = await listPatterns(store, { filter, knowledge, all: input.options.all === true });
    const { failures, isCut, leftOut } = found;
    const patterns = found.patterns.filter((pattern) => kind === undefined || pattern.kind === kind);
    const report: PatternReport = {
      ...(filter.since === undefined ? {} : { since: filter.since }),
      ...{ failures, isCut, leftOut },
      ...toPage(patterns, input.options, LISTED),
    };
    const isNarrowed = [input.options.project, filter.agent, filter.since, kind].some((one) => one !== undefined);
    const any = isNarrowed && (failures > 0 || (await hasFailures(store)));
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

export type PatternReport = Page<KnownPattern> & Omit<PatternList, 'patterns'> & { readonly since?: string };

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
  const left = renderLeftOut(report.leftOut, '--all');
  return [
    ...renderRows(patterns, columns),
    ...renderRest(report, left.length > 0),
    '',
    ...cut,
    ...left,
    ...renderNext(patterns),
  ].join('\n');
}

/** Two or three lines each in a terminal, so that texts have room; one line each in a pipe. */
function renderRows(patterns: readonly KnownPattern[], columns: number | undefined): readonly string[] {
  const head = ['KIND', 'TIMES', 'SESSIONS', 'LAST SEEN', 'LESSON'];
  const rows = patterns.map((pattern) => [
    pattern.kind,
    pattern.outOf === undefined ? String(pattern.times) : `${pattern.times} of ${pattern.outOf}`,
    String(pattern.sessions),
    pattern.last.slice(0, 10),
    renderLessons(pattern),
  ]);
  const fixes = patterns.map(({ cure }) => (cure === null ? '-' : toLine(cure.text)));
  if (columns === undefined)
    return [
      renderTable(
        [...head, 'KNOWN FIX', 'PATTERN'],
        rows.map((row, i) => [...row, fixes[i] ?? '-', toLine(patterns[i]?.what ?? '')]),
      ),
    ];
  const [first = '', ...lines] = renderTable(head, rows, { columns, texts: [] }).split('\n');
  const texts = patterns.map(({ what, cure }, i) => [
    `${INDENT}${toShortLine(what, columns - INDENT.length)}`,
    ...(cure === null ? [] : [`${INDENT}known fix: ${fixes[i]}`]),
  ]);
  return [first, `${INDENT}PATTERN`, ...lines.flatMap((line, i) => [line, ...(texts[i] ?? [])])];
}

function renderLessons(pattern: KnownPattern): string {
  if (pattern.kind === 'dominant-category') return '-';
  const [first] = pattern.lessons;
  const lesson = pattern.lesson ?? (first === undefined ? null : { ...first, summary: '' });
  const more = pattern.lessons.length > 1 ? ` +${pattern.lessons.length - 1}` : '';
  return `${renderLesson({ lesson }) ?? 'no lesson yet'}${more}`;
}

function renderNext(patterns: readonly KnownPattern[]): readonly string[] {
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
  { failures, leftOut }: PatternReport,
  narrowed: { readonly byKind: boolean; readonly any: boolean },
): string {
  if (failures === 0 && !narrowed.any) return 'No failures are known. Learn from past sessions: oncebitten scan';
  const all = narrowed.any ? ' See all: oncebitten sessions patterns' : '';
  if (failures === 0) return `No failures match these filters.${all}`;
  const seen = failures === 1 ? '1 failure' : `${failures} failures`;
  const left = renderLeftOut(leftOut, '--all')
    .map((line) => `\n${line}`)
    .join('');
  if (narrowed.byKind) return `No pattern of that kind in ${seen}.${all}${left}`;
  return `No patterns in ${seen}: no failure repeated in two sessions or three tasks.${all}${left}`;
}
