/** `oncebitten lessons list`. */
import { UserError } from '../../../base/errors.ts';
import { LESSON_STATUSES, type Lesson, type LessonStatus, toLevel } from '../../../base/lesson.ts';
import type { Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { renderTable } from '../render-table.ts';
import { renderTriggers } from '../render-triggers.ts';

export const run: Handler = async (input) => {
  const status = toStatus(input.options.status as string | undefined);
  const lessons = await withHome(input, ({ store }) => store.listLessons(status === undefined ? {} : { status }));
  const json = lessons.map((lesson) => ({ ...lesson, level: toLevel(lesson.priority) }));
  return { json, text: lessons.length === 0 ? NONE : renderLessons(lessons) };
};

const NONE = 'No lessons yet. Learn from past sessions: oncebitten scan. Or write one: oncebitten lessons add --help';

export function renderLessons(lessons: readonly Lesson[]): string {
  const rows = lessons.map((lesson) => [
    toLevel(lesson.priority),
    lesson.confidence.toFixed(2),
    lesson.needsReview ? 'review' : lesson.status,
    lesson.slug,
    renderTriggers(lesson.triggers),
  ]);
  return renderTable(['LEVEL', 'CONF', 'STATUS', 'LESSON', 'SPEAKS AT'], rows);
}

function toStatus(text: string | undefined): LessonStatus | undefined {
  if (text === undefined) return undefined;
  const status = LESSON_STATUSES.find((one) => one === text);
  if (status !== undefined) return status;
  throw new UserError({ subject: `status ${text}`, reason: 'is not one', next: `use ${LESSON_STATUSES.join(', ')}` });
}
