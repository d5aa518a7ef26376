/** Lessons: list, show, decide, change, try on a command, undo. */

import { z } from '@hono/zod-openapi';
import { LESSON_STATUSES } from '../../base/model/lesson.ts';
import { operation } from './operation.ts';
import { Delivery, Filter, Lesson, LessonDetail, LessonTest, Paging, pageOf } from './shapes.ts';

const Named = z.object({ lesson: z.string().max(200).openapi({ description: 'Id or name of a lesson' }) });
const Flag = z.literal('true').optional();
const Anything = z.looseObject({});
const Reason = z.object({ reason: z.string().max(500).optional() });

export const LESSON_OPERATIONS = {
  listLessons: operation({
    method: 'get',
    path: '/lessons',
    summary: 'Lists lessons, the most important first',
    query: Filter.extend({
      ...Paging.shape,
      status: z.enum(LESSON_STATUSES).optional(),
      search: z.string().max(200).optional(),
      origin: z.string().optional(),
      type: z.string().optional(),
      sort: z.string().optional(),
      needsReview: Flag,
      all: Flag,
    }),
    answer: pageOf(Lesson),
    command: ({ query: { needsReview, all, ...given } }) => [
      'lessons list',
      { options: { limit: '50', ...given, ...toFlags({ needsReview, all }) } },
    ],
  }),
  showLesson: operation({
    method: 'get',
    path: '/lessons/{lesson}',
    summary: 'Shows everything about a lesson',
    params: Named,
    answer: LessonDetail,
    command: ({ params }) => ['lessons show', { arguments: [params.lesson] }],
  }),
  decideLesson: operation({
    method: 'post',
    path: '/lessons/{lesson}/decisions',
    summary: 'Approves, rejects, archives or restores a lesson',
    params: Named,
    body: Reason.extend({ decision: z.enum(['approve', 'reject', 'archive', 'restore']) }),
    answer: Anything,
    command: ({ params, body: { decision, ...options } }) => [
      `lessons ${decision}`,
      { arguments: [params.lesson], options },
    ],
  }),
  editLesson: operation({
    method: 'patch',
    path: '/lessons/{lesson}',
    summary: 'Changes parts of a lesson',
    params: Named,
    body: Anything,
    answer: Anything,
    command: ({ params, body }) => [
      'lessons edit',
      { arguments: [params.lesson], options: { stdin: true }, stdin: body },
    ],
  }),
  addLesson: operation({
    method: 'post',
    path: '/lessons',
    summary: 'Adds a lesson that a person wrote',
    body: z.looseObject({
      summary: z.string(),
      isDraft: z.boolean().optional().openapi({ description: 'It waits for a decision before it fires' }),
      projectId: z.string().max(200).optional().openapi({ description: 'Only in this project; without it, in all' }),
    }),
    answer: Anything,
    command: ({ body: { isDraft, projectId, ...lesson } }) => [
      'lessons add',
      { options: { stdin: true, draft: isDraft, project: projectId }, stdin: lesson },
    ],
  }),
  muteLesson: operation({
    method: 'put',
    path: '/lessons/{lesson}/mute',
    summary: 'Silences a lesson, for a time or until it is unmuted',
    params: Named,
    body: z.object({ for: z.string().max(20).optional() }),
    answer: Anything,
    command: ({ params, body }) => ['lessons mute', { arguments: [params.lesson], options: body }],
  }),
  unmuteLesson: operation({
    method: 'delete',
    path: '/lessons/{lesson}/mute',
    summary: 'Shows a muted lesson again',
    params: Named,
    answer: Anything,
    command: ({ params }) => ['lessons unmute', { arguments: [params.lesson] }],
  }),
  testLesson: operation({
    method: 'post',
    path: '/lessons/{lesson}/tests',
    summary: 'Says whether a lesson fires on a command, or on which past calls it would have fired',
    params: Named,
    body: z.object({ command: z.string().max(10_000).optional() }),
    answer: LessonTest,
    command: ({ params, body }) => ['lessons test', { arguments: [params.lesson], options: body }],
  }),
  listDeliveries: operation({
    method: 'get',
    path: '/deliveries',
    summary: 'Lists the lessons that were shown or withheld, newest first',
    query: Filter.omit({ category: true }).extend({ ...Paging.shape, lesson: z.string().optional() }),
    answer: pageOf(Delivery),
    command: ({ query }) => ['stats deliveries', { options: { limit: '20', ...query } }],
  }),
  undoChange: operation({
    method: 'post',
    path: '/undo',
    summary: 'Undoes the last change of lessons, or of one lesson',
    body: z.object({ lesson: z.string().optional(), redo: z.boolean().optional() }),
    answer: Anything,
    command: ({ body: { lesson, ...options } }) => [
      'lessons undo',
      { arguments: lesson === undefined ? [] : [lesson], options },
    ],
  }),
};

function toFlags(given: Readonly<Record<string, 'true' | undefined>>): Readonly<Record<string, true | undefined>> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === 'true' || undefined]));
}
