/** Node and the data directory. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { isNodeNewEnough, NEEDED_NODE } from '../../is-node-new-enough.ts';
import type { CommandInput } from '../command.ts';
import type { Check } from './check.ts';

export function checkFiles({ home }: CommandInput): readonly Check[] {
  return [checkNode(process.versions.node), checkFolder(home.dir)];
}

function checkNode(version: string): Check {
  if (isNodeNewEnough(version)) return { name: 'Node', state: 'ok', detail: `version ${version}` };
  return { name: 'Node', state: 'bad', detail: `version ${version}`, next: `use Node ${NEEDED_NODE} or newer` };
}

function checkFolder(dir: string): Check {
  const name = 'data directory';
  if (!existsSync(dir))
    return { name, state: 'advice', detail: `${dir} is not there yet`, next: 'run: oncebitten start' };
  if (!statSync(dir).isDirectory())
    return { name, state: 'bad', detail: `${dir} is no folder`, next: 'name another one with --home' };
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name, state: 'ok', detail: dir };
  } catch {
    return { name, state: 'bad', detail: `${dir} cannot be written`, next: 'make it yours: chown and chmod u+rwx' };
  }
}
