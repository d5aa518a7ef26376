/** Failures, sessions and the figures about them. */

import { z } from '@hono/zod-openapi';
import { HISTORY_GROUPS } from '../../base/statistics/history.ts';
import { operation } from './operation.ts';
import { FailedCall, FailureKinds, Filter, History, Paging, pageOf, Session, Stats, Timeline } from './shapes.ts';

export const FAILURE_OPERATIONS = {
  readHistory: operation({
    method: 'get',
    path: '/history',
    summary: 'Counts calls and failures by day, week, agent, project or model',
    query: Filter.omit({ category: true }).extend({ by: z.enum(HISTORY_GROUPS).optional() }),
    answer: History,
    command: ({ query }) => ['sessions history', { options: { limit: '400', ...query } }],
  }),
  readStats: operation({
    method: 'get',
    path: '/stats',
    summary: 'Says whether the lessons help, and what they cost',
    query: Filter,
    answer: Stats,
    command: ({ query }) => ['stats', { options: query }],
  }),
  listFailures: operation({
    method: 'get',
    path: '/failures',
    summary: 'Lists the kinds of failures, the costliest first',
    query: Filter.extend({
      ...Paging.shape,
      signature: z.string().optional(),
      all: z.literal('true').optional(),
    }),
    answer: FailureKinds,
    command: ({ query: { all, ...given } }) => [
      'sessions failures',
      { options: { limit: '50', ...given, all: all === 'true' || undefined } },
    ],
  }),
  listFailedCalls: operation({
    method: 'get',
    path: '/failures/calls',
    summary: 'Lists failed calls one by one, newest first',
    query: Filter.extend({
      ...Paging.shape,
      signature: z.string().optional(),
    }),
    answer: pageOf(FailedCall),
    command: ({ query }) => ['sessions failures', { options: { limit: '20', ...query, each: true } }],
  }),
  listSessions: operation({
    method: 'get',
    path: '/sessions',
    summary: 'Lists sessions, newest first',
    query: Filter.extend(Paging.shape),
    answer: pageOf(Session),
    command: ({ query }) => ['sessions', { options: { limit: '50', ...query } }],
  }),
  showSession: operation({
    method: 'get',
    path: '/sessions/{session}',
    summary: 'Shows the calls of a session in order, with failures and shown lessons',
    params: z.object({ session: z.string().max(200) }),
    query: Paging.extend({ agent: z.string().optional(), failures: z.literal('true').optional() }),
    answer: Timeline,
    command: ({ params, query: { failures, ...given } }) => [
      'sessions show',
      { arguments: [params.session], options: { limit: '200', ...given, failures: failures === 'true' || undefined } },
    ],
  }),
};
