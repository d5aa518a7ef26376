/** `oncebitten failures`: what went wrong, by signature or one by one. */
import { UserError } from '../../../base/errors.ts';
import type { FailureFilter } from '../../../base/failure.ts';
import type { Store } from '../../../base/store.ts';
import { checkAgentId } from '../check-agent-id.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findProjects } from '../find-projects.ts';
import { readHome } from '../open-home.ts';
import { toSince } from '../parse-span.ts';
import { renderFailedCalls, renderFailureGroups } from '../render-failures.ts';

const DEFAULT_LIMIT = 20;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const filter = await toFilter(input, store);
    if (input.options.each === true) {
      const calls = await store.listFailedCalls(filter);
      return { json: calls, text: renderFailedCalls(calls, filter.limit) };
    }
    const groups = await store.listFailures(filter);
    return { json: groups, text: renderFailureGroups(groups, filter.limit) };
  });

async function toFilter({ options, cwd }: CommandInput, store: Store): Promise<FailureFilter> {
  const given = options as Readonly<Record<string, string | undefined>>;
  const project = options.project as string | true | undefined;
  if (given.agent !== undefined) checkAgentId(given.agent);
  return {
    ...(project === undefined ? {} : { projectIds: (await findProjects(store, project, cwd)).ids }),
    ...(given.agent === undefined ? {} : { agent: given.agent }),
    ...(given.session === undefined ? {} : { sessionId: given.session }),
    ...(given.since === undefined ? {} : { since: toSince(given.since, '--since', Date.now()) }),
    ...(given.signature === undefined ? {} : { signature: given.signature }),
    ...(options.unresolved === true ? { unresolved: true } : {}),
    limit: toLimit(given.limit),
  };
}

function toLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0 && limit <= 1_000_000) return limit;
  throw new UserError({ subject: `--limit ${text}`, reason: 'is not a number of rows', next: 'use 1 or more' });
}
