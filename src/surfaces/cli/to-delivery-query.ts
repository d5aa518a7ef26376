/** Which deliveries a person means by the options of a command. */
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import type { Store } from '../../base/store.ts';
import { checkAgentId } from './check-agent-id.ts';
import type { CommandInput } from './command.ts';
import { findProjects } from './find-projects.ts';
import { getSession } from './get-session.ts';
import { getNamed } from './named-lessons.ts';
import { toSince } from './parse-span.ts';

export async function toDeliveryQuery({ options, cwd }: CommandInput, store: Store): Promise<DeliveryQuery> {
  const { agent, since, lesson, session } = options as Readonly<Record<string, string | undefined>>;
  const project = options.project as string | true | undefined;
  if (agent !== undefined) checkAgentId(agent);
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(since === undefined ? {} : { since: toSince(since, '--since', Date.now()) }),
    ...(project === undefined ? {} : { projectIds: (await findProjects(store, project, cwd)).ids }),
    ...(lesson === undefined ? {} : { lessonId: (await getNamed(store, lesson)).id }),
    ...(session === undefined ? {} : { sessionId: (await getSession(store, session, agent)).sessionId }),
  };
}
