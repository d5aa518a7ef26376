/** A lesson as the text that the model reads. Rendered when the manifest is compiled, not during a call. */
import { type Lesson, toLevel } from '../base/lesson.ts';

export function renderLesson(lesson: Lesson): string {
  const level = toLevel(lesson.priority);
  const frame = level === 'CRITICAL' ? 'CRITICAL lesson' : 'Lesson';
  // A draft speaks only in the session that taught it.
  const usual = isInRepository(lesson) ? 'from the files of this repository' : 'from earlier work';
  const source = lesson.status === 'draft' ? 'from earlier in this session' : usual;
  return [
    `${frame} ${source} (${lesson.slug}): ${lesson.summary}`,
    lesson.mistake === '' ? '' : `What went wrong: ${lesson.mistake}`,
    lesson.remediation === '' ? '' : `What works: ${lesson.remediation}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A person may have widened it since: then it is theirs. */
function isInRepository({ file, scope }: Lesson): boolean {
  return file !== undefined && scope.kind === 'project';
}
