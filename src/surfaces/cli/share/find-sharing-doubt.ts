/** Why sharing into a folder would reach nobody: git does not see it. Undefined when it does. */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { SAFE_GIT } from '../../install/find-git-state.ts';

const PATIENCE_MS = 2_000;

export function findSharingDoubt(root: string, file: string): string | undefined {
  const { status, error } = spawnSync(
    'git',
    [...SAFE_GIT, '-C', root, 'check-ignore', '-q', '--', relative(root, file)],
    {
      stdio: 'ignore',
      timeout: PATIENCE_MS,
    },
  );
  if (error !== undefined) return 'git does not answer here';
  if (status === 0) return `git ignores ${relative(root, file)}`;
  return status === 1 ? undefined : `${root} is not a git work tree`;
}
