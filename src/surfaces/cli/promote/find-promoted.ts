/** Lessons that stand in a file of the project, and so are not said singly there: for who asks why one is silent. */
import { existsSync } from 'node:fs';
import type { Lesson } from '../../../base/lesson.ts';
import { listStanding } from '../../loop/list-standing.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toPlace } from './to-place.ts';

export interface PromotedHere {
  readonly lesson: Lesson;
  /** Why it is silent. */
  readonly because: string;
}

/** By the ids of the lessons. Without a store that can be read nothing is known. */
export async function findPromoted(
  { home, env }: Pick<CommandInput, 'home' | 'env'>,
  cwd: string,
): Promise<ReadonlyMap<string, PromotedHere>> {
  if (!existsSync(home.dir)) return new Map();
  try {
    return await readHome({ home, env }, async ({ store }) => {
      const lessons = await store.listLessons({ status: 'active' });
      const { isHere } = toPlace(cwd, await store.listProjectAliases());
      const here = (await listStanding(store)).filter(({ projectId }) => isHere(projectId));
      const byLesson = Map.groupBy(here, ({ lessonId }) => lessonId);
      return new Map(
        lessons.flatMap((lesson) => {
          const files = byLesson.get(lesson.id)?.map(({ file }) => file);
          return files === undefined
            ? []
            : [[lesson.id, { lesson, because: `is promoted: it stands in ${files.join(', ')}` }]];
        }),
      );
    });
  } catch {
    return new Map();
  }
}
