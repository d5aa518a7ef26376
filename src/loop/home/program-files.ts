/**
 * Finds Oncebitten's own program files: the folder of the bundles, the package folder, the build version and the files
 * of worker threads. The bundles are in `dist` of the package (a clone or an installed one) or in the copy in the data
 * directory, which has no package.json and no samples.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../base/errors.ts';

/** The folder of the bundles: `dist` of the package, or `app/<version>` of a data directory. */
export function findDist(): string {
  for (let dir = import.meta.dirname; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, 'build.json'))) return dir;
    if (existsSync(join(dir, 'package.json'))) return join(dir, 'dist');
  }
  throw new UserError({
    subject: 'Oncebitten',
    reason: 'its own package folder is gone',
    next: 'install it again, then run the command once more',
  });
}

/** The folder of package.json and the samples. The copy in a data directory has neither. */
export function findPackageRoot(): string {
  return dirname(findDist());
}

/** Version and build hash of the bundles in `dist`, which distinguishes two builds of one version. */
export function readBuildVersion(dist = findDist()): string {
  try {
    return (JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')) as { version: string }).version;
  } catch (cause) {
    throw new UserError({
      subject: join(dist, 'build.json'),
      reason: 'the bundles are not built',
      next: 'run `npm run build`',
      cause,
    });
  }
}

const SOURCES = {
  worker: '../../surfaces/daemon/worker-main.ts',
  http: '../../surfaces/http/http-main.ts',
  reader: '../scan/reader-main.ts',
} as const;

/**
 * Where a thread's program is: among the bundles, or the source when run from source. `worker`: `worker.mjs` beside
 * the bundle or above its chunks, else the source.
 */
export function findThreadFile(name: keyof typeof SOURCES): string {
  const here = import.meta.dirname;
  const built = [here, dirname(here)].map((dir) => join(dir, `${name}.mjs`)).find((file) => existsSync(file));
  return built ?? join(here, SOURCES[name]);
}
