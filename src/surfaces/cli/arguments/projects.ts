/**
 * Resolves the projects that the user names by folder, id or name, and labels projects so that the user can tell them
 * apart. If a name fits several projects, the error lists them.
 */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Store } from '../../../base/contracts/store.ts';
import { makeToProjectId, type ProjectAlias, type ProjectSummary, toAllIds } from '../../../base/model/project.ts';
import type { Project } from '../../../base/model/session.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { userError } from '../errors.ts';
import { toLine } from '../text.ts';

export interface FoundProjects {
  readonly ids: readonly string[];
  /** For messages. */
  readonly name: string;
}

type ProjectStore = Pick<Store, 'listProjects' | 'listProjectAliases'>;

/** Includes the ids of joined projects. `true`: the option was given without a value. */
export async function findProjects(store: ProjectStore, given: string | true, cwd: string): Promise<FoundProjects> {
  const aliases = await store.listProjectAliases();
  const { ids, name } = findMeant(await store.listProjects(), aliases, given === true ? '.' : given, cwd);
  return { ids: toAllIds(aliases, ids), name };
}

/** A folder outside of repositories also stands for such folders below it. */
function findMeant(
  projects: readonly Project[],
  aliases: readonly ProjectAlias[],
  text: string,
  cwd: string,
): FoundProjects {
  const byId = projects.find(({ id }) => id === text);
  if (byId !== undefined) return { ids: [text], name: byId.name || text };
  const dir = resolve(cwd, text);
  const here = findHere(text, cwd);
  const found = projects.filter((project) => project.id === here?.id || isAt(project, dir));
  const ids = [...(here === undefined ? [] : [here.id]), ...found.map(({ id }) => id)];
  if (found.length > 0) return { ids: [...new Set(ids)], name: here?.name ?? (found[0]?.name || text) };
  // Joined projects often have the same name, and are one.
  const whole = joinParts(projects, aliases);
  const ofName = toAllIds(
    aliases,
    projects.filter(({ name }) => name === text).map(({ id }) => id),
  );
  const named = whole.filter(({ id }) => ofName.includes(id));
  // A list prints `work/shop` where two projects are called `shop`.
  const labels = toProjectLabels(projects, aliases);
  const byName = named.length > 0 ? named : whole.filter(({ id }) => labels.get(id) === text);
  if (byName.length === 1) return { ids: byName.map(({ id }) => id), name: text };
  // A repository without recorded sessions is a project, too.
  if (byName.length === 0 && here !== undefined) return { ids: [here.id], name: here.name };
  throw userError(
    `project ${text}`,
    byName.length > 1
      ? `is the name of ${byName.length} projects`
      : 'is neither a known project nor an existing folder',
    projects.length === 0
      ? 'no session is recorded yet; record past ones: oncebitten scan'
      : `use a folder or an id: ${listSome(byName, whole)}`,
  );
}

/** Also if the folder no longer exists. */
function isAt({ basis, root }: Project, dir: string): boolean {
  return root === dir || (basis === 'path' && root.startsWith(dir.endsWith('/') ? dir : `${dir}/`));
}

/** Projects of the same name are listed with their folders. */
function listSome(alike: readonly Project[], projects: readonly Project[]): string {
  const all = alike.length > 1 ? alike : projects;
  const shown = all.slice(0, 8).map(({ id, name, root }) => `${id} (${alike.length > 1 ? root : name})`);
  return `${shown.join(', ')}${all.length > 8 ? ' …' : ''}`;
}

/** Each project once: the one that its parts were joined into, or a part if that one has no sessions. */
function joinParts<T extends Named>(projects: readonly T[], aliases: readonly ProjectAlias[]): readonly T[] {
  const toProjectId = makeToProjectId(aliases);
  const groups = Map.groupBy(projects, ({ id }) => toProjectId(id));
  return [...groups].flatMap(([id, parts]) => {
    const known = parts.find((part) => part.id === id) ?? parts[0];
    return known === undefined ? [] : [{ ...known, id }];
  });
}

export interface KnownProject {
  readonly id: string;
  readonly name: string;
  readonly roots: readonly string[];
  /** The id of the project that this one was joined into. */
  readonly partOf?: string;
}

