/**
 * Shared steps of all commands that change lessons: one transaction changes all named lessons or none, then the
 * manifest is compiled. The history of a lesson records the user who gave the command.
 */

import { userInfo } from 'node:os';
import { makeId } from '../../../base/ids.ts';
import type { Lesson, LessonUpdate } from '../../../base/model/lesson.ts';
import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { redact } from '../../../base/secrets/redaction.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import { type Author, isRefused, type Transition } from '../../../promote/transition.ts';
import { getKnown, toWholeNames } from '../arguments/lessons.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { userError } from '../errors.ts';
import { withHome } from '../open-home.ts';
import { toLine, toSentence } from '../text.ts';

const MAX_REASON = 500;

type Move = (lesson: Lesson, act: Author, settings: Settings) => Transition;

/** `decide` gets the lessons as they are now, each once. */
export function changeLessons(
  input: CommandInput,
  names: readonly string[],
  decide: (lessons: readonly Lesson[], settings: Settings, toProjectId: ToProjectId) => readonly LessonUpdate[],
): Promise<readonly Lesson[]> {
  return withHome(input, async (open) => {
    const whole = await toWholeNames(open.store, names);
    const toProjectId = makeToProjectId(await open.store.listProjectAliases());
    const saved = await open.store.updateLessons(whole, (found) =>
      decide(toKnown(whole, found), open.settings, toProjectId),
    );
    await compileLessons(open);
    return saved;
  });
}

/**
 * `approved`, `rejected`, …: every lesson that was named makes the same move. `warn`: what has to be known of a lesson
 * that was moved.
 */
export async function moveLessons(
  input: CommandInput,
  done: string,
  move: Move,
  warn: (lesson: Lesson, settings: Settings) => string | undefined = () => undefined,
): Promise<CommandResult> {
  const act = makeAct(input);
  const reason = act.reason === undefined ? done : `${done}: ${act.reason}`;
  let warnings: readonly string[] = [];
  const lessons = await changeLessons(input, input.arguments, (found, settings) => {
    const moved = found.map((lesson) => getMoved(lesson, move(lesson, act, settings)));
    warnings = moved.flatMap((lesson) => toWarning(lesson, warn(lesson, settings)));
    return moved.map((lesson) => ({ lesson, change: { ...act, reason } }));
  });
  const slugs = lessons.map(({ slug }) => slug).join(', ');
  const undo = lessons.length === 1 ? ` ${slugs}` : '';
  const text = `${toSentence(done)}: ${slugs}. Undo: oncebitten lessons undo${undo}`;
  return {
    json: { lessons, ...(warnings.length === 0 ? {} : { warnings }) },
    text: [text, ...warnings].join('\n'),
  };
}

function toWarning({ slug }: Lesson, why: string | undefined): readonly string[] {
  return why === undefined ? [] : [`But ${slug}: ${why}.`];
}

export function makeAct({ options, env }: CommandInput): Author {
  // Before it is shortened: a secret that is cut is not known any more.
  const reason = toLine(redact((options.reason as string | undefined) ?? ''), MAX_REASON);
  return {
    by: readUserName(env),
    at: new Date().toISOString(),
    command: makeId('cmd', Date.now()),
    ...(reason === '' ? {} : { reason }),
  };
}

export function getMoved(lesson: Lesson, moved: Transition): Lesson {
  if (!isRefused(moved)) return moved.lesson;
  throw userError(`lesson ${lesson.slug}`, moved.refused, moved.next);
}

function toKnown(names: readonly string[], found: readonly (Lesson | undefined)[]): readonly Lesson[] {
  const known = names.map((name, i) => getKnown(name, found[i]));
  return [...new Map(known.map((lesson) => [lesson.id, lesson])).values()];
}

/** Who gives the command, as it stands in the history of lessons. */
export function readUserName(env: NodeJS.ProcessEnv): string {
  return `user:${findName(env)}`;
}

/** In a container the user may have a number only. */
function findName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER || env.LOGNAME || String(process.getuid?.() ?? 'unknown');
  }
}
