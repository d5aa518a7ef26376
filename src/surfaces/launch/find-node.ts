/**
 * Looks for a Node on this machine with `find-node`, the script that the shim uses too. It is bundled into the launchers,
 * which run on Node 18.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NEEDED_NODE } from '../is-node-new-enough.ts';

const BASHES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
const PATIENCE_MS = 10_000;

/** Name of the script beside the bundles. */
export const FIND_NODE = 'find-node';

/** Undefined where bash is in none of the usual places. */
export function findBash(): string | undefined {
  return BASHES.find((file) => existsSync(file));
}

/**
 * A Node that the command line and the daemon can run on. `dist` has the script, `folder` is where the session works: a
 * Node of that project is not taken.
 */
export function findNode(dist: string, folder: string): string | undefined {
  const args = ['-p', join(dist, FIND_NODE), NEEDED_NODE, '', folder];
  const { status, stdout } = spawnSync(findBash() ?? 'bash', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
  });
  return status === 0 && stdout !== '' ? stdout.trimEnd() : undefined;
}
