/** An active lesson with a command that it speaks at, in a folder that is still there. */
import type { Lesson } from '../../../base/lesson.ts';
import type { Project } from '../../../base/session.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toExampleCommand } from '../to-example-command.ts';

export interface Trial {
  readonly lessonId: string;
  readonly slug: string;
  readonly command: string;
  readonly cwd: string;
}

export async function findTrial(input: CommandInput): Promise<Trial | undefined> {
  const { lessons, projects, settings } = await readHome(input, async ({ store, settings }) => ({
    lessons: await store.listLessons({ status: 'active' }),
    projects: await store.listProjects(),
    settings,
  }));
  for (const lesson of lessons) {
    if (lesson.needsReview || lesson.confidence < settings.minConfidence) continue;
    const command = toExampleCommand(lesson);
    const cwd = findFolder(lesson, projects, input.home.dir);
    if (command !== undefined && cwd !== undefined) return { lessonId: lesson.id, slug: lesson.slug, command, cwd };
  }
  return undefined;
}

function findFolder({ scope }: Lesson, projects: readonly Project[], anywhere: string): string | undefined {
  if (scope.kind !== 'project') return anywhere;
  return projects.find(({ id, root }) => id === scope.id && identifyProject(root).id === id)?.root;
}
