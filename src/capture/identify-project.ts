/**
 * Which project a working directory belongs to: the same in every clone, worktree and sub-directory. It runs in the
 * hook: a few small reads, and whatever cannot be read leads to the next best answer, never to an error.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { hashText } from '../base/hash.ts';
import type { Project } from '../base/session.ts';
import { toRemoteName } from './to-remote-name.ts';

const MAX_PARENTS = 64;

export function identifyProject(cwd: string): Project {
  // Resolving anything else would lead to our own working directory.
  if (!isAbsolute(cwd)) return toProject('path', cwd, basename(cwd) || 'unknown', cwd);
  const start = toRealPath(cwd);
  const git = findGit(start);
  if (git === undefined) return toProject('path', start, basename(start) || start, start);
  const remote = findOrigin(join(git.commonDir, 'config'));
  if (remote !== undefined) {
    const name = toRemoteName(remote, git.root);
    return toProject('remote', name, basename(name), git.root);
  }
  const commonDir = toRealPath(git.commonDir);
  const home = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return toProject('git-dir', commonDir, basename(home), git.root);
}

function toProject(basis: Project['basis'], key: string, name: string, root: string): Project {
  return { id: `prj_${hashText(`${basis}:${key}`)}`, name, basis, root };
}

interface Git {
  readonly root: string;
  /** Shared by all worktrees of a clone. */
  readonly commonDir: string;
}

/** Parents count even when the directory itself is gone: a removed worktree inside a clone still belongs to it. */
function findGit(start: string): Git | undefined {
  let root = start;
  for (let i = 0; i < MAX_PARENTS; i++) {
    const commonDir = findCommonDir(join(root, '.git'));
    if (commonDir !== undefined) return { root, commonDir };
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  return undefined;
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
function findCommonDir(dotGit: string): string | undefined {
  if (isFolder(dotGit)) return dotGit;
  const gitDir = /^gitdir:\s*(.+?)\s*$/m.exec(findFile(dotGit) ?? '')?.[1];
  if (gitDir === undefined) return undefined;
  const folder = resolve(dirname(dotGit), gitDir);
  const common = findFile(join(folder, 'commondir'))?.trim();
  if (common) return resolve(folder, common);
  // A worktree whose clone cannot be seen from here (another machine's path, a container) still names it.
  return isFolder(folder) ? folder : folder.replace(/[/\\]worktrees[/\\][^/\\]+$/, '');
}

function findOrigin(config: string): string | undefined {
  let isOrigin = false;
  for (const line of (findFile(config) ?? '').split('\n')) {
    const section = /^\s*\[(.+?)\]/.exec(line)?.[1];
    if (section !== undefined) isOrigin = /^remote\s+"origin"$/i.test(section.trim());
    const url = isOrigin ? /^\s*url\s*=\s*"?([^"]+?)"?\s*$/i.exec(line)?.[1] : undefined;
    if (url !== undefined) return url;
  }
  return undefined;
}

function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path.replace(/(?<=.)[/\\]+$/, '');
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function findFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
