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
