/** The product's command line in the throw-away home of a client. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');

export type ProductCli = (...args: readonly string[]) => Promise<unknown>;

/** Asked for the home at each call: the rig makes it when a run begins. */
export function makeProductCli(
  findHome: () => string,
  findMore: () => Readonly<Record<string, string>> = () => ({}),
): ProductCli {
  return async (...args) => {
    const home = findHome();
    const env = { HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), PATH: process.env.PATH ?? '', ...findMore() };
    return JSON.parse((await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], { env })).stdout);
  };
}
