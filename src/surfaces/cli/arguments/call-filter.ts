/** The options that most commands narrow their calls by: `--agent`, `--since` and `--project`. */

import type { Store } from '../../../base/contracts/store.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { CommandInput } from '../command.ts';
import { checkAgentId } from './agents.ts';
import { findProjects } from './projects.ts';
import { toSince } from './times.ts';

interface GivenFilter {
  readonly agent?: string;
  readonly since?: string;
  readonly projectIds?: readonly string[];
}

export async function toCallFilter({ options, cwd }: CommandInput, store: Store): Promise<GivenFilter> {
  const { agent, since } = options as Readonly<Record<string, string | undefined>>;
  const project = options.project as string | true | undefined;
  if (agent !== undefined) checkAgentId(agent);
  return dropAbsent({
    agent,
    since: since === undefined ? undefined : toSince(since, '--since', Date.now()),
    projectIds: project === undefined ? undefined : (await findProjects(store, project, cwd)).ids,
  });
}
