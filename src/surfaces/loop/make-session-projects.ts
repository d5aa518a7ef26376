/**
 * The project of what happens in a session. A folder that is no repository, or is gone, says nothing of where its project
 * begins: below the folder that the session began in, it is that one's.
 */
import type { Project } from '../../base/session.ts';
import type { FindProject } from './make-project-finder.ts';

export interface Placed {
  readonly agent: string;
  readonly sessionId: string;
  readonly cwd?: string;
}

export type FindSessionProject = (placed: Placed) => Project;

const MAX_SESSIONS = 2_000;

/** Give it the events of a session in their order: the first folder counts. */
export function makeSessionProjects(findProject: FindProject): FindSessionProject {
  const roots = new Map<string, string>();
  return ({ agent, sessionId, cwd = '' }) => {
    const key = `${agent}\n${sessionId}`;
    const root = roots.get(key) ?? cwd;
    if (!roots.has(key) && cwd !== '') roots.set(key, cwd);
    if (roots.size > MAX_SESSIONS) roots.delete(roots.keys().next().value ?? '');
    const own = findProject(cwd);
    return own.basis === 'path' && cwd.startsWith(`${root}/`) ? findProject(root) : own;
  };
}
