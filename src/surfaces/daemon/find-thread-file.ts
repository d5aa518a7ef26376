/** Where a thread's program is: among the bundles, or the source when run from source. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `worker`: `worker.mjs` beside the bundle or above its chunks, else `worker-main.ts`. */
export function findThreadFile(name: string): string {
  const here = import.meta.dirname;
  const built = [here, dirname(here)].map((dir) => join(dir, `${name}.mjs`)).find((file) => existsSync(file));
  return built ?? join(here, `${name}-main.ts`);
}
