/** Where our own package is: bundles, samples and the version are beside its package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../base/errors.ts';

export function findPackageRoot(): string {
  for (let dir = import.meta.dirname; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, 'package.json'))) return dir;
  }
  throw new UserError({
    subject: 'Oncebitten',
    reason: 'its own package folder is gone',
    next: 'install it again, then run the command once more',
  });
}

/** Version and build of the bundles in `dist`: two builds of one version are told apart. */
export function readBuildVersion(dist: string): string {
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
