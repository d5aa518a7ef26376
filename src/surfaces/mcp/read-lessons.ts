/** Lessons as `oncebitten lessons list` finds them, cut to what a model needs. */

import { renderTriggers } from '../../base/triggers/render-triggers.ts';
import type { ListedLesson } from '../cli/lessons/list.ts';
import type { Page } from '../cli/paging.ts';
import { toLine } from '../cli/text.ts';
import { type McpContext, runCommand } from './tool.ts';

interface LessonQuestion {
  readonly search?: string;
  readonly status?: string;
  /** A folder, an id or a name; `true`: the project of the client's folder. */
  readonly project?: string | true;
  readonly limit?: number;
}

export interface LessonPage {
  readonly lessons: readonly object[];
  readonly total: number;
}

const MAX_CHARS = 1_000;

export async function readLessons(context: McpContext, { limit = 10, ...asked }: LessonQuestion): Promise<LessonPage> {
  const page = await listLessons(context, asked);
  return { lessons: page.items.slice(0, limit).map(toBrief), total: page.total };
}

/** The active lessons of a project: its own, and those of all projects. */
export async function readProjectLessons(
  context: McpContext,
  { project, limit }: { readonly project: string | true; readonly limit: number },
): Promise<LessonPage> {
  const own = await listLessons(context, { project, status: 'active' });
  const all = await listLessons(context, { status: 'active' });
  const both = [...own.items, ...all.items.filter(({ scope }) => scope.kind === 'user')];
  return { lessons: both.slice(0, limit).map(toBrief), total: both.length };
}

async function listLessons(context: McpContext, options: object): Promise<Page<ListedLesson>> {
  const { run } = await import('../cli/lessons/list.ts');
  return runCommand(run, context, { options: { ...options } });
}

function toBrief(lesson: ListedLesson): object {
  const { slug, summary, mistake, remediation, triggers, status, needsReview, level, confidence } = lesson;
  return {
    ...{ lesson: slug, summary: toLine(summary, MAX_CHARS), mistake: toLine(mistake, MAX_CHARS) },
    ...{ fix: remediation.slice(0, MAX_CHARS), fires_on: toLine(renderTriggers(triggers), MAX_CHARS) },
    ...{ status: needsReview ? 'review' : status, level, confidence, scope: lesson.project ?? lesson.scope.kind },
  };
}
