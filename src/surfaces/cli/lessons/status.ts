/**
 * `oncebitten lessons approve`, `reject`, `archive`, `restore` and `merge`: change the status of lessons. An approved
 * lesson may fire, and the approver is recorded; a rejected lesson is wrong and stays away whatever calls show later;
 * an archived lesson is out of the way, not wrong.
 */

import type { Lesson, LessonUpdate } from '../../../base/model/lesson.ts';
import type { ToProjectId } from '../../../base/model/project.ts';
import { findTriggerFault } from '../../../loop/checks/trigger-faults.ts';
import { approveLesson, archiveLesson, rejectLesson, restoreLesson } from '../../../promote/lesson-states.ts';
import { mergeLessons } from '../../../promote/merge-lessons.ts';
import { type Author, isRefused, type Transition } from '../../../promote/transition.ts';
import type { Handler } from '../command.ts';
import { usageError, userError } from '../errors.ts';
import { changeLessons, makeAct, moveLessons } from './change-lessons.ts';
import { findWarning } from './lesson-details.ts';

export const runApprove: Handler = (input) =>
  moveLessons(
    input,
    'approved',
    (lesson, act, { minConfidence }) => findRefusal(lesson) ?? approveLesson(lesson, act, minConfidence),
    findWarning,
  );

/** What was imported may have no trigger, or a bad one: as a draft that does no harm. */
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
    text: `Merged into ${into?.slug}: ${slugs}. It keeps its own text and trigger, and was ${seen}. Undo: oncebitten lessons undo ${into?.slug}`,
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
