/** `oncebitten lessons list`. */

import { existsSync } from 'node:fs';
import type { Store } from '../../../base/contracts/store.ts';
import { LESSON_STATUSES, LESSON_TYPES, type Lesson, ORIGIN_KINDS } from '../../../base/model/lesson.ts';
import { isUnconfirmed, isWaiting, toAdvising } from '../../../base/model/lesson-trust.ts';
import { toSessionKey } from '../../../base/model/session.ts';
import type { Settings } from '../../../base/model/settings.ts';
import type { Switches } from '../../../base/model/switches.ts';
import { dropAbsent } from '../../../base/records.ts';
import { renderTriggers } from '../../../base/triggers/render-triggers.ts';
import { toLessonFolder } from '../../../keep/sharing/lesson-folder.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { findChoice, toCallFilter } from '../arguments/options.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome, withHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { type Cells, renderTable } from '../table.ts';
import { renderNoneYet, toCount, toLine, toShortLine } from '../text.ts';
import { findLastingSilence, findMuted, type Muted, type ShownRank, toShownRank } from './lesson-details.ts';
import { readHere, renderFaults } from './share/shared-files.ts';

export const run: Handler = (input) => {
  // Lessons of a repository are taken into the store. Without them, the command only reads.
  const isTaken = existsSync(toLessonFolder(identifyProject(input.cwd).root));
  return (isTaken ? withHome : readHome)(input, async (open) => {
    const { store, settings } = open;
    const { folder } = await readHere(open, input.cwd);
    const sort = findChoice('--sort', input.options.sort, Object.keys(ORDERS), 'order');
    const order = sort === undefined ? undefined : ORDERS[sort];
    const isWanted = await toFilter(input, store);
    const all = await store.listLessons();
    const lessons = all.filter(isWanted);
    // The sort is stable: equal lessons keep the order of the store.
    if (order !== undefined) lessons.sort((a, b) => compare(order(b), order(a)));
    const listed = toListed(lessons, await readProjectLabels(store), readSwitches(input.home.switchesFile));
    const shown = listed.filter(isShown(input.options));
    const page = toPage(shown, input.options, shown.length + 1);
    const text =
      shown.length > 0
        ? renderLessons(page, settings, { columns: input.columns, hasMore: shown.length < listed.length })
        : all.length === 0
          ? await renderNone(store)
          : NONE_LIKE_IT;
    const archived = renderArchived(listed.length - shown.length);
    return { json: page, text: `${text}${archived}${renderFaults(folder.faults)}` };
  });
};

const ALL = 1_000_000;
const NONE_LIKE_IT = 'No lessons match these filters. See all: oncebitten lessons list --all';

async function renderNone(store: Store): Promise<string> {
  return `${renderNoneYet('lessons', (await store.countAll()).sessions)}. Or write one: oncebitten lessons add --help`;
}

/** Archived lessons are listed only when they are asked for. */
function isShown({ status, all }: CommandInput['options']): (lesson: Lesson) => boolean {
  return (lesson) => lesson.status !== 'archived' || status !== undefined || all === true;
}

function renderArchived(count: number): string {
  if (count === 0) return '';
  return `\n\nThis list leaves out ${toCount(count, 'archived lesson')}. List all lessons: oncebitten lessons list --all`;
}

export interface ListedLesson extends Lesson, ShownRank {
  /** Only of a lesson that came from outside and that no person here has confirmed. */
  readonly confirmed?: false;
  /** Of a lesson of one project: its name. */
  readonly project?: string;
  readonly muted?: Muted;
}

function toListed(
  lessons: readonly Lesson[],
  labels: ReadonlyMap<string, string>,
  switches: Switches,
): readonly ListedLesson[] {
  const nowMs = Date.now();
  return lessons.map((lesson) => {
    const project = lesson.scope.kind === 'project' ? labels.get(lesson.scope.id ?? '') : undefined;
    const muted = findMuted(lesson, switches, nowMs);
    return {
      ...{ ...lesson, ...toShownRank(lesson) },
      ...(isUnconfirmed(lesson) ? { confirmed: false as const } : {}),
      ...dropAbsent({ project, muted }),
    };
  });
}

/** Highest first. */
const ORDERS: Readonly<Record<string, (lesson: Lesson) => number | string>> = {
  priority: (lesson) => toAdvising(lesson).priority,
  confidence: ({ confidence }) => confidence,
  seen: ({ occurrences }) => occurrences,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
  used: ({ lastMatchedAt = '' }) => lastMatchedAt,
};

interface ListView {
  readonly columns: number | undefined;
  /** Archived lessons are left out. */
  readonly hasMore: boolean;
}

