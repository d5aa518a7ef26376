/**
 * Copies the bundles into the data directory and writes the scripts that start them: `bin/hook`, which agents run, and
 * `bin/oncebitten`, the command line. Both work after the package folder is moved or deleted. Both record the current Node
 * and search for another one if it is gone.
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
import { basename, dirname, join, relative, sep } from 'node:path';
import { makeId } from '../../base/ids.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { findDist, readBuildVersion } from '../../loop/home/program-files.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { readShim, renderPlaces, renderShim, type ShimFacts } from '../hook/render-shim.ts';
import { renderCmdCommand, renderCmdShim, renderPowerShellShim } from '../hook/render-windows-shims.ts';
import { FIND_NODE, findBash, NEEDED_NODE } from '../launch/find-node.ts';

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
 * The current Node. A clone brings its own Node, often the only one that is new enough, so it is kept in the data directory
 * as a hard link or a copy that shares its blocks. If the file system can do neither, the Node stays where it is.
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

/** The recorded paths that were wrong and have been replaced. */
interface MendedStarters {
  /** The previous path of the data directory. */
  readonly movedFrom?: string;
  readonly goneNode?: string;
  readonly goneApp?: string;
}

/**
 * Writes the start scripts again if a path in them is wrong: the data directory was moved, the Node is gone, or the
 * bundles are gone and this process runs from others in the data directory.
 */
export function mendStarters(home: DataHome): MendedStarters {
  const shim = existsSync(home.hookFile) ? readShim(home.hookFile) : undefined;
  if (shim === undefined) return {};
  const movedFrom = findMove(home);
  const hasMoved = movedFrom !== undefined;
  const toPlace = (path: string) =>
    hasMoved && path.startsWith(`${shim.dataDir}${sep}`) ? join(home.dir, path.slice(shim.dataDir.length)) : path;
  const [app, node, dist] = [toPlace(shim.app), toPlace(shim.node), findDist()];
  const isNodeGone = !isExecutable(node);
  const isAppGone = !existsSync(join(app, 'hook.cjs')) && isSameFile(dirname(dist), home.appDir);
  if (!hasMoved && !isNodeGone && !isAppGone) return {};
  writeStarters(home, {
    app: isAppGone ? join(home.appDir, basename(dist)) : app,
    node: isNodeGone ? process.execPath : node,
  });
  return {
    ...(hasMoved ? { movedFrom } : {}),
    ...(isNodeGone ? { goneNode: node } : {}),
    ...(isAppGone ? { goneApp: app } : {}),
  };
}

/** The previous path of the data directory, from the hook file. Undefined if it did not move. */
export function findMove(home: DataHome): string | undefined {
  const shim = existsSync(home.hookFile) ? readShim(home.hookFile) : undefined;
  return shim === undefined || isSameFile(shim.dataDir, home.dir) ? undefined : shim.dataDir;
}

/** True for two names of one file, through links. False if one does not exist. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function writeStarters(home: DataHome, parts: Pick<ShimFacts, 'app' | 'node'>): void {
  const found = findBash();
  const bash = found === undefined ? '/usr/bin/env bash' : `${found} -p`;
  const facts = { bash, dataDir: home.dir, ...parts };
  // On Windows the bash scripts serve Git Bash, and `readShim`.
  const forWindows = [
    [`${home.hookFile}.ps1`, renderPowerShellShim(facts)],
    [`${home.hookFile}.cmd`, renderCmdShim(facts)],
    [`${home.commandFile}.cmd`, renderCmdCommand(facts)],
  ] as const;
  for (const [file, text] of [
    [home.hookFile, renderShim(facts)],
    [home.commandFile, renderCommand(facts)],
    [home.programFile, renderProgram(home, parts.app)],
    ...(process.platform === 'win32' ? forWindows : []),
  ] as const) {
    writeOwnFile(file, text, 0o700);
    chmodSync(file, 0o700);
  }
}

/** By a path that stays right when the data directory is moved. */
function renderProgram({ programFile }: DataHome, app: string): string {
  const path = relative(dirname(programFile), join(app, 'program.mjs')).replaceAll(sep, '/');
  return `// Oncebitten's program in an agent's own process. Generated.\nexport * from ${JSON.stringify(path)};\n`;
}

/** Lets a user run `doctor` or `uninstall` after deleting the package folder. */
function renderCommand({ bash, ...places }: ShimFacts): string {
  return `#!${bash}
# Oncebitten's command line, run from its own copy in the data directory. Generated.
${renderPlaces(places)}
if [ ! -e "$app/cli.mjs" ]; then
  echo "oncebitten: its programs are no longer in $app" >&2
  echo "  next: install Oncebitten again from a clone or a package" >&2
  exit 1
fi
[ -x "$node" ] || node=$("$BASH" -p "$app/${FIND_NODE}" ${NEEDED_NODE} '' "$PWD" </dev/null) || {
  echo "oncebitten: found no Node ${NEEDED_NODE} or newer on this machine" >&2
  echo "  next: install Node ${NEEDED_NODE} or newer, then run the command again" >&2
  exit 1
}
ONCEBITTEN_HOME=$home exec "$node" "$app/cli.mjs" "$@"
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
    // Another process has already copied the same bytes.
    rmSync(draft, { recursive: true, force: true });
  }
}
