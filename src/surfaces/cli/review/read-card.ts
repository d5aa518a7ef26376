import { UserError } from '../../../base/errors.ts';
import { approveLesson } from '../../../promote/review-lesson.ts';
import { isRefused } from '../../../promote/transition.ts';
import { findWeakness } from '../../find-weakness.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import type { Card } from './render-card.ts';

/** A lesson as it is now. */
export function readCard(input: CommandInput, slug: string): Promise<Card> {
  return readHome(input, async ({ store, settings }) => {
    const lesson = await store.findLesson(slug);
    if (lesson === undefined)
      throw new UserError({ subject: `lesson ${slug}`, reason: 'is gone', next: 'see all: oncebitten lessons list' });
    // As it would be once it is approved.
    const approved = approveLesson(lesson, { by: '', at: lesson.updatedAt, command: '' }, settings.minConfidence);
    const projects = await store.listProjects();
    return {
      lesson,
      weakness: isRefused(approved) ? undefined : findWeakness(approved.lesson, settings.minScore),
      history: await store.listLessonHistory(lesson.id),
      project: projects.find(({ id }) => id === lesson.scope.id)?.name,
    };
  });
}
