/** What the daemon's main thread knows from the store, which it never opens. The worker thread sends it whole. */
import type { CuredFailure } from './cure.ts';
import type { SessionKey } from './session.ts';

export interface Knowledge {
  /** Only failures whose cures may be shown. */
  readonly cures: readonly CuredFailure[];
  /** Only calls that an agent may be warned of. */
  readonly remembered: readonly KnownCall[];
}

/** A failed call that is remembered by its exact form, so that an agent can be warned before it makes the same call. */
export interface RememberedCall extends SessionKey {
  readonly projectId: string;
  readonly callId: string;
  /** The exact form of the call, see `exact-call.ts`. */
  readonly exactKey: string;
  /** The things that the call needs, as hashes, see `changed-things.ts`. */
  readonly needs: readonly string[];
  /** When it failed. */
  readonly at: string;
  /** The signature and the cause line of the failure, as the stored call has them now. */
  readonly signatureId?: string;
  readonly cause?: string;
}

export interface RememberedFilter {
  /** Joined ids are included. */
  readonly projectIds?: readonly string[];
  /** The maximum number of calls; the latest ones are returned. */
  readonly limit: number;
}

/** A remembered call whose cause is known. Joined projects have one id. */
export interface KnownCall extends RememberedCall, Pick<CuredFailure, 'lessons' | 'withheld'> {
  readonly signatureId: string;
  readonly cause: string;
}
