/** One lesson shown (or deliberately withheld) at one call. */
import type { AttemptVerdict } from './attempts.ts';
import type { DeliveryMode } from './lesson.ts';

export type DeliveryOutcome = 'clean' | 'failed_anyway' | 'ignored' | 'incomplete';

/** What a session did of a lesson that is a list of things to do. Items by their number in the lesson, from 1. */
export interface DeliveryItems {
  readonly done: readonly number[];
  /** Tried, but no call of it worked. */
  readonly tried: readonly number[];
  /** Not done, or not yet; those that were tried are among them. */
  readonly open: readonly number[];
}

/** What became of the deliveries of one lesson that were shown at calls and could be judged. */
export interface TrackRecord {
  readonly lessonId: string;
  readonly judged: number;
  readonly clean: number;
  readonly lastCleanAt?: string;
  /** The mistake came all the same. */
  readonly lastFailedAt?: string;
}

export interface Delivery {
  readonly id: string;
  readonly kind: 'call' | 'session-start' | 'task';
  readonly lessonId: string;
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly callId: string;
  readonly mode: DeliveryMode;
  readonly arm: 'shown' | 'holdout';
  readonly score: number;
  readonly bytes: number;
  readonly latencyUs: number;
  readonly deliveredAt: string;
  /** Absent until judged. */
  readonly outcome?: DeliveryOutcome;
  readonly outcomeAt?: string;
}

/** A delivery as the store gives it back: with what came after it. */
export interface StoredDelivery extends Delivery {
  /** The verdict by the rules of an older version. It does not count, but the lesson's confidence moved by it. */
  readonly oldOutcome?: AttemptVerdict;
  /** Later calls of its intent in its context that failed before one worked; absent until one was made. */
  readonly failingAttempts?: number;
  /** When one worked; absent until then, as are the calls and seconds that it took from the delivery on. */
  readonly successAt?: string;
  readonly callsToSuccess?: number;
  readonly secondsToSuccess?: number;
  /** Read anew and written; absent where the agent records none. */
  readonly tokensToSuccess?: number;
  /** How many other lessons that matched the call had no room; absent where all had. */
  readonly noRoom?: number;
  /** Of a procedure: what was done of it so far. Items that calls cannot show are in none of the lists. */
  readonly items?: DeliveryItems;
}
