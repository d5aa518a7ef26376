/**
 * `daemon.cjs`: what a hook starts. A hook runs on any Node from 18, the daemon does not: where this Node is too old, the
 * daemon gets a newer one of this machine. Where there is none, that is noted as a fault, which `doctor` and the start of
 * the next session tell; lessons are still delivered, because hooks need no daemon for that.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import type { DaemonFault } from '../../loop/home/daemon-fault.ts';
import { toDataHome } from '../../loop/home/data-home.ts';
import { findNode, isNodeNewEnough, NEEDED_NODE } from './find-node.ts';

const script = join(__dirname, 'daemon.mjs');
const args = process.argv.slice(2);

function main(): void {
  if (process.env[CHILD_VARIABLE] === '1') return;
  if (isNodeNewEnough(process.versions.node)) {
    void import(pathToFileURL(script).href);
    return;
  }
  // Where the session works: the hook puts it there, because the daemon itself starts in the data directory.
  const node = findNode(__dirname, process.env.PWD ?? '/');
  if (node === undefined) noteOldNode(args[args.indexOf('--home') + 1] ?? '');
  else spawn(node, [script, ...args], { detached: true, stdio: 'ignore' }).unref();
}

function noteOldNode(dataDir: string): void {
  const { troubleFile } = toDataHome(dataDir);
  const trouble: DaemonFault = {
    topic: 'node',
    since: findSince(troubleFile) ?? new Date().toISOString(),
    text: `found no Node ${NEEDED_NODE} or newer, only ${process.versions.node}. Lessons are still delivered, but nothing new is learned.`,
    next: `install Node ${NEEDED_NODE} or newer from https://nodejs.org or with your version manager; the next hook finds it by itself`,
  };
  mkdirSync(dirname(troubleFile), { recursive: true, mode: 0o700 });
  writeFileSync(troubleFile, `${JSON.stringify([trouble], null, 2)}\n`, { mode: 0o600 });
}

function findSince(file: string): string | undefined {
  try {
    const [first] = JSON.parse(readFileSync(file, 'utf8')) as readonly DaemonFault[];
    return first?.topic === 'node' ? first.since : undefined;
  } catch {
    return undefined;
  }
}

main();
