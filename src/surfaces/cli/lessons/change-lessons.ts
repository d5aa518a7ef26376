/**
 * `oncebitten lessons approve`, `reject`, `archive`, `restore` and `merge`, and the steps that they share with all
 * commands that change lessons: one transaction changes all named lessons or none, then the manifest is compiled. The
 * history of a lesson records the user who gave the command.
 */

import { userInfo } from 'node:os';
import { makeId } from '../../../base/ids.ts';
import type { Lesson, LessonUpdate } from '../../../base/model/lesson.ts';
import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { redact } from '../../../base/secrets/redaction.ts';
import { findTriggerFault } from '../../../loop/checks/trigger-faults.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import { approveLesson, archiveLesson, rejectLesson, restoreLesson } from '../../../promote/lesson-states.ts';
import { mergeLessons } from '../../../promote/merge-lessons.ts';
import { type Author, isRefused, type Transition } from '../../../promote/transition.ts';
import { getKnown, toWholeNames } from '../arguments/lessons.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { usageError, userError } from '../errors.ts';
import { withHome } from '../open-home.ts';
import { toLine, toSentence } from '../text.ts';
import { findWarning } from './lesson-details.ts';

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
async function moveLessons(
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
  // Redacted before it is shortened, because half a secret is not recognized.
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

export const runApprove: Handler = (input) =>
  moveLessons(
    input,
    'approved',
    (lesson, act, { minConfidence }) => findRefusal(lesson) ?? approveLesson(lesson, act, minConfidence),
    findWarning,
  );

/** An imported draft may have no trigger, or a bad one, which does no harm until the draft is approved. */
function findRefusal({ slug, triggers, status }: Lesson): Transition | undefined {
  const fault = status === 'archived' ? undefined : findTriggerFault(triggers);
  if (fault === undefined) return undefined;
  return {
    refused: `has a trigger that ${fault}`,
    next: `give it another: oncebitten lessons edit ${slug} --program …`,
  };
}

/** `oncebitten lessons reject`: it is wrong, and stays away whatever is seen later. */
export const runReject: Handler = (input) => moveLessons(input, 'rejected', rejectLesson);

/** `oncebitten lessons archive`: out of the way, not wrong. */
export const runArchive: Handler = (input) => moveLessons(input, 'archived', archiveLesson);

/** `oncebitten lessons restore`: what it was before it was archived. */
export const runRestore: Handler = (input) => moveLessons(input, 'restored', restoreLesson);

/** `oncebitten lessons merge`: one lesson takes the place of others. */
export const runMerge: Handler = async (input) => {
  const act = makeAct(input);
  const lessons = await changeLessons(input, input.arguments, ([into, ...from], _, toProjectId) =>
    decide(into, from, act, toProjectId),
  );
  const [into, ...from] = lessons;
  const slugs = from.map(({ slug }) => slug).join(', ');
  const seen = `seen ${into?.occurrences} times in ${into?.sessions} sessions`;
  return {
    json: { into, from },
    text: `Merged into ${into?.slug}: ${slugs}. ${into?.slug} keeps its text and trigger, and was ${seen}. Undo: oncebitten lessons undo ${into?.slug}`,
  };
};

function decide(
  into: Lesson | undefined,
  from: readonly Lesson[],
  act: Author,
  toProjectId: ToProjectId,
): readonly LessonUpdate[] {
  if (into === undefined || from.length === 0) {
    const reason = 'got the same lesson twice';
    throw usageError('lessons merge', reason, 'name different lessons; see all: oncebitten lessons list');
  }
  const merged = mergeLessons(into, from, act, toProjectId);
  if (isRefused(merged)) throw userError('lessons merge', merged.refused, merged.next);
  const why = act.reason === undefined ? '' : `: ${act.reason}`;
  const slugs = from.map(({ slug }) => slug).join(', ');
  return [
    { lesson: merged.into, change: { ...act, reason: `merged with ${slugs}${why}` } },
    ...merged.from.map((lesson) => ({ lesson, change: { ...act, reason: `superseded by ${into.slug}${why}` } })),
  ];
}