function renderLessons(page: Page<ListedLesson>, settings: Settings, { columns, hasMore }: ListView): string {
  const sentences = page.items.map(({ summary }) => toLine(summary));
  const rows = page.items.map((lesson) => [
    lesson.level,
    lesson.confidence.toFixed(2),
    toStatus(lesson, settings),
    toScope(lesson),
    lesson.slug,
    renderTriggers(lesson.triggers),
  ]);
  const head = ['LEVEL', 'CONFIDENCE', 'STATUS', 'SCOPE', 'NAME', 'FIRES ON'];
  const table =
    columns === undefined
      ? renderTable(
          ['LESSON', ...head],
          rows.map((row, n) => [sentences[n] ?? '', ...row]),
        )
      : renderTwoLines(sentences, head, rows, columns);
  return [table, ...renderRest(page, hasMore)].join('\n');
}

/** On a screen: what the lesson says, and below it everything else. */
function renderTwoLines(sentences: Cells, head: Cells, rows: readonly Cells[], columns: number): string {
  const said = sentences.map((sentence) => [toShortLine(sentence, columns)]);
  const above = renderTable(['LESSON'], said, { columns }).split('\n');
  const below = renderTable(head, rows, { columns: columns - INDENT.length }).split('\n');
  // Where the screen is narrow the last column has a line of its own.
  const size = below.length / above.length;
  return above
    .flatMap((line, n) => [line, ...below.slice(n * size, (n + 1) * size).map((one) => `${INDENT}${one}`)])
    .join('\n');
}

const INDENT = '    ';

function toScope({ file, scope, project }: ListedLesson): string {
  const kind = file !== undefined ? 'repository' : scope.kind === 'user' ? 'all projects' : scope.kind;
  return project === undefined ? kind : `${kind} ${toLine(project)}`;
}

function toStatus(lesson: ListedLesson, settings: Settings): string {
  if (lesson.status === 'archived') return lesson.status;
  const { muted } = lesson;
  const silent = isWaiting(lesson) ? undefined : findLastingSilence(lesson, settings);
  const beside = [
    ...(isUnconfirmed(lesson) ? ['unconfirmed'] : []),
    ...(muted === undefined ? [] : [muted === 'everywhere' ? 'muted' : `muted ${muted}`]),
    ...(silent === undefined ? [] : [silent]),
  ];
  const status = lesson.needsReview ? 'review' : lesson.status;
  return [...(status === 'active' && beside.length > 0 ? [] : [status]), ...beside].join(', ');
}

async function toFilter(input: CommandInput, store: Store): Promise<(lesson: Lesson) => boolean> {
  const { options } = input;
  const status = findChoice('--status', options.status, LESSON_STATUSES);
  const { projectIds: ids, ...seen } = await toCallFilter(input, store);
  const isSeen = await toSeenSelection(store, seen);
  const isInCategory = await toCategorySelection(store, options.category as string | undefined);
  const type = findChoice('--type', options.type, LESSON_TYPES);
  const origin = findChoice('--origin', options.origin, ORIGIN_KINDS);
  const tags = options.tag as readonly string[] | undefined;
  const words = (options.search as string | undefined)?.toLowerCase().split(/\s+/) ?? [];
  return (lesson) =>
    (status === undefined || lesson.status === status) &&
    (type === undefined || lesson.type === type) &&
    (origin === undefined || lesson.origin.kind === origin) &&
    (ids === undefined || lesson.scope.kind !== 'project' || ids.includes(lesson.scope.id ?? '')) &&
    (tags === undefined || tags.every((tag) => lesson.tags.includes(tag))) &&
    words.every((word) => toText(lesson).includes(word)) &&
    isSeen(lesson) &&
    isInCategory(lesson) &&
    (options.needsReview !== true || isWaiting(lesson));
}

type Seen = Omit<Awaited<ReturnType<typeof toCallFilter>>, 'projectIds'>;

/** Whether it was learned or its mistake was seen then, by this agent and with this model. */
async function toSeenSelection(store: Store, { agent, model, since = '', until }: Seen) {
  const isInTime = (at: string): boolean => at >= since && (until === undefined || at < until);
  const sessions =
    model === undefined ? undefined : new Set((await store.listSessions({ model, limit: ALL })).map(toSessionKey));
  const isOfPerson = agent === undefined && model === undefined;
  return ({ evidence, createdAt }: Lesson): boolean =>
    // What a person wrote has no evidence.
    (evidence.length === 0 && isOfPerson && isInTime(createdAt)) ||
    evidence.some(
      (one) =>
        (isInTime(one.at) || isInTime(createdAt)) &&
        (agent ?? one.agent) === one.agent &&
        (sessions?.has(toSessionKey(one)) ?? true),
    );
}

async function toCategorySelection(store: Store, category: string | undefined): Promise<(lesson: Lesson) => boolean> {
  if (category === undefined) return () => true;
  const { signatures } = await store.listFailureCells({ category, limit: ALL });
  const ids = new Set(signatures.map(({ id }) => id));
  return ({ signatureId = '' }) => ids.has(signatureId);
}

function toText({ slug, summary, mistake, remediation, tags }: Lesson): string {
  return [slug, summary, mistake, remediation, ...tags].join('\n').toLowerCase();
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
