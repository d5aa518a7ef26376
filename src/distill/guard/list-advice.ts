/** The texts of a lesson that tell what to do, each for itself: a harmful step must not hide among harmless ones. */
import type { Lesson } from '../../base/lesson.ts';

/** These say what is wrong, as the mistake does. */
const TELLING = new Set(['risk', 'severity', 'situation', 'rationale', 'format']);

export function listAdvice({
  summary,
  remediation,
  body,
}: Pick<Lesson, 'summary' | 'remediation' | 'body'>): readonly string[] {
  const parts = Object.entries(body ?? {}).filter(([key]) => !TELLING.has(key));
  const texts = parts.flatMap(([, value]) => (Array.isArray(value) ? value.map(String) : [`${value}`]));
  return [...new Set([remediation === '' ? summary : remediation, ...texts])];
}
