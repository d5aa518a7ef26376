/**
 * Finds a Node on this machine for the command line and the daemon, with `find-node`, the script that the shim uses
 * too, and decides whether a version is new enough. This file is bundled into the launchers, which run on Node 18.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

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

/** The Node that the command line and the daemon need: the first with a stable `node:sqlite`. */
const NEEDED = [22, 18] as const;

export const NEEDED_NODE = NEEDED.join('.');
/** The hook and the launchers run on any Node from this one on. */
export const OLDEST_NODE = '18';

export function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}
