/**
 * How strongly a lesson that may speak should speak (M3): tool 0.4 + target 0.4 + action keywords 0.1 + context
 * keywords 0.1, half of a part that the lesson does not restrict, times its priority, times what was measured of it.
 */
import { type Level, toLevel } from '../base/lesson.ts';
import type { CompiledLesson } from '../base/manifest.ts';
import type { Said } from './check-talk.ts';

export const PRIORITY_FACTORS: Readonly<Record<Level, number>> = { CRITICAL: 2, HIGH: 1.5, MEDIUM: 1, LOW: 0.5 };

const HIGHEST_PRIORITY = 10;

export interface Score {
  readonly total: number;
  readonly parts: {
    readonly tool: number;
    readonly target: number;
    readonly action: number;
    readonly context: number;
    readonly priority: number;
    readonly measured: number;
  };
}

type Scored = Pick<CompiledLesson, 'triggers' | 'priority' | 'langs' | 'measured'>;

/** Keywords that are gates have been said once the gates hold. */
const SAID: Said = { action: true, context: true };

/** `stack`: the languages of the project that the call is made in. `said`: of keywords that are no gate. */
export function scoreLesson(lesson: Scored, stack: readonly string[] = [], said: Said = SAID): Score {
  const { tools, programs, command, line, paths, content, input, actionKeywords, contextKeywords } = lesson.triggers;
  const tool = half(0.4, tools);
  const target = half(0.4, programs ?? command ?? line ?? paths ?? content ?? input);
  const action = half(0.1, said.action ? actionKeywords : undefined);
  const context = half(0.1, said.context ? contextKeywords : undefined);
  const priority = PRIORITY_FACTORS[toLevel(toPriorityIn(lesson, stack))];
  const measured = lesson.measured ?? 1;
  const total = Math.round((tool + target + action + context) * priority * measured * 1000) / 1000;
  return { total, parts: { tool, target, action, context, priority, measured } };
}

/** A lesson about the language that a project is written in weighs more there. */
export function toPriorityIn(
  { priority, langs }: Pick<Scored, 'priority' | 'langs'>,
  stack: readonly string[],
): number {
  return langs?.some((lang) => stack.includes(lang)) ? Math.min(HIGHEST_PRIORITY, priority + 1) : priority;
}

/** Half where the lesson does not restrict that part: it has held otherwise. */
function half(weight: number, restricted: unknown): number {
  return restricted === undefined ? weight / 2 : weight;
}
