/** The project that a command about promotions is given in. */
import { makeToProjectId, type ProjectAlias } from '../../../base/project-alias.ts';
import { identifyProject } from '../../../capture/identify-project.ts';

export interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly projectId: string;
  /** Is it this project, under whatever id? */
  isHere(projectId: string): boolean;
}

export function toPlace(cwd: string, aliases: readonly ProjectAlias[]): Place {
  const project = identifyProject(cwd);
  const toProjectId = makeToProjectId(aliases);
  const projectId = toProjectId(project.id);
  return { root: project.root, cwd, projectId, isHere: (id) => toProjectId(id) === projectId };
}
