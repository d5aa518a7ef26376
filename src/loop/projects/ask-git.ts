/** Asks git a question about a folder, without letting the repository or the session's variables choose a program. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

const PATIENCE_MS = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Keeps git from running programs that the repository's own configuration names. */
const SAFE_GIT = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const;

/** Whether git would show a file to others: `ignored`, `visible`, or undefined where git or a repository is missing. */
export function findGitState(file: string): 'ignored' | 'visible' | undefined {
  const { status } = askGit(dirname(file), ['check-ignore', '-q', '--', basename(file)]);
  if (status === 0) return 'ignored';
  return status === 1 ? 'visible' : undefined;
}

/** Variables such as `GIT_DIR` and `GIT_CONFIG_COUNT` would lead to another repository, or add configuration. */
export function askGit(folder: string, args: readonly string[], timeoutMs = PATIENCE_MS): SpawnSyncReturns<Buffer> {
  return spawnSync('git', [...SAFE_GIT, '-C', folder, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
    maxBuffer: MAX_BYTES,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  });
}