/** All projects, also those that were joined into others. */
export function listKnown(summaries: readonly ProjectSummary[]): readonly KnownProject[] {
  return summaries.flatMap((summary) => [summary, ...summary.joined.map((one) => ({ ...one, partOf: summary.id }))]);
}

/**
 * The one project that the user means by an id, a folder or a name. An existing folder means its current project; a
 * folder that is gone means the project that was seen there.
 */
export function getProject<T extends KnownProject>(known: readonly T[], text: string, cwd: string): T {
  const byId = known.find(({ id }) => id === text);
  if (byId !== undefined) return byId;
  const here = findHere(text, cwd);
  const now = known.find(({ id }) => id === here?.id);
  if (now !== undefined) return now;
  const dir = resolve(cwd, text);
  const byRoot = known.filter(({ roots }) => roots.includes(dir));
  const found = toWholes(byRoot.length > 0 ? byRoot : known.filter(({ name }) => name === text), known);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const subject = `project ${toLine(text, 100)}`;
  if (only !== undefined) {
    const next = `give its id: ${found.map(renderProject).join(', ')}`;
    throw userError(subject, `is the name of ${found.length} projects`, next);
  }
  throw userError(
    subject,
    here === undefined ? 'is neither a known project nor an existing folder' : 'has no recorded sessions',
    'see all: oncebitten data projects list',
  );
}

/** Parts of one project stand for that project; a part that is alone stands for itself. */
function toWholes<T extends KnownProject>(found: readonly T[], known: readonly T[]): readonly T[] {
  return [...Map.groupBy(found, ({ id, partOf }) => partOf ?? id)].flatMap(([id, parts]) => {
    const whole = parts.length > 1 ? known.find((one) => one.id === id) : undefined;
    return whole === undefined ? parts : [whole];
  });
}

/** The project of a folder that is there, captured or not. */
export function findHere(text: string, cwd: string): Project | undefined {
  const dir = resolve(cwd, text);
  // A file, or a mistyped name, must not mean the project around it.
  return isFolder(dir) ? identifyProject(dir) : undefined;
}

/** A text that no folder can have as its path is none either: one that is too long, or that a client sent with a NUL in it. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export function renderProject({ id, name, roots }: KnownProject): string {
  const about = [name, roots[0]].filter((part) => part !== undefined && part !== '').join(', ');
  return about === '' ? id : `${id} (${toLine(about, 100)})`;
}

type Named = Pick<Project, 'id' | 'name'> & { readonly root?: string | undefined };

const MAX_FOLDERS = 3;

/** The labels of all projects that the store knows, by id. */
export async function readProjectLabels(store: ProjectStore): Promise<ReadonlyMap<string, string>> {
  return toProjectLabels(await store.listProjects(), await store.listProjectAliases());
}

/** Labels by project id. A project that was joined into another has the label of that one. */
export function toProjectLabels(
  projects: readonly Named[],
  aliases: readonly ProjectAlias[] = [],
): ReadonlyMap<string, string> {
  const labels = labelApart(joinParts(projects, aliases));
  const toProjectId = makeToProjectId(aliases);
  const ofParts = projects.flatMap(({ id }) => {
    const label = labels.get(toProjectId(id));
    return label === undefined ? [] : [[id, label] as const];
  });
  return new Map([...labels, ...ofParts]);
}

/**
 * Labels that tell projects apart: the name with as many folders before it as necessary, or with the id if folders do not
 * suffice. A name that is only a number always has a folder before it.
 */
function labelApart(projects: readonly Named[]): ReadonlyMap<string, string> {
  const labels = new Map(projects.map((project) => [project.id, toLabel(project, /^\d+$/.test(project.name) ? 1 : 0)]));
  for (let folders = 1; folders <= MAX_FOLDERS; folders++) {
    const shared = listShared(labels);
    for (const project of projects) if (shared.has(project.id)) labels.set(project.id, toLabel(project, folders));
  }
  const shared = listShared(labels);
  for (const { id, name } of projects) if (shared.has(id)) labels.set(id, `${name} (${id})`);
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
