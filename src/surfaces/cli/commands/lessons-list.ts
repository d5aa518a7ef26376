/** `oncebitten lessons list`. */
import { existsSync } from 'node:fs';
import { UserError } from '../../../base/errors.ts';
import { LESSON_STATUSES, type Lesson } from '../../../base/lesson.ts';
import type { Store } from '../../../base/store.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { toLessonFolder } from '../../../keep/repository-lessons/read-lesson-folder.ts';
import { toAdvising } from '../../../keep/to-advising.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findProjects } from '../find-projects.ts';
import { findTimeLimit } from '../find-time-limit.ts';
import { readHome, withHome } from '../open-home.ts';
import { renderTable } from '../render-table.ts';
import { renderTriggers } from '../render-triggers.ts';
import { readHere, renderFaults } from '../share/read-here.ts';
import { toShownLevel } from '../to-shown-level.ts';

export const run: Handler = (input) => {
  // What a repository holds is taken into the store; else there is only something to look at.
  const isTaken = existsSync(toLessonFolder(identifyProject(input.cwd).root));
  return (isTaken ? withHome : readHome)(input, async (open) => {
    const { store } = open;
    const { folder } = await readHere(open, input.cwd);
    const order = toOrder(input.options.sort as string | undefined);
    const isWanted = await toFilter(input, store);
    const all = await store.listLessons();
    const lessons = all.filter(isWanted);
    // What the store gives first stays first among equals.
    if (order !== undefined) lessons.sort((a, b) => compare(order(b), order(a)));
    const json = lessons.map((lesson) => ({ ...lesson, level: toShownLevel(lesson) }));
    const text = lessons.length > 0 ? renderLessons(lessons) : all.length === 0 ? NONE : NONE_LIKE_IT;
    return { json, text: `${text}${renderFaults(folder.faults)}` };
  });
};

const NONE = 'No lessons yet. Learn from past sessions: oncebitten scan. Or write one: oncebitten lessons add --help';
const NONE_LIKE_IT = 'No lesson is like that. See all: oncebitten lessons list';

/** Highest first. */
const ORDERS: Readonly<Record<string, (lesson: Lesson) => number | string>> = {
  priority: (lesson) => toAdvising(lesson).priority,
  confidence: ({ confidence }) => confidence,
  seen: ({ occurrences }) => occurrences,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
  used: ({ lastMatchedAt = '' }) => lastMatchedAt,
};

export function renderLessons(lessons: readonly Lesson[], now = new Date().toISOString()): string {
  const rows = lessons.map((lesson) => [
    toShownLevel(lesson),
    lesson.confidence.toFixed(2),
    toStatus(lesson, now),
    lesson.file === undefined ? lesson.scope.kind : 'repository',
    lesson.slug,
    renderTriggers(lesson.triggers),
  ]);
  return renderTable(['LEVEL', 'CONF', 'STATUS', 'SCOPE', 'LESSON', 'SPEAKS AT'], rows);
}

function toStatus(lesson: Lesson, now: string): string {
  if (lesson.status === 'archived') return lesson.status;
  const status = lesson.needsReview ? 'review' : lesson.status;
  const limit = findTimeLimit(lesson, now);
  if (limit === undefined) return status;
  return status === 'active' ? limit : `${status}, ${limit}`;
}

async function toFilter({ options, cwd }: CommandInput, store: Store): Promise<(lesson: Lesson) => boolean> {
  const given = options as Readonly<Record<string, string | undefined>>;
  const status = given.status === undefined ? undefined : getOne('status', given.status, LESSON_STATUSES);
  const project = options.project as string | true | undefined;
  const ids = project === undefined ? undefined : (await findProjects(store, project, cwd)).ids;
  const tags = options.tag as readonly string[] | undefined;
  const needle = given.search?.toLowerCase();
  return (lesson) =>
    (status === undefined || lesson.status === status) &&
    (ids === undefined || (lesson.scope.kind === 'project' && ids.includes(lesson.scope.id ?? ''))) &&
    (tags === undefined || tags.every((tag) => lesson.tags.includes(tag))) &&
    (needle === undefined || toText(lesson).includes(needle)) &&
    (options.needsReview !== true ||
      (lesson.status !== 'archived' && (lesson.needsReview || lesson.status === 'draft')));
}

function toText({ slug, summary, mistake, remediation, tags }: Lesson): string {
  return [slug, summary, mistake, remediation, ...tags].join('\n').toLowerCase();
}

function toOrder(text: string | undefined): ((lesson: Lesson) => number | string) | undefined {
  return text === undefined ? undefined : ORDERS[getOne('sort', text, Object.keys(ORDERS))];
}

function getOne<T extends string>(what: string, text: string, all: readonly T[]): T {
  const found = all.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UserError({ subject: `${what} ${text}`, reason: 'is not one', next: `use ${all.join(', ')}` });
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
