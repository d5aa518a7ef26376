/** What the daemon's main thread knows from the store, which it never opens. The worker thread sends it whole. */
import type { CuredFailure } from './cure.ts';
import type { RememberedCall } from './remembered-call.ts';

export interface Knowledge {
  /** Only failures whose cures may be shown. */
  readonly cures: readonly CuredFailure[];
  /** Only calls that an agent may be warned of. */
  readonly remembered: readonly KnownCall[];
}

/** A remembered call whose cause is known. Joined projects have one id. */
export interface KnownCall extends RememberedCall, Pick<CuredFailure, 'lessons' | 'withheld'> {
  readonly signatureId: string;
  readonly cause: string;
}
