/** What the daemon's main thread knows from the store, which it never opens. The worker thread sends it whole. */
import type { CuredFailure } from './cure.ts';

export interface Knowledge {
  /** Only failures whose cures may be shown. */
  readonly cures: readonly CuredFailure[];
}
