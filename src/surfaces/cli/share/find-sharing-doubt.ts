/** Why sharing into a folder would reach nobody: git does not see it. Undefined when it does. */
import { relative } from 'node:path';
import { askGit } from '../../install/find-git-state.ts';

export function findSharingDoubt(root: string, file: string): string | undefined {
  const { status, error } = askGit(root, ['check-ignore', '-q', '--', relative(root, file)]);
  if (error !== undefined) return 'git does not answer here';
  if (status === 0) return `git ignores ${relative(root, file)}`;
  return status === 1 ? undefined : `${root} is not a git work tree`;
}
