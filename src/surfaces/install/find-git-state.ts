/** Whether git would show a file to others: `ignored`, `visible`, or undefined where git or a repository is missing. */
import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

const PATIENCE_MS = 2_000;
/** A repository's own configuration may name a program that git runs; we ask one question and start nothing else. */
export const SAFE_GIT = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const;

export function findGitState(file: string): 'ignored' | 'visible' | undefined {
  const { status } = spawnSync('git', [...SAFE_GIT, '-C', dirname(file), 'check-ignore', '-q', basename(file)], {
    stdio: 'ignore',
    timeout: PATIENCE_MS,
  });
  if (status === 0) return 'ignored';
  return status === 1 ? 'visible' : undefined;
}
