/**
 * Projects by names that a person can tell apart: with as much of the folder before the name as it takes. A name that is
 * only a number says too little alone.
 */
import type { Project } from '../../base/session.ts';

type Named = Pick<Project, 'id' | 'name'> & { readonly root?: string | undefined };

const MAX_FOLDERS = 3;

/** The id where nothing else tells one from another. */
export function toProjectLabels(projects: readonly Named[]): ReadonlyMap<string, string> {
  const labels = new Map(projects.map((project) => [project.id, toLabel(project, /^\d+$/.test(project.name) ? 1 : 0)]));
  for (let folders = 1; folders <= MAX_FOLDERS; folders++) {
    const shared = listShared(labels);
    for (const project of projects) if (shared.has(project.id)) labels.set(project.id, toLabel(project, folders));
  }
  for (const id of listShared(labels)) labels.set(id, id);
  return labels;
}

function toLabel({ id, name, root = '' }: Named, folders: number): string {
  if (name === '') return id;
  const parts = root.split(/[/\\]/).filter((part) => part !== '');
  // The name is that of the repository where it has one, not of the folder.
  const before = parts.slice(Math.max(0, parts.length - 1 - folders), -1);
  return [...before, name].join('/');
}

function listShared(labels: ReadonlyMap<string, string>): ReadonlySet<string> {
  const byLabel = Map.groupBy(labels, ([, label]) => label);
  return new Set([...byLabel.values()].filter((same) => same.length > 1).flatMap((same) => same.map(([id]) => id)));
}
