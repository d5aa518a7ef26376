#!/usr/bin/env node
/**
 * `oncebitten.cjs`: what `oncebitten` on the PATH runs. `env node` finds whatever Node comes first there. Where that one
 * is too old, the command runs with the Node that came with the clone, or with a newer one of this machine.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, isNodeNewEnough, NEEDED_NODE } from './find-node.ts';

const script = join(__dirname, 'cli.mjs');

function main(): void {
  if (isNodeNewEnough(process.versions.node)) {
    // As if it had been called itself.
    process.argv[1] = script;
    void import(pathToFileURL(script).href);
    return;
  }
  const own = join(__dirname, '../node_modules/node/bin/node');
  const node = existsSync(own) ? own : findNode(__dirname, process.cwd());
  if (node === undefined) {
    console.error(`oncebitten: Node ${process.versions.node} (${process.execPath}) is too old, and no newer Node was found on this machine
  next: install Node ${NEEDED_NODE} or newer from https://nodejs.org or with your version manager, then run the command again`);
    process.exitCode = 1;
    return;
  }
  const { status, error } = spawnSync(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (error !== undefined) console.error(`oncebitten: ${node} does not start (${error.message})`);
  process.exitCode = status ?? 1;
}

main();
