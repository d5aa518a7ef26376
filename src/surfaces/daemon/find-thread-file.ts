/** Where a thread's program is: among the bundles, or the source when run from source. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = { worker: '../daemon/worker-main.ts', reader: '../scan/reader-main.ts' } as const;

/** `worker`: `worker.mjs` beside the bundle or above its chunks, else the source. */
export function findThreadFile(name: keyof typeof SOURCES): string {
  const here = import.meta.dirname;
  const built = [here, dirname(here)].map((dir) => join(dir, `${name}.mjs`)).find((file) => existsSync(file));
  return built ?? join(here, SOURCES[name]);
}
