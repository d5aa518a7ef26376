/** Why an active lesson would stay silent although its trigger holds: it cannot reach the score that `minScore` asks for. */
import type { Lesson } from '../base/lesson.ts';
import { scoreLesson } from '../match/score-lesson.ts';

/** At its best: in a project of its language, and before anything was measured of it. Undefined when it may speak. */
export function findWeakness({ triggers, priority, tags }: Lesson, minScore: number): string | undefined {
  const langs = tags.filter((tag) => tag.startsWith('lang:'));
  const { total, parts } = scoreLesson({ triggers, priority, langs }, langs);
  if (parts.priority >= 2 || total >= minScore) return undefined;
  return `it stays silent: it cannot reach minScore, scoring ${total} of ${minScore}; name its tools, a program or a file, or raise its priority`;
}
