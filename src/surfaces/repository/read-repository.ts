/** A repository's lesson files without those that hold a secret: their words would get into the store. */

import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { hashLessonFile } from '../../keep/repository-lessons/hash-lesson-file.ts';
import { type LessonFolder, readLessonFolder, toLessonPath } from '../../keep/repository-lessons/read-lesson-folder.ts';
import { findSecretField } from '../find-secret-field.ts';

export type ReadRepository = (root: string) => Promise<LessonFolder>;

const MAX_KNOWN = 2_000;

/** Remembers which files were looked through: a folder is read again whenever one of them changes. */
export function makeRepositoryReader(log: (line: string) => void): ReadRepository {
  const scan = makeSecretScan({ log });
  const known = new Map<string, string | undefined>();
  return async (root) => {
    const folder = readLessonFolder(root);
    const lessons = new Map(folder.lessons);
    const faults = [...folder.faults];
    if (known.size > MAX_KNOWN) known.clear();
    for (const [slug, content] of folder.lessons) {
      const hash = hashLessonFile(content);
      if (!known.has(hash)) known.set(hash, await findSecretField(content, scan));
      const field = known.get(hash);
      if (field === undefined) continue;
      lessons.delete(slug);
      faults.push({ file: toLessonPath(root, slug), reason: `${field}: looks like it holds a secret` });
    }
    return { ...folder, lessons, faults };
  };
}
