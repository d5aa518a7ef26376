/** `oncebitten failures`: what went wrong, by signature or one by one. */
import type { FailureFilter } from '../../../base/failure.ts';
import type { Store } from '../../../base/store.ts';
import { checkAgentId } from '../check-agent-id.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findProjects } from '../find-projects.ts';
import { findSessionId, refuseUnknownSession } from '../get-session.ts';
import { readHome } from '../open-home.ts';
import { toPage } from '../page.ts';
import { toSince } from '../parse-span.ts';
import { renderFailedCalls, renderFailureGroups } from '../render-failures.ts';

const LISTED = 20;
const ALL = 1_000_000;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const filter = await toFilter(input, store);
    const isAny = (await store.listFailures({ limit: 1 })).length > 0;
    const { limit: _, unresolved, ...counted } = filter;
    const calls = unresolved === true ? undefined : await store.countFailures(counted);
    const view = { columns: input.columns, isAny, calls };
    if (input.options.each === true) {
      const each = toPage(await store.listFailedCalls(filter), input.options, LISTED);
      return { json: each, text: renderFailedCalls(each, view) };
    }
    const groups = toPage(await store.listFailures(filter), input.options, LISTED);
    return { json: groups, text: renderFailureGroups(groups, view) };
  });

async function toFilter({ options, cwd }: CommandInput, store: Store): Promise<FailureFilter> {
  const given = options as Readonly<Record<string, string | undefined>>;
  const project = options.project as string | true | undefined;
  if (given.agent !== undefined) checkAgentId(given.agent);
  return {
    ...(project === undefined ? {} : { projectIds: (await findProjects(store, project, cwd)).ids }),
    ...(given.agent === undefined ? {} : { agent: given.agent }),
    ...(given.session === undefined ? {} : { sessionId: await getFailing(store, given.session, given.agent) }),
    ...(given.since === undefined ? {} : { since: toSince(given.since, '--since', Date.now()) }),
    ...(given.signature === undefined ? {} : { signature: given.signature }),
    ...(options.unresolved === true ? { unresolved: true } : {}),
    limit: ALL,
  };
}

/** A session may have calls and not be listed itself: its very id goes before others that begin so. */
async function getFailing(store: Store, text: string, agent: string | undefined): Promise<string> {
  const calls = await store.listCalls({ ...(agent === undefined ? {} : { agent }), sessionId: text, limit: 1 });
  const id = calls.length > 0 ? text : await findSessionId(store, text, agent);
  if (id === undefined) throw refuseUnknownSession(text, agent);
  return id;
}
