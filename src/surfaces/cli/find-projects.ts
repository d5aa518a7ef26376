/** The projects that a person means by a folder, an id or a name. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { toAllIds } from '../../base/project-alias.ts';
import type { Project } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import { identifyProject } from '../../capture/identify-project.ts';

export interface FoundProjects {
  readonly ids: readonly string[];
  /** For messages. */
  readonly name: string;
}

/** With the ids that were joined to what is meant. */
export async function findProjects(
  store: Pick<Store, 'listProjects' | 'listProjectAliases'>,
  given: string | true,
  cwd: string,
): Promise<FoundProjects> {
  const { ids, name } = findMeant(await store.listProjects(), given, cwd);
  return { ids: toAllIds(await store.listProjectAliases(), ids), name };
}

/** A folder that is in no repository stands for every such folder below it too. */
function findMeant(projects: readonly Project[], given: string | true, cwd: string): FoundProjects {
  const text = given === true ? '.' : given;
  const byId = projects.filter(({ id }) => id === text);
  if (byId.length > 0) return { ids: [text], name: toName(byId[0], text) };
  const dir = resolve(cwd, text);
  // A folder that is not there would be taken for the one around it: a mistyped name must not mean this repository.
  const here = isFolder(dir) ? identifyProject(dir) : undefined;
  const found = projects.filter((project) => project.id === here?.id || isAt(project, dir));
  const ids = [...(here === undefined ? [] : [here.id]), ...found.map(({ id }) => id)];
  if (found.length > 0) return { ids: [...new Set(ids)], name: here?.name ?? toName(found[0], text) };
  const byName = projects.filter(({ name }) => name === text);
  if (byName.length === 1) return { ids: byName.map(({ id }) => id), name: text };
  // A repository in which nothing has happened yet is a project all the same.
  if (byName.length === 0 && here !== undefined) return { ids: [here.id], name: here.name };
  throw new UserError({
    subject: `project ${text}`,
    reason:
      byName.length > 1
        ? `is the name of ${byName.length} projects`
        : 'is neither a known project nor an existing folder',
    next:
      projects.length === 0
        ? 'no session is recorded yet; record past ones: oncebitten scan'
        : `use a folder or an id: ${listSome(byName, projects)}`,
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Also where the folder is gone since. */
function isAt({ basis, root }: Project, dir: string): boolean {
  return root === dir || (basis === 'path' && root.startsWith(dir.endsWith('/') ? dir : `${dir}/`));
}

function toName(project: Project | undefined, id: string): string {
  return project === undefined || project.name === '' ? id : project.name;
}

/** Those of one name by where they are. */
function listSome(alike: readonly Project[], projects: readonly Project[]): string {
  const all = alike.length > 1 ? alike : projects;
  const shown = all.slice(0, 8).map(({ id, name, root }) => `${id} (${alike.length > 1 ? root : name})`);
  return `${shown.join(', ')}${all.length > 8 ? ' …' : ''}`;
}
