/** The bytes of a lesson's file. The same lesson gives the same bytes, so that a change shows what changed. */
import type { Lesson } from '../../base/lesson.ts';
import { sortKeys } from './hash-lesson-file.ts';
import { LESSON_FILE_SCHEMA, LESSON_FILE_VERSION, type LessonFileContent } from './lesson-file-schema.ts';

/** `slug`: its name in the repository. */
export function renderLessonFile(lesson: Lesson, slug: string): string {
  const { origin, contentHash } = lesson;
  const file = {
    $schema: LESSON_FILE_SCHEMA,
    version: LESSON_FILE_VERSION,
    ...toFileContent(lesson, slug),
    origin: { kind: origin.kind, by: origin.by },
    contentHash,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function toFileContent(lesson: Lesson, slug: string): LessonFileContent {
  const { type, summary, mistake, remediation, body, triggers, priority, mode, tags } = lesson;
  return {
    ...{ slug, type, summary, mistake, remediation },
    ...(body === undefined ? {} : { body: toSorted(body) }),
    ...{ triggers: toSorted(triggers), priority, mode, tags },
  };
}

/** Inside, keys are in the order of the alphabet: where a lesson came from decides nothing. */
function toSorted<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, sortKeys)) as T;
}
