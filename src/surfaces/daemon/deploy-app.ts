/**
 * Puts the bundles into the data directory and writes the shim, so that a moved clone, an updated package or a changed
 * node does not break the hooks that agents have installed.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeId } from '../../base/ids.ts';
import type { DataHome } from '../data-home.ts';
import { renderShim } from '../hook/render-shim.ts';
import { findPackageRoot, readBuildVersion } from '../package-root.ts';
import { writeOwnFile } from '../write-own-file.ts';

export interface DeployedApp {
  readonly version: string;
  readonly dir: string;
}

const BASHES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];

export function deployApp(home: DataHome): DeployedApp {
  const dist = join(findPackageRoot(), 'dist');
  const version = readBuildVersion(dist);
  const dir = join(home.appDir, version);
  if (!existsSync(join(dir, 'build.json'))) copyWhole(dist, dir);
  const found = BASHES.find((file) => existsSync(file));
  const bash = found === undefined ? '/usr/bin/env bash' : `${found} -p`;
  writeOwnFile(home.hookFile, renderShim({ bash, node: process.execPath, dataDir: home.dir, app: dir }), 0o700);
  chmodSync(home.hookFile, 0o700);
  return { version, dir };
}

/** All or nothing: a folder that exists is complete. */
function copyWhole(from: string, to: string): void {
  const draft = `${to}.${makeId('out', Date.now())}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  cpSync(from, draft, { recursive: true });
  try {
    renameSync(draft, to);
  } catch {
    // Another process was first with the same bytes.
    rmSync(draft, { recursive: true, force: true });
  }
}
