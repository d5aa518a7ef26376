/** `oncebitten lessons restore`: what it was before it was archived. */
import { restoreLesson } from '../../../promote/archive-lesson.ts';
import { moveLessons } from '../change-lessons.ts';
import type { Handler } from '../command.ts';

export const run: Handler = (input) => moveLessons(input, 'restored', restoreLesson);
