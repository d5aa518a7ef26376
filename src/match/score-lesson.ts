/**
 * How strongly a lesson that may speak should speak (M3): tool 0.4 + target 0.4 + action keywords 0.1 + context
 * keywords 0.1, half of a part that the lesson does not restrict, times its priority.
 */
import { type Level, toLevel } from '../base/lesson.ts';
import type { CompiledLesson } from '../base/manifest.ts';

export const PRIORITY_FACTORS: Readonly<Record<Level, number>> = { CRITICAL: 2, HIGH: 1.5, MEDIUM: 1, LOW: 0.5 };

export interface Score {
  readonly total: number;
  readonly parts: {
    readonly tool: number;
    readonly target: number;
    readonly keywords: number;
    readonly priority: number;
  };
}

export function scoreLesson(lesson: Pick<CompiledLesson, 'triggers' | 'priority'>): Score {
  const { tools, programs, command, line, paths, content, input } = lesson.triggers;
  const tool = tools === undefined ? 0.2 : 0.4;
  const target = (programs ?? command ?? line ?? paths ?? content ?? input) === undefined ? 0.2 : 0.4;
  // No lesson restricts by keywords yet: half of each.
  const keywords = 0.1;
  const priority = PRIORITY_FACTORS[toLevel(lesson.priority)];
  const total = Math.round((tool + target + keywords) * priority * 1000) / 1000;
  return { total, parts: { tool, target, keywords, priority } };
}
