/** A folder's project, remembered for a while: finding it reads a few small files, and a session asks at every call. */
import type { Project } from '../../base/session.ts';
import { identifyProject } from '../../capture/identify-project.ts';

export type FindProject = (cwd: string) => Project;

const MAX_FOLDERS = 1_000;
/** A folder may become a repository, or get a remote, while we run. */
const REMEMBER_MS = 5_000;

export function makeProjectFinder(): FindProject {
  const known = new Map<string, Project>();
  let madeMs = performance.now();
  return (cwd) => {
    if (known.size >= MAX_FOLDERS || performance.now() - madeMs > REMEMBER_MS) {
      known.clear();
      madeMs = performance.now();
    }
    const project = known.get(cwd) ?? identifyProject(cwd);
    known.set(cwd, project);
    return project;
  };
}
