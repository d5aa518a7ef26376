/** One operation of the API: a row of data. The server, the OpenAPI document and the client are made from the rows. */

import { z } from '@hono/zod-openapi';
import type { Words } from './run-command.ts';

export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `/lessons/{lesson}`. */
  readonly path: string;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
  /** The answer depends on more than our own files, so it is never kept. */
  readonly isFresh?: true;
  /** The command that carries it out, and its words. */
  readonly command: (asked: Asked<Params, Query, Body>) => readonly [name: string, words?: Words];
}

interface Asked<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

const NOTHING = z.object({});
type Nothing = typeof NOTHING;

/** Fills in what an operation does not have. */
export function operation<
  Answer extends z.ZodType,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(
  row: Omit<Operation<Params, Query, Body, Answer>, 'params' | 'query' | 'body'> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
  },
): Operation<Params, Query, Body, Answer> {
  return { params: NOTHING as never, query: NOTHING as never, body: NOTHING as never, ...row };
}
