/** The id of a folder's project, remembered: finding it reads a few small files, and one session asks for it at every call. */
import { identifyProject } from '../../capture/identify-project.ts';

const MAX_FOLDERS = 1_000;

export function makeProjectFinder(): (cwd: string) => string {
  const known = new Map<string, string>();
  return (cwd) => {
    const seen = known.get(cwd);
    if (seen !== undefined) return seen;
    if (known.size >= MAX_FOLDERS) known.clear();
    const { id } = identifyProject(cwd);
    known.set(cwd, id);
    return id;
  };
}
