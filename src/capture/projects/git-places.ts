/**
 * Finds facts about a folder in a git command and its output: the remote it was cloned from or pushes to, the
 * repository it is a worktree of, a commit made in it. For a folder that is gone, nothing else can identify its
 * project.
 */

import { isAbsolute, resolve } from 'node:path';
import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { findProgram, isListed, isProgram } from '../../base/shell/programs/find-program.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { parseRemoteName } from '../../base/text/remote-name.ts';

type GitPlace = { readonly folder: string } & (
  | { readonly remote: string; readonly isClone?: true }
  /** A folder of the repository that has `folder` as a worktree. */
  | { readonly worktreeOf: string }
  | { readonly commit: string; readonly isMade: boolean }
);

interface GitRun {
  readonly folder: string;
  readonly words: readonly string[];
  readonly output: string;
  readonly isSuccess: boolean;
}

type Reader = (run: GitRun) => readonly GitPlace[];

export function listGitPlaces(call: LiveCall): readonly GitPlace[] {
  const { tool, command = '', output = '', cwd } = call;
  if (tool !== 'shell' || cwd === undefined || !/\bgit\b/.test(command)) return [];
  const isSuccess = hasWorked(call);
  const found: GitPlace[] = [];
  let folder: string | undefined = cwd;
  for (const one of parseCall(call)) {
    if (isProgram(one.program, 'moves')) folder = toFolder(folder, one.args[0]?.value);
    if (one.program !== 'git' || folder === undefined) continue;
    const { at, words } = toGitWords(one, folder);
    const read = at === undefined ? undefined : READERS.get(words[0] ?? '');
    if (read !== undefined && at !== undefined) found.push(...read({ folder: at, words, output, isSuccess }));
  }
  return found;
}

/** Undefined if only the shell knows it. */
function toFolder(from: string | undefined, path: string | undefined): string | undefined {
  if (path === undefined || path === '' || /[$`*?~]|^-/.test(path)) return undefined;
  return isAbsolute(path) ? resolve(path) : from && resolve(from, path);
}

/** `git -C <folder> -c <setting> <words>`. */
function toGitWords(
  { args }: SimpleCommand,
  folder: string,
): { readonly at: string | undefined; readonly words: readonly string[] } {
  let at: string | undefined = folder;
  let i = 0;
  for (; args[i]?.value.startsWith('-'); i++) {
    const option = args[i]?.value;
    // The command works on another repository than that of the folder.
    if (/^--(?:git-dir|work-tree|bare)/.test(option ?? '')) at = undefined;
    if (option === '-C') at = toFolder(at, args[++i]?.value);
    else if (isListed(option ?? '', findProgram('git')?.near)) i++;
  }
  return { at, words: args.slice(i).map(({ value }) => value) };
}

/** Options whose value is a separate word. */
const VALUED: Readonly<Record<string, RegExp>> = {
  clone: /^(?:-[bocuj]|--(?:branch|origin|config|depth|reference|upload-pack|jobs|template|separate-git-dir))$/,
  worktree: /^(?:-[bB]|--reason)$/,
  push: /^(?:-o|--(?:push-option|receive-pack|exec|repo))$/,
  fetch: /^(?:-[oj]|--(?:depth|deepen|upload-pack|jobs|refmap|server-option))$/,
  pull: /^(?:-[osXj]|--(?:depth|strategy|strategy-option|upload-pack|jobs|server-option))$/,
};

function listPositional([name = '', ...words]: readonly string[]): readonly string[] {
  return words.filter((word, i) => !word.startsWith('-') && VALUED[name]?.test(words[i - 1] ?? '') !== true);
}

/** Without a name, git uses `origin` or the remote of the branch. */
const readTransfer: Reader = ({ folder, words, output }) => {
  const [named = 'origin'] = listPositional(words);
  if (named !== 'origin') return [];
  return toRemotes(
    folder,
    [...output.matchAll(/^(?:To|From) (\S+)$/gm)].map(([, remote]) => remote),
  );
};

const readRemote: Reader = ({ folder, words, output }) => {
  const isList = words.includes('-v') || words.includes('--verbose');
  const isUrl = words[1] === 'get-url' && words.at(-1) === 'origin' && !output.trim().includes('\n');
  if (isUrl) return toRemotes(folder, [output.trim()]);
  return isList
    ? toRemotes(
        folder,
        [...output.matchAll(/^origin\t(\S+) \(fetch\)$/gm)].map(([, remote]) => remote),
      )
    : [];
};

const readClone: Reader = ({ folder, words, isSuccess }) => {
  const [remote = '', named] = listPositional(words);
  const name = named ?? /([^/:]+?)(?:\.git)?\/*$/.exec(remote)?.[1];
  const made = toFolder(folder, name);
  if (!isSuccess || made === undefined) return [];
  return toRemotes(made, [remote], folder).map((place) => ({ ...place, isClone: true }));
};

const readWorktree: Reader = ({ folder, words, isSuccess }) => {
  const made = words[1] === 'add' ? toFolder(folder, listPositional(words)[1]) : undefined;
  return isSuccess && made !== undefined ? [{ folder: made, worktreeOf: folder }] : [];
};

/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`. */
const COMMITTED = /^\[[^\]\s]+(?: HEAD)? (?:\(root-commit\) )?([0-9a-f]{7,40})\] /gm;

const readCommit: Reader = ({ folder, output }) =>
  [...output.matchAll(COMMITTED)].flatMap(([, commit]) =>
    commit === undefined ? [] : [{ folder, commit, isMade: true }],
  );

/** `1a2b3c4 Subject` or `commit <hash>`, also after the lines of a graph. */
const LOGGED = /^[*|/\\\\ ]*(?:commit )?([0-9a-f]{7,40})(?: |$)/gm;
const MAX_LOGGED = 20;

/** A log of other branches or of one file still belongs to this repository. */
const readLog: Reader = ({ folder, output, isSuccess }) =>
  (isSuccess ? [...output.matchAll(LOGGED)].slice(0, MAX_LOGGED) : []).flatMap(([, commit]) =>
    commit === undefined || !/[a-f]/.test(commit) ? [] : [{ folder, commit, isMade: false }],
  );

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['push', readTransfer],
  ['pull', readTransfer],
  ['fetch', readTransfer],
  ['remote', readRemote],
  ['clone', readClone],
  ['worktree', readWorktree],
  ['commit', readCommit],
  ['log', readLog],
]);

/** With two remotes in one output, it is unclear which is this folder's. */
function toRemotes(
  folder: string,
  remotes: readonly (string | undefined)[],
  from: string = folder,
): readonly { readonly folder: string; readonly remote: string }[] {
  const names = new Set(remotes.flatMap((remote) => parseRemoteName(remote ?? '', from) ?? []));
  const [remote] = names;
  return remote !== undefined && names.size === 1 ? [{ folder, remote }] : [];
}
