/**
 * Puts the bundles into the data directory and writes what starts them there: `bin/hook`, which agents run, and
 * `bin/oncebitten`, the command line. So neither needs the folder that they were installed from: it may be moved or
 * deleted. Both record the Node that runs now and look for another one when it is gone.
 */
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
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
  writeStarters(home, { app: dir, node: keepNode(home, dirname(dist)) });
  return { version, dir };
}

/**
 * The Node that runs now. A clone brings its own, and many machines have no other that is new enough: so that one is kept
 * in the data directory, as a second name of the same file or a copy that shares its blocks, which takes no room. Where
 * the file system can do neither, the Node stays where it is.
 */
function keepNode({ nodeDir }: DataHome, packageRoot: string): string {
  const { execPath, version } = process;
  if (!execPath.startsWith(`${packageRoot}${sep}`)) return execPath;
  const kept = join(nodeDir, version, 'node');
  if (existsSync(kept) && statSync(kept).size === statSync(execPath).size) return kept;
  const draft = `${kept}.${makeId('out', Date.now())}`;
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
  for (const keep of [linkSync, (from: string, to: string) => copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE)])
    try {
      keep(execPath, draft);
      renameSync(draft, kept);
      for (const other of readdirSync(nodeDir).filter((name) => name !== version))
        rmSync(join(nodeDir, other), { recursive: true, force: true });
      return kept;
    } catch {
      rmSync(draft, { force: true });
    }
  rmSync(dirname(kept), { recursive: true, force: true });
  return execPath;
}

/**
 * Writes the starters again where the Node that they record is gone and this process runs on another one. False where
 * nothing is to be done.
 */
export function mendStarters(home: DataHome): boolean {
  const shim = existsSync(home.hookFile) ? readShim(home.hookFile) : undefined;
  if (shim === undefined || isExecutable(shim.node)) return false;
  writeStarters(home, { app: shim.app, node: process.execPath });
  return true;
}

function writeStarters(home: DataHome, parts: Pick<ShimFacts, 'app' | 'node'>): void {
  const found = findBash();
  const bash = found === undefined ? '/usr/bin/env bash' : `${found} -p`;
  const facts = { bash, dataDir: home.dir, ...parts };
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
