/** A failed call that is remembered by its exact form, so that an agent can be warned before it makes the same call. */

export interface RememberedCall {
  readonly agent: string;
  readonly sessionId: string;
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
  /** The latest so many. */
  readonly limit: number;
}
