/** The repository that a command is given in: its lesson files are taken into the store, as the daemon does. */
import { existsSync } from 'node:fs';
import type { Project } from '../../../../base/model/session.ts';
import { isPrivate } from '../../../../base/model/switches.ts';
import { hashLessonFile } from '../../../../keep/sharing/lesson-file.ts';
import {
  type FolderFault,
  LESSON_ENDING,
  type LessonFolder,
  toLessonPath,
} from '../../../../keep/sharing/lesson-folder.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { identifyProject } from '../../../../loop/projects/find-project.ts';
import { makeRepositoryReader, syncRepository } from '../../../../loop/repository-lessons.ts';
import type { OpenHome } from '../../open-home.ts';

interface Here {
  readonly project: Project;
  readonly folder: LessonFolder;
}

/** Somebody who changes a file again and again gets the rest from the daemon. */
const MAX_READS = 5;

/**
 * What is gone here may be in another clone: only the daemon, which sees them all, says that it is gone. Afterwards the
 * files are read once more: while they were searched for secrets, somebody may have changed one, and the daemon may have
 * stored the change. The older content must not stay in the store, because the daemon sees no reason to look again.
 */
export async function readHere(open: OpenHome, cwd: string): Promise<Here> {
  const project = identifyProject(cwd);
  const read = makeRepositoryReader(open.log);
  let folder = await read(project.root);
  if (folder.lessons.size === 0 || isPrivate(project.root, open.settings.privateProjects)) return { project, folder };
  let isChanged = false;
  for (let reads = 0; reads < MAX_READS; reads++) {
    isChanged = (await syncRepository(open.store, toFiles(project, folder))) || isChanged;
    const before = folder;
    folder = await read(project.root);
    if (isSameContent(before, folder)) break;
  }
  if (isChanged) await compileLessons(open);
  return { project, folder };
}

function toFiles({ id, root }: Project, { lessons, names }: LessonFolder): Parameters<typeof syncRepository>[1] {
  const slugs = names.map((name) => name.slice(0, -LESSON_ENDING.length));
  return {
    ...{ projectId: id, lessons, isWhole: false },
    broken: new Set(slugs.filter((slug) => !lessons.has(slug))),
    isThere: (slug) => existsSync(toLessonPath(root, slug)),
  };
}

function isSameContent(a: LessonFolder, b: LessonFolder): boolean {
  const toText = ({ lessons }: LessonFolder): string =>
    JSON.stringify([...lessons].map(([slug, content]) => [slug, hashLessonFile(content)]));
  return toText(a) === toText(b);
}

/** For a person, behind a list. */
export function renderFaults(faults: readonly FolderFault[]): string {
  if (faults.length === 0) return '';
  const lines = faults.map(({ file, line, reason }) => `  ${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
  return ['', '', `Lesson files of this repository that cannot be used: ${faults.length}`, ...lines].join('\n');
}
