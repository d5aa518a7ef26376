/** What becomes of a lesson that is shared, or taken back: pure. */
import type { Lesson } from '../../../base/lesson.ts';
import type { Act } from '../../../promote/transition.ts';

interface Sharing {
  readonly act: Act;
  readonly projectId: string;
  /** Its name in the repository. */
  readonly slug: string;
  readonly hash: string;
  /** For a lesson that speaks everywhere, which goes on doing so: the id and name of the repository's own. */
  readonly copy: { readonly id: string; readonly slug: string };
}

/** Whoever shares a lesson vouches for it: it is confirmed as long as the file says that. */
export function shareLesson(lesson: Lesson, { act, projectId, slug, hash, copy }: Sharing): Lesson {
  const { contentHash, file } = lesson;
  const shared: Lesson = {
    ...lesson,
    file: { slug, hash, contentHash, ...(file?.confirmed === undefined ? {} : { confirmed: file.confirmed }) },
    reviewedBy: act.by,
    updatedAt: act.at,
  };
  if (lesson.scope.kind === 'project') return shared;
  const { provisional: _, learnedAs: __, lastMatchedAt: ___, ...rest } = shared;
  return {
    ...{ ...rest, ...copy, scope: { kind: 'project', id: projectId } },
    ...{ evidence: [], occurrences: 0, sessions: 0, projects: 1, createdAt: act.at },
  };
}

/** `everywhere`: the lesson of this person that says the same in all projects; then there is nothing to keep. */
export function unshareLesson(lesson: Lesson, everywhere: Lesson | undefined, { at }: Act): Lesson {
  const { file: _, ...rest } = lesson;
  if (everywhere === undefined || lesson.status === 'archived') return { ...rest, updatedAt: at };
  const reason = `${everywhere.slug} says the same everywhere`;
  return {
    ...{ ...rest, status: 'archived', updatedAt: at },
    archival: { cause: 'superseded', reason, from: lesson.status },
    validity: { ...lesson.validity, supersededBy: everywhere.id },
  };
}
