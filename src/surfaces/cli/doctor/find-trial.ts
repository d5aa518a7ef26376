/** An active lesson with a command that it fires on, in a folder that is still there. */
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

export interface Trials {
  /** Undefined where no active lesson can be tried with a made-up command. */
  readonly trial?: Trial;
  readonly activeLessons: number;
}

export async function findTrial(input: CommandInput): Promise<Trials> {
  const { lessons, projects, settings } = await readHome(input, async ({ store, settings }) => ({
    lessons: await store.listLessons({ status: 'active' }),
    projects: await store.listProjects(),
    settings,
  }));
  for (const lesson of lessons) {
    if (lesson.needsReview || lesson.confidence < settings.minConfidence) continue;
    const command = toExampleCommand(lesson);
    const cwd = findFolder(lesson, projects, input.home.dir);
    if (command === undefined || cwd === undefined) continue;
    return { trial: { lessonId: lesson.id, slug: lesson.slug, command, cwd }, activeLessons: lessons.length };
  }
  return { activeLessons: lessons.length };
}

function findFolder({ scope }: Lesson, projects: readonly Project[], anywhere: string): string | undefined {
  if (scope.kind !== 'project') return anywhere;
  return projects.find(({ id, root }) => id === scope.id && identifyProject(root).id === id)?.root;
}
