/** All that a lesson would say besides its summary, mistake and fix, as it is delivered: who approves must have read it. */
import type { Lesson } from '../../base/lesson.ts';
import { toLessonParts } from '../../match/to-lesson-parts.ts';

export function listSaid(lesson: Lesson): readonly string[] {
  const shown = [lesson.summary, lesson.mistake, lesson.remediation].map(toPlain);
  const parts = toLessonParts(lesson).filter(({ text }) => !shown.includes(toPlain(text)));
  return parts.map(({ label, text }) => `${label}${text}`);
}

function toPlain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
