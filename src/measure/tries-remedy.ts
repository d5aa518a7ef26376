/**
 * Was what a lesson says tried, in a call that its trigger is silent at? Something of the remedy that the mistake has not is in
 * the call. Where the remedy only leaves something out, or its trigger is silent because of what was done instead, or nobody
 * can tell what the remedy is, the silence says it.
 */
import type { LiveCall } from '../base/call.ts';
import type { CommandEdit, EditWord } from '../base/command-edit.ts';
import type { Lesson } from '../base/lesson.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import type { ProgramTrigger, Triggers } from '../base/trigger.ts';
import { listRemedies } from './list-remedies.ts';

export type Holds = (lesson: Lesson) => boolean;

export function triesRemedy(lesson: Lesson, call: LiveCall, holds: Holds): boolean {
  if (holds({ ...lesson, triggers: dropConditions(lesson.triggers) })) return true;
  const news = listNews(lesson);
  if (news.length === 0) return true;
  const done = new Set(toParts(`${call.command ?? ''} ${call.targetPath ?? ''}`));
  return news.some((part) => done.has(part));
}

/** Without what silences it: what was done before, where, or given besides. */
function dropConditions({ session: _, directory: __, programs, input, command, line, ...rest }: Triggers): Triggers {
  return {
    ...rest,
    ...(programs === undefined ? {} : { programs: programs.map(dropNone) }),
    ...(input?.match === undefined ? {} : { input: { match: input.match } }),
    ...(command?.match === undefined ? {} : { command: { match: command.match } }),
    ...(line?.match === undefined ? {} : { line: { match: line.match } }),
  };
}

function dropNone({ args, ...program }: ProgramTrigger): ProgramTrigger {
  if (args === undefined) return program;
  const { none: _, ...wanted } = args;
  return { ...program, args: wanted };
}

function listNews(lesson: Lesson): readonly string[] {
  if (lesson.replacement !== undefined) return [lesson.replacement.to];
  if (lesson.edit !== undefined) return listAdded(lesson.edit);
  const known = new Set(toParts(lesson.mistake));
  return listRemedies(lesson)
    .flatMap(toWords)
    .flatMap(toParts)
    .filter((part) => !known.has(part));
}

/** The words that the edit brings, without those that it takes away. */
function listAdded({ steps }: CommandEdit): readonly string[] {
  const toOwn = (words: readonly EditWord[]): readonly string[] =>
    words.flatMap((word) => toParts(typeof word === 'string' ? word : (word.prefix ?? '')));
  const gone = new Set(steps.flatMap((step) => ('from' in step ? toOwn(step.from) : [])));
  const come = steps.flatMap((step) =>
    'from' in step ? toOwn(step.to) : 'list' in step ? step.by : 'first' in step ? toOwn(step.first) : [],
  );
  return come.filter((part) => !gone.has(part) && part !== '--');
}

function toWords({ program, args }: SimpleCommand): readonly string[] {
  return [program, ...args.map(({ value }) => value)];
}

/** Words, and what is listed in them: `mergedAt` of `--json state,mergedAt`. */
function toParts(text: string): readonly string[] {
  return text.split(/[\s,;=`'"|&()]+/).filter((part) => part !== '');
}
