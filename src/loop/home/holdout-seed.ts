/**
 * The random seed of the holdout. It is created once per data directory and kept, so that compiling does not change
 * which sessions a lesson is withheld from. It is not secret.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAME = 'holdout-seed';
const SEED = /^[0-9a-z]{8,64}$/;

/** Undefined if the seed can be neither read nor written; then no lesson is withheld. */
export function readSeed(manifestFile: string): string | undefined {
  const file = join(dirname(manifestFile), NAME);
  const seed = readSeedFile(file);
  if (seed !== undefined) return seed;
  // The file is empty, because the disk was full when it was written.
  rmSync(file, { force: true });
  return makeSeedFile(file) ? readSeedFile(file) : undefined;
}

function readSeedFile(file: string): string | undefined {
  try {
    const seed = readFileSync(file, 'utf8').trim();
    return SEED.test(seed) ? seed : undefined;
  } catch {
    return undefined;
  }
}

/** Only the first of two concurrent compilers creates the file, so that both use the same seed. */
function makeSeedFile(file: string): boolean {
  const seed = Array.from({ length: 2 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, '0')).join('');
  try {
    writeFileSync(file, `${seed}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}
