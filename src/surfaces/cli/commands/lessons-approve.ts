/** `oncebitten lessons approve`: a draft, or what needs review, may speak; who said so is kept. */
import type { Lesson } from '../../../base/lesson.ts';
import { approveLesson } from '../../../promote/review-lesson.ts';
import type { Transition } from '../../../promote/transition.ts';
import { findTriggerFault } from '../../find-trigger-fault.ts';
import { findWeakness } from '../../find-weakness.ts';
import { moveLessons } from '../change-lessons.ts';
import type { Handler } from '../command.ts';

export const run: Handler = (input) =>
  moveLessons(
    input,
    'approved',
    (lesson, act, { minConfidence }) => findRefusal(lesson) ?? approveLesson(lesson, act, minConfidence),
    (lesson, { minScore }) => findWeakness(lesson, minScore),
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
