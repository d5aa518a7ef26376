import { UserError } from '../../../base/errors.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import type { Card } from './render-card.ts';

/** A lesson as it is now. */
export function readCard(input: CommandInput, slug: string): Promise<Card> {
  return readHome(input, async ({ store }) => {
    const lesson = await store.findLesson(slug);
    if (lesson === undefined)
      throw new UserError({ subject: `lesson ${slug}`, reason: 'is gone', next: 'see all: oncebitten lessons list' });
    const projects = await store.listProjects();
    return {
      lesson,
      history: await store.listLessonHistory(lesson.id),
      project: projects.find(({ id }) => id === lesson.scope.id)?.name,
    };
  });
}
