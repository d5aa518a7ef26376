/** The same command with the Node that came with a clone: the one on the PATH may be too old for us. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Its exit code. Undefined where none came along. */
export function runWithOwnNode(packageRoot: string, args: readonly string[]): number | undefined {
  const node = join(packageRoot, 'node_modules/node/bin/node');
  if (!existsSync(node)) return undefined;
  const { status, error } = spawnSync(node, args, { stdio: 'inherit' });
  // A Node for another machine, or half of one.
  return error === undefined ? (status ?? 1) : undefined;
}
