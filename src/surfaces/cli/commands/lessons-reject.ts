/** `oncebitten lessons reject`: it is wrong, and stays away whatever is seen later. */
import { rejectLesson } from '../../../promote/review-lesson.ts';
import { moveLessons } from '../change-lessons.ts';
import type { Handler } from '../command.ts';

export const run: Handler = (input) => moveLessons(input, 'rejected', rejectLesson);
