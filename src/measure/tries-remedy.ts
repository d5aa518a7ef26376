/**
 * Was what a lesson says tried? Something of the remedy that the mistake has not is in the call; where the remedy only leaves
 * something out, not making the mistake is all there is to try. Where nobody can tell what the remedy is, it counts as tried.
 */
import type { LiveCall } from '../base/call.ts';
import type { Lesson } from '../base/lesson.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import { listRemedies } from './list-remedies.ts';

export function triesRemedy(lesson: Lesson, call: LiveCall): boolean {
  const news = listNews(lesson);
  if (news.length === 0) return true;
  const done = new Set(toParts(`${call.command ?? ''} ${call.targetPath ?? ''}`));
  return news.some((part) => done.has(part));
}

function listNews(lesson: Lesson): readonly string[] {
  if (lesson.replacement !== undefined) return [lesson.replacement.to];
  const known = new Set(toParts(lesson.mistake));
  return listRemedies(lesson)
    .flatMap(toWords)
    .flatMap(toParts)
    .filter((part) => !known.has(part));
}

function toWords({ program, args }: SimpleCommand): readonly string[] {
  return [program, ...args.map(({ value }) => value)];
}

/** Words, and what is listed in them: `mergedAt` of `--json state,mergedAt`. */
function toParts(text: string): readonly string[] {
  return text.split(/[\s,;=`'"|&()]+/).filter((part) => part !== '');
}
