/**
 * Where a lesson holds: in one session, in one project, or everywhere. A project may have several ids (see
 * `project.ts`), so scopes are compared here and nowhere else.
 */

import type { Scope } from './lesson.ts';
import type { ToProjectId } from './project.ts';

/** The place of a call, or of a query for lessons. An absent field means any session or project. */
export interface Place {
  readonly projectId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** The only project and the only session in which a lesson holds, as the manifest names them. */
export function toReach({ kind, id }: Scope, toProjectId: ToProjectId): { projectId?: string; sessionId?: string } {
  if (id === undefined || kind === 'user' || kind === 'team') return {};
  return kind === 'project' ? { projectId: toProjectId(id) } : { sessionId: id };
}

export function isInScope(scope: Scope, place: Place, toProjectId: ToProjectId): boolean {
  const { projectId, sessionId } = toReach(scope, toProjectId);
  const here = place.projectId === undefined ? undefined : toProjectId(place.projectId);
  return (projectId === undefined || projectId === here) && (sessionId === undefined || sessionId === place.sessionId);
}

/** Does a lesson of the outer scope hold wherever a lesson of the inner scope does? */
export function isWithinScope(inner: Scope, outer: Scope, toProjectId: ToProjectId): boolean {
  return isInScope(outer, toReach(inner, toProjectId), toProjectId);
}
