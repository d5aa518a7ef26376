/**
 * Identifies the project of a working directory: the same project in every clone, worktree and sub-directory. This code
 * runs in the hook, so it makes a few small reads, and an unreadable file leads to the next best answer, never to an
 * error.
 */

import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { hashText } from '../../base/ids.ts';
import type { Project } from '../../base/model/session.ts';
import { findLocalRemote, toRemoteName } from '../../base/text/remote-name.ts';

const MAX_PARENTS = 64;
/** A clone of a clone of a clone on one machine; more is a cycle. */
const MAX_CLONES = 4;

/** `layouts`: of the worktrees that agents keep in their own homes. */
export function identifyFolder(cwd: string, layouts: readonly RegExp[]): Project {
  // Resolving any other path would use our own working directory.
  if (!isAbsolute(cwd)) return toProject('path', cwd, basename(cwd) || 'unknown', cwd);
  const start = toRealPath(cwd);
  const git = findGit(start);
  return git === undefined ? toPathProject(start, layouts) : toGitProject(git, MAX_CLONES);
}

/**
 * The project of a repository that a transcript names, with the id that a clone at `root` would have. `remote` is the
 * name of a remote, or the folder that the repository was cloned from.
 */
export function identifyRemote(remote: string, root: string): Project {
  if (isAbsolute(remote)) return toCloneProject(toRealPath(remote), root, MAX_CLONES);
  return toProject('remote', remote, basename(remote), root);
}

/** The git folder that a repository shares with all its worktrees; undefined if there is none. */
export function findCommonFolder(root: string): string | undefined {
  return findGitAt(root)?.commonDir;
}

/** The name of the remote of the repository at a folder; undefined if it has none. */
export function findRemoteName(root: string): string | undefined {
  const git = findGitAt(root);
  const remote = git && findRemote(findFile(`${git.commonDir}/config`) ?? '');
  return remote === undefined ? undefined : toRemoteName(remote, root);
}

/** A folder without a repository. A deleted worktree counts as the folder that its path shows. */
function toPathProject(start: string, layouts: readonly RegExp[]): Project {
  const place = isFolder(start) ? undefined : findWorktreePlace(start, layouts);
  // An existing folder that is not a repository has no worktrees.
  if (place === undefined || (place.isInside && isFolder(place.root)))
    return toProject('path', start, basename(start) || start, start);
  return toProject('path', place.root, place.name, place.root);
}

/** The folders that a working directory stands for: the path itself, its real path, and the clone of a worktree. */
export function listFolders(cwd: string): readonly string[] {
  if (!isAbsolute(cwd)) return [cwd];
  const start = toRealPath(cwd);
  const git = findGit(start);
  return [...new Set([cwd, start, ...(git === undefined ? [] : [toRealPath(git.commonDir)])])];
}

function toGitProject(git: Git, clones: number): Project {
  const { root, commonDir } = git;
  const remote = findRemote(findFile(`${commonDir}/config`) ?? '');
  if (remote === undefined) return toFolderProject(toRealPath(commonDir), root);
  const folder = findLocalRemote(remote, root);
  if (folder !== undefined) return toCloneProject(toRealPath(folder), root, clones);
  const name = toRemoteName(remote, root);
  return toProject('remote', name, basename(name), root);
}

/**
 * A clone of another folder on this machine belongs to that folder's project, as far as possible also after the folder
 * is deleted.
 */
function toCloneProject(folder: string, root: string, clones: number): Project {
  const origin = clones > 0 ? (findGitAt(folder) ?? findGitAt(`${folder}.git`)) : undefined;
  return origin === undefined ? toFolderProject(folder, root) : { ...toGitProject(origin, clones - 1), root };
}

/** `/srv/shop.git`, `/srv/shop/.git` and the remote `/srv/shop` are one project. */
function toFolderProject(folder: string, root: string): Project {
  const place = folder.replace(/(?<=.)\/\.(?:git|bare)$/, '').replace(/(?<=[^/])\.git$/, '');
  return toProject('git-dir', place, basename(place), root);
}

function toProject(basis: Project['basis'], key: string, name: string, root: string): Project {
  return { id: `prj_${hashText(`${basis}:${key}`)}`, name, basis, root };
}

interface Git {
  readonly root: string;
  /** Shared by all worktrees of a clone. */
  readonly commonDir: string;
}

/**
 * Parents count even if the directory itself is gone: a deleted worktree inside a clone still belongs to it. But not a
 * home folder that is a repository of settings, because the deleted folder was more likely a repository of its own.
 */
