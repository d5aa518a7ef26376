/**
 * Where coding agents and people put worktrees. A worktree that was removed leaves nothing to read, but its path may tell
 * where its repository was, or at least what it was called.
 */

interface WorktreePlace {
  /** Of the repository where the worktree was inside it; else of the worktree. */
  readonly root: string;
  /** The repository's folder name. */
  readonly name: string;
  readonly isInside: boolean;
}

/**
 * `<repository>/.claude/worktrees/<name>` (Claude Code; Gemini CLI and others have a folder of their own name) and
 * `<repository>/.worktrees/<name>`, a common habit.
 */
const INSIDE = /^(.*?[^/\\])[/\\]\.(?:[\w-]+[/\\])?worktrees[/\\]/;

/** A home folder is no repository: what is in its `.codex/worktrees` comes from many. */
const HOME = /^(?:[A-Za-z]:)?(?:[/\\](?:home|Users)[/\\][^/\\]+|[/\\]root)$/;

/** In the agent's own home, with the repository's name. Codex: `<id>/<name>`; Cursor: `<name>/<id>`. */
const OUTSIDE: readonly RegExp[] = [
  /^.*[/\\]\.codex[/\\]worktrees[/\\][^/\\]+[/\\](?<name>[^/\\]+)/,
  /^.*[/\\]\.cursor[/\\]worktrees[/\\](?<name>[^/\\]+)[/\\][^/\\]+/,
];

/** Undefined for a path that does not look like that of a worktree. */
export function findWorktreePlace(path: string): WorktreePlace | undefined {
  const outside = OUTSIDE.map((layout) => layout.exec(path)).find((match) => match !== null);
  if (outside) return { root: outside[0], name: outside.groups?.name ?? '', isInside: false };
  const [, repository] = INSIDE.exec(path) ?? [];
  if (repository === undefined || HOME.test(repository)) return undefined;
  return { root: repository, name: repository.split(/[/\\]/).at(-1) ?? repository, isInside: true };
}
