/**
 * The texts of a lesson that tell what to do, each for itself: a harmful step must not hide among harmless ones. What was
 * run is among them, because the words tell only how it differs from what failed.
 */
import type { Evidence, Lesson } from '../../../base/model/lesson.ts';
import { FIXED_BY } from '../../text/retell-lesson.ts';

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

/** What is judged for what it does. Of an edit that is the command that worked: a single word of it is no command. */
export function listJudged(
  lesson: Pick<Lesson, 'summary' | 'remediation' | 'body'> & Partial<Pick<Lesson, 'edit'>>,
  evidence: readonly Evidence[],
): readonly string[] {
  const run = listRun(evidence);
  return lesson.edit === undefined || run.length === 0 ? [...listAdvice(lesson), ...run] : run;
}

/** The commands that worked, as the evidence shows them. */
function listRun(evidence: readonly Evidence[]): readonly string[] {
  return evidence.flatMap(({ excerpt }) => excerpt?.split(FIXED_BY)[1] ?? []).filter((text) => text !== '');
}