function findGit(start: string): Git | undefined {
  let root = start;
  for (let i = 0; i < MAX_PARENTS; i++) {
    const git = findGitAt(root);
    if (git !== undefined) return root !== start && isHome(root) && !isFolder(start) ? undefined : git;
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  return undefined;
}

function findGitAt(root: string): Git | undefined {
  const commonDir = findCommonDir(`${root}/.git`);
  if (commonDir !== undefined) return { root, commonDir };
  if (!isGitDir(root)) return undefined;
  return { root: basename(root) === '.git' ? dirname(root) : root, commonDir: root };
}

/** `.git` is a folder; in a worktree or submodule it is a file that names one. */
function findCommonDir(dotGit: string): string | undefined {
  const found = findStats(dotGit);
  if (found === undefined) return undefined;
  if (found.isDirectory()) return dotGit;
  const gitDir = /^gitdir:\s*(.+?)\s*$/m.exec(findFile(dotGit) ?? '')?.[1];
  if (gitDir === undefined) return undefined;
  const folder = resolve(dirname(dotGit), gitDir);
  const common = findFile(join(folder, 'commondir'))?.trim();
  if (common) return resolve(folder, common);
  // A worktree whose clone is not visible here (a path of another machine or a container) still names it.
  return isFolder(folder) ? folder : folder.replace(/[/\\]worktrees[/\\][^/\\]+$/, '');
}

/** Recognizes a bare repository as git does. */
function isGitDir(path: string): boolean {
  return findStats(`${path}/HEAD`) !== undefined && ['objects', 'refs'].every((name) => isFolder(`${path}/${name}`));
}

function isHome(path: string): boolean {
  return path === toRealPath(homedir());
}

/** For a deleted path, resolves its existing parent, so that the result is the same through a link. */
export function toRealPath(path: string): string {
  const text = path.replace(/(?<=.)[/\\]+$/, '');
  let rest = '';
  for (let folder = text; ; folder = dirname(folder)) {
    const real = findRealPath(folder);
    if (real !== undefined) return rest === '' ? real : join(real, rest);
    if (dirname(folder) === folder) return text;
    rest = join(basename(folder), rest);
  }
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return findStats(path)?.isDirectory() ?? false;
}

function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined if it cannot be read. */
export function findFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Parses git config for the remote that identifies a repository: `origin`, else `upstream`, else the first. */
const SECTION = /^\s*\[\s*([^\]"\s]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;
const URL_LINE = /^\s*url\s*=\s*(.*)$/i;
const PREFERRED = ['origin', 'upstream'];

export function findRemote(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const [, section, name = '', rest] = SECTION.exec(line) ?? [];
    if (section !== undefined) remote = section.toLowerCase() === 'remote' ? name : undefined;
    const value = remote === undefined ? undefined : URL_LINE.exec(rest ?? line)?.[1];
    const url = value === undefined ? '' : toValue(value);
    // Git fetches from the first of several URLs.
    if (remote !== undefined && url !== '' && !urls.has(remote)) urls.set(remote, url);
  }
  const [first] = urls.values();
  return PREFERRED.map((name) => urls.get(name)).find((url) => url !== undefined) ?? first;
}

/** A comment ends a value unless it stands in quotes; a backslash keeps the next character. */
function toValue(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') value += text.charAt(++i);
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
  }
  return value.trim();
}

/**
 * The folders in which coding agents and people put worktrees. A deleted worktree leaves nothing to read, but its path
 * may show where its repository was, or at least its name.
 */

interface WorktreePlace {
  /** The root of the repository if the worktree was inside it; else of the worktree. */
  readonly root: string;
  /** The repository's folder name. */
  readonly name: string;
  readonly isInside: boolean;
}

/** `<repository>/.<agent>/worktrees/<name>`, as several agents do, and `<repository>/.worktrees/<name>`, a common habit. */
const INSIDE = /^(.*?[^/\\])[/\\]\.(?:[\w-]+[/\\])?worktrees[/\\]/;

/** A home folder is not a repository; worktrees in an agent's folder there come from many repositories. */
const HOME = /^(?:[A-Za-z]:)?(?:[/\\](?:home|Users)[/\\][^/\\]+|[/\\]root)$/;

/**
 * Undefined for a path that does not look like a worktree. `layouts`: of the worktrees that agents keep in their own
 * homes; the group `name` is the repository's folder name.
 */
export function findWorktreePlace(path: string, layouts: readonly RegExp[]): WorktreePlace | undefined {
  const outside = layouts.map((layout) => layout.exec(path)).find((match) => match !== null);
  if (outside) return { root: outside[0], name: outside.groups?.name ?? '', isInside: false };
  const [, repository] = INSIDE.exec(path) ?? [];
  if (repository === undefined || HOME.test(repository)) return undefined;
  return { root: repository, name: repository.split(/[/\\]/).at(-1) ?? repository, isInside: true };
}
