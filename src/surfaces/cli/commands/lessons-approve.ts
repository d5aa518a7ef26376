/** `oncebitten lessons approve`: a draft, or what needs review, may speak; who said so is kept. */
import { approveLesson } from '../../../promote/review-lesson.ts';
import { moveLessons } from '../change-lessons.ts';
import type { Handler } from '../command.ts';

export const run: Handler = (input) =>
  moveLessons(input, 'approved', (lesson, act, { minConfidence }) => approveLesson(lesson, act, minConfidence));
