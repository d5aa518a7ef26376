/**
 * What chance is drawn from when lessons are withheld: made once for a data home and kept, so that a session's answer stays
 * the same whenever lessons are compiled. Nobody's secret.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAME = 'holdout-seed';
const SEED = /^[0-9a-z]{8,64}$/;

/** Undefined when it can be neither read nor kept: then nothing is withheld. */
export function readSeed(manifestFile: string): string | undefined {
  const file = join(dirname(manifestFile), NAME);
  const seed = read(file);
  if (seed !== undefined) return seed;
  // Of no use to anybody: a full disk makes files without content.
  rmSync(file, { force: true });
  return make(file) ? read(file) : undefined;
}

function read(file: string): string | undefined {
  try {
    const seed = readFileSync(file, 'utf8').trim();
    return SEED.test(seed) ? seed : undefined;
  } catch {
    return undefined;
  }
}

/** Who is first makes it: two that compile at once must not have two. */
function make(file: string): boolean {
  const seed = Array.from({ length: 2 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, '0')).join('');
  try {
    writeFileSync(file, `${seed}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}
