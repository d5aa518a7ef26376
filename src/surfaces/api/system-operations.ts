/** Health, settings, promotions and projects. */

import { z } from '@hono/zod-openapi';
import { findFileOnlyReason } from '../../keep/settings/setting-keys.ts';
import { userError } from '../cli/errors.ts';
import { operation } from './operation.ts';
import { Health, Project, Promotions, pageOf, Setting, Status } from './shapes.ts';

const Key = z.object({ key: z.string().max(200) });
const Named = z.object({ lesson: z.string().max(200) });
const Folder = z.object({
  folder: z.string().max(4096).optional().openapi({ description: 'A folder of the project whose files are meant' }),
});
const Anything = z.looseObject({});

export const SYSTEM_OPERATIONS = {
  readHealth: operation({
    method: 'get',
    path: '/health',
    summary: 'Checks the installation from end to end',
    answer: Health,
    isFresh: true,
    command: () => ['doctor'],
  }),
  readStatus: operation({
    method: 'get',
    path: '/status',
    summary: 'Says whether the daemon runs, and what is paused or muted',
    answer: Status,
    isFresh: true,
    command: () => ['daemon status'],
  }),
  pause: operation({
    method: 'put',
    path: '/pause',
    summary: 'Stops capturing calls and showing lessons, for a time or until it is resumed',
    body: z.object({ for: z.string().max(20).optional() }),
    answer: Anything,
    command: ({ body }) => ['pause', { options: body }],
  }),
  resume: operation({
    method: 'delete',
    path: '/pause',
    summary: 'Captures calls and shows lessons again',
    answer: Anything,
    command: () => ['resume'],
  }),
  listSettings: operation({
    method: 'get',
    path: '/settings',
    summary: 'Lists all settings with their value, its origin and the default',
    answer: pageOf(Setting),
    command: () => ['config list'],
  }),
  changeSetting: operation({
    method: 'put',
    path: '/settings/{key}',
    summary: 'Changes a setting in the settings file',
    params: Key,
    body: z.object({ value: z.unknown() }),
    answer: Anything,
    command: ({ params: { key }, body: { value } }) => [
      'config set',
      { arguments: [getOpen(key), typeof value === 'string' ? value : JSON.stringify(value)] },
    ],
  }),
  resetSetting: operation({
    method: 'delete',
    path: '/settings/{key}',
    summary: 'Removes a setting from the file, so that its default applies',
    params: Key,
    answer: Anything,
    command: ({ params }) => ['config unset', { arguments: [getOpen(params.key)] }],
  }),
  listProjects: operation({
    method: 'get',
    path: '/projects',
    summary: 'Lists the projects that agents worked in',
    answer: pageOf(Project),
    command: () => ['data projects list'],
  }),
  listPromotions: operation({
    method: 'get',
    path: '/promotions',
    summary: 'Lists lessons that may be written into a file that agents read, and those that were',
    query: Folder,
    answer: Promotions,
    isFresh: true,
    command: ({ query: { folder } }) => ['lessons promote list', toThere(folder)],
  }),
  showPromotion: operation({
    method: 'get',
    path: '/promotions/{lesson}',
    summary: 'Says why a lesson is proposed, and the lines that would be written',
    params: Named,
    query: Folder,
    answer: Anything,
    command: ({ params, query: { folder } }) => [
      'lessons promote show',
      { arguments: [params.lesson], ...toThere(folder) },
    ],
  }),
  promoteLesson: operation({
    method: 'post',
    path: '/promotions/{lesson}',
    summary: 'Takes the next step with a lesson: propose, approve, apply, reject or roll back',
    params: Named,
    body: Folder.extend({ step: z.enum(['propose', 'approve', 'apply', 'reject', 'rollback']) }),
    answer: Anything,
    command: ({ params, body: { folder, step } }) => [
      `lessons promote ${step}`,
      {
        arguments: [params.lesson],
        options: STEP_OPTIONS[step] ?? {},
        ...toThere(folder),
      },
    ],
  }),
};

/** The person has seen how proven the lesson is, the file's name, and that it does not exist yet. */
const STEP_OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  propose: { force: true },
  apply: { create: true },
};

function toThere(folder: string | undefined): { readonly cwd?: string } {
  return folder === undefined ? {} : { cwd: folder };
}

/** Settings that load code or send data are changed by a person in the file, so that no page ever can. */
function getOpen(key: string): string {
  const reason = findFileOnlyReason(key);
  if (reason === undefined) return key;
  throw userError(`the setting ${key}`, 'cannot be changed here', 'edit the settings file: oncebitten config path');
}
