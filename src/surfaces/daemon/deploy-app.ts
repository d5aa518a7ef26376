/**
 * Puts the bundles into the data directory and writes what starts them there: `bin/hook`, which agents run, and
 * `bin/oncebitten`, the command line. So neither needs the folder that they were installed from: it may be moved or
 * deleted. Both record the Node that runs now and look for another one when it is gone.
 */
import { accessSync, chmodSync, constants, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeId } from '../../base/ids.ts';
import type { DataHome } from '../data-home.ts';
import { quote, readShim, renderShim, type ShimFacts } from '../hook/render-shim.ts';
import { NEEDED_NODE } from '../is-node-new-enough.ts';
import { FIND_NODE, findBash } from '../launch/find-node.ts';
import { findDist, readBuildVersion } from '../package-root.ts';
import { writeOwnFile } from '../write-own-file.ts';

export interface DeployedApp {
  readonly version: string;
  readonly dir: string;
}

export function deployApp(home: DataHome): DeployedApp {
  const dist = findDist();
  const version = readBuildVersion(dist);
  const dir = join(home.appDir, version);
  if (!existsSync(join(dir, 'build.json'))) copyWhole(dist, dir);
  writeStarters(home, dir);
  return { version, dir };
}

/**
 * Writes the starters again where the Node that they record is gone and this process runs on another one. False where
 * nothing is to be done.
 */
export function mendStarters(home: DataHome): boolean {
  const shim = existsSync(home.hookFile) ? readShim(home.hookFile) : undefined;
  if (shim === undefined || isExecutable(shim.node)) return false;
  writeStarters(home, shim.app);
  return true;
}

function writeStarters(home: DataHome, app: string): void {
  const found = findBash();
  const bash = found === undefined ? '/usr/bin/env bash' : `${found} -p`;
  const facts = { bash, node: process.execPath, dataDir: home.dir, app };
  for (const [file, text] of [
    [home.hookFile, renderShim(facts)],
    [home.commandFile, renderCommand(facts)],
  ] as const) {
    writeOwnFile(file, text, 0o700);
    chmodSync(file, 0o700);
  }
}

/** For who has deleted the folder that we were installed from, and wants `doctor` or `uninstall` all the same. */
function renderCommand({ bash, node, dataDir, app }: ShimFacts): string {
  return `#!${bash}
# Oncebitten's command line, run from its own copy in the data directory. Generated.
app=${quote(app)} node=${quote(node)}
[ -x "$node" ] || node=$("$BASH" -p "$app/${FIND_NODE}" ${NEEDED_NODE} '' "$PWD" </dev/null) || {
  echo "oncebitten: found no Node ${NEEDED_NODE} or newer on this machine" >&2
  echo "  next: install Node ${NEEDED_NODE} or newer, then run the command again" >&2
  exit 1
}
ONCEBITTEN_HOME=${quote(dataDir)} exec "$node" "$app/cli.mjs" "$@"
`;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
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
