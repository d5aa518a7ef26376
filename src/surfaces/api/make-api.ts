/** The HTTP API: one route for each operation, and the OpenAPI document that describes them. */

import { createRoute, type Hook, OpenAPIHono, type z } from '@hono/zod-openapi';
import { etag } from 'hono/etag';
import { HTTPException } from 'hono/http-exception';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { BlankEnv } from 'hono/types';
import { toReason, UserError } from '../../base/errors.ts';
import { UsageError } from '../cli/errors.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { type RunCommand, toErrorBody } from './run-command.ts';
import { Problem } from './shapes.ts';
import type { Watch } from './watch-store.ts';

interface ApiParts {
  readonly run: RunCommand;
  /** For questions about stored data: may give an answer again. */
  readonly runKept?: RunCommand;
  readonly watch: Watch;
  /** Hears of errors that are ours. */
  readonly log: (line: string) => void;
}

export function makeApi({ run, runKept = run, watch, log }: ApiParts): OpenAPIHono<BlankEnv> {
  const api = new OpenAPIHono<BlankEnv>({ defaultHook: refuseInvalid });
  api.get('/events', (c) => streamSSE(c, (stream) => tellChanges(stream, watch)));
  api.use(etag());
  for (const [name, row] of Object.entries<Operation>(OPERATIONS))
    addOperation(api, name, row, row.method === 'get' && row.isFresh !== true ? runKept : run);
  api.onError((error, c) => {
    if (error instanceof HTTPException) return c.json(MALFORMED, 400);
    const status = error instanceof UsageError ? 400 : error instanceof UserError ? 422 : 500;
    if (status === 500) log(`api: ${toReason(error)}`);
    return c.json(toErrorBody(error), status);
  });
  api.notFound((c) => c.json(toUnknown(c.req.path), 404));
  api.doc31('/openapi.json', DOCUMENT_HEAD);
  // Mounted in another application, only a route answers for all other addresses.
  api.all('*', (c) => {
    const methods = listMethods(c.req.path);
    if (methods.length === 0) return c.json(toUnknown(c.req.path), 404);
    return c.json(toOtherMethod(c.req.method, c.req.path, methods), 405, { Allow: methods.join(', ') });
  });
  return api;
}

/** What an address of the API takes; nothing if it is not one. */
function listMethods(path: string): readonly string[] {
  const rows = Object.values<Operation>(OPERATIONS).filter((row) => toPattern(row.path).test(path));
  return rows.map(({ method }) => method.toUpperCase());
}

/** Mounted in another application, the path has that one's words before it. */
function toPattern(path: string): RegExp {
  return new RegExp(`^(?:/api)?${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function toOtherMethod(method: string, path: string, methods: readonly string[]) {
  return { error: { subject: `${method} ${path}`, reason: 'is not possible', next: `use ${methods.join(' or ')}` } };
}

function toUnknown(path: string) {
  return { error: { subject: path, reason: 'is not an address of the API', next: SEE_DOCUMENT } };
}

/** The OpenAPI document. */
export function makeApiDocument(): object {
  const api = makeApi({ run: async () => ({}), watch: async function* () {}, log: () => {} });
  return api.getOpenAPI31Document(DOCUMENT_HEAD);
}

/** The live feed: one event at its start and at each change of the data, and a comment now and then to keep it open. */
async function tellChanges(stream: SSEStreamingApi, watch: Watch): Promise<void> {
  const stop = new AbortController();
  stream.onAbort(() => stop.abort());
  for await (const stamp of watch(stop.signal))
    await (stamp === undefined ? stream.write(': still here\n\n') : stream.writeSSE({ event: 'changed', data: stamp }));
}

const DOCUMENT_HEAD = {
  openapi: '3.1.0',
  servers: [{ url: '/api' }],
  info: { title: 'Oncebitten', version: '1', description: 'The API of the Oncebitten daemon on this machine.' },
};

const SEE_DOCUMENT = 'see the operations: /api/openapi.json';
const MALFORMED = { error: { subject: 'the body', reason: 'is not JSON', next: SEE_DOCUMENT } };

function addOperation(api: OpenAPIHono<BlankEnv>, name: string, row: Operation, run: RunCommand): void {
  const { method, path, summary, params, query, body, answer } = row;
  const hasBody = method === 'post' || method === 'put' || method === 'patch';
  const route = createRoute({
    method,
    path,
    summary,
    operationId: name,
    request: {
      params: params as z.ZodObject,
      query: query as z.ZodObject,
      ...(hasBody ? { body: { required: true, content: toJson(body) } } : {}),
    },
    responses: {
      200: { description: 'The answer', content: toJson(answer) },
      400: { description: 'The request is wrong', content: toJson(Problem) },
      422: { description: 'The request cannot be carried out', content: toJson(Problem) },
    },
  });
  api.openapi(route, async (c) => {
    const valid = (target: string): unknown => c.req.valid(target as 'query');
    const asked = { params: valid('param'), query: valid('query'), body: hasBody ? valid('json') : {} };
    const [command, words] = row.command(asked as never);
    return c.json((await run(command, words)) as never, 200);
  });
}

function toJson(schema: z.ZodType) {
  return { 'application/json': { schema } };
}

type Validated = {
  readonly success: boolean;
  readonly target: string;
  readonly error?: { readonly issues: readonly Issue[] };
};
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A request that does not have the declared shape. */
const refuseInvalid: Hook<unknown, BlankEnv, string, unknown> = (result, c) => {
  const { success, target, error } = result as Validated;
  if (success) return undefined;
  const issue = error?.issues[0];
  const subject = issue === undefined || issue.path.length === 0 ? target : issue.path.join('.');
  return c.json({ error: { subject, reason: issue?.message ?? 'is not valid', next: SEE_DOCUMENT } }, 400);
};
