/** `oncebitten lessons archive`: out of the way, not wrong. */
import { archiveLesson } from '../../../promote/archive-lesson.ts';
import { moveLessons } from '../change-lessons.ts';
import type { Handler } from '../command.ts';

export const run: Handler = (input) => moveLessons(input, 'archived', archiveLesson);
