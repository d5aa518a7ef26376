/** Our own export. A lesson that is not valid is refused alone, with the reason. */
import { UserError } from '../../base/errors.ts';
import type { Lesson } from '../../base/lesson.ts';
import { toContentHash } from '../../distill/lesson/hash-lesson.ts';
import { exportedLessonSchema, LESSONS_VERSION } from '../../keep/lessons-document-schema.ts';
import { renderSchemaFault } from '../../keep/to-schema-fault.ts';
import type { Refused } from './candidate.ts';
import { type Fields, findText, isFields } from './foreign-fields.ts';

export interface OwnLessons {
  readonly lessons: readonly Lesson[];
  readonly refused: readonly Refused[];
}

/** `name`: the file, for errors. */
export function parseOwnExport(document: Fields, items: readonly unknown[], name: string): OwnLessons {
  if (document.version !== LESSONS_VERSION) {
    const isLater = typeof document.version === 'number' && document.version > LESSONS_VERSION;
    throw new UserError({
      subject: name,
      reason: isLater ? `was written by a later version (${document.version})` : 'does not say its version',
      next: isLater ? 'update oncebitten, then import it again' : `a file of ours has "version": ${LESSONS_VERSION}`,
    });
  }
  const read = items.map((item, n) => parseLesson(item, n + 1));
  return {
    lessons: read.flatMap((one) => ('reason' in one ? [] : one)),
    refused: read.flatMap((one) => ('reason' in one ? one : [])),
  };
}

function parseLesson(item: unknown, n: number): Lesson | Refused {
  const name = (isFields(item) ? findText(item, ['slug', 'id']) : '') || `lesson ${n}`;
  const parsed = exportedLessonSchema.safeParse(item);
  if (!parsed.success) return { name, reason: renderSchemaFault(parsed.error) };
  const { history: _, contentHash: __, ...lesson } = parsed.data as unknown as Lesson & { history?: unknown };
  if (lesson.scope.kind === 'session') return { name, reason: 'it is true in one session only' };
  return { ...lesson, contentHash: toContentHash(lesson) };
}
