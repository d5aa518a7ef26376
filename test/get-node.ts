/**
 * A real Node of another major version, for tests of what runs on old ones. Found on this machine, or taken from npm's
 * registry into `node_modules/.cache` once. A reason instead where it cannot be had.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../node_modules/.cache/oncebitten-nodes');
const PATIENCE_MS = 180_000;

export type FoundNode = { readonly node: string } | { readonly missing: string };

export function getNode(major: number): FoundNode {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(CACHE, String(major));
  const node = join(folder, 'node_modules', name, 'bin/node');
  const found = [node, '/usr/bin/node', '/usr/local/bin/node'].find((file) => isMajor(file, major));
  if (found !== undefined) return { node: found };
  mkdirSync(CACHE, { recursive: true });
  // Beside it, then moved into place: another test file may bring the same one at the same time.
  const draft = mkdtempSync(`${folder}-`);
  // One quick second try: without a network npm would wait for minutes.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=1000'];
  const args = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', ...patience, '--prefix', draft];
  const { status, stderr } = spawnSync('npm', [...args, `${name}@${major}`], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: withoutNpm(process.env),
  });
  try {
    if (status === 0) renameSync(draft, folder);
  } catch {
    // The other one was first.
  }
  rmSync(draft, { recursive: true, force: true });
  if (isMajor(node, major)) return { node };
  return { missing: `npm could not bring ${name}@${major}: ${stderr.trim().split('\n').at(-1) ?? 'no answer'}` };
}

/** Without what npm gives to scripts: it would install beside ours. Proxies and certificates of this machine stay. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}

function isMajor(file: string, major: number): boolean {
  return existsSync(file) && spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.startsWith(`v${major}.`);
}
