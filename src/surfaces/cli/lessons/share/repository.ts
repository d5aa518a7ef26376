/** The repository that a command is given in: its lesson files are taken into the store, as the daemon does. */
import { existsSync } from 'node:fs';
import type { Project } from '../../../../base/model/session.ts';
import { isPrivate } from '../../../../base/model/switches.ts';
import {
  type FolderFault,
  LESSON_ENDING,
  type LessonFolder,
  toLessonPath,
} from '../../../../keep/sharing/lesson-folder.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { identifyProject } from '../../../../loop/projects/identify-project.ts';
import { makeRepositoryReader, syncRepository } from '../../../../loop/repository-lessons.ts';
import type { OpenHome } from '../../open-home.ts';

interface Here {
  readonly project: Project;
  readonly folder: LessonFolder;
}

/** What is gone here may be in another clone: only the daemon, which sees them all, says that it is gone. */
export async function readHere(open: OpenHome, cwd: string): Promise<Here> {
  const project = identifyProject(cwd);
  const folder = await makeRepositoryReader(open.log)(project.root);
  if (folder.lessons.size === 0 || isPrivate(project.root, open.settings.privateProjects)) return { project, folder };
  const names = folder.names.map((name) => name.slice(0, -LESSON_ENDING.length));
  const isChanged = await syncRepository(open.store, {
    ...{ projectId: project.id, lessons: folder.lessons, isWhole: false },
    broken: new Set(names.filter((name) => !folder.lessons.has(name))),
    isThere: (slug) => existsSync(toLessonPath(project.root, slug)),
  });
  if (isChanged) await compileLessons(open);
  return { project, folder };
}

/** For a person, behind a list. */
export function renderFaults(faults: readonly FolderFault[]): string {
  if (faults.length === 0) return '';
  const lines = faults.map(({ file, line, reason }) => `  ${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
  return ['', '', `Lesson files of this repository that cannot be used: ${faults.length}`, ...lines].join('\n');
}
