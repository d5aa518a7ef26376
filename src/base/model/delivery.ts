/**
 * A delivery (one lesson shown, or withheld on purpose, at one call or at a session's start) and the shapes around it:
 * later attempts and the verdict that follows from them, missed opportunities, and the texts that were added to a
 * conversation. The verdict follows from the set of attempts, so their order does not matter and an attempt reported
 * twice counts once.
 */

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

/** Deliveries as they are asked for in numbers: by `stats`, and by whoever looks for the one that a person means. */
export interface DeliveryQuery {
  readonly agent?: string;
  /** Any id of a joined project stands for all of them. */
  readonly projectIds?: readonly string[];
  readonly lessonId?: string;
  readonly sessionId?: string;
  /** The beginning of an id. */
  readonly idPrefix?: string;
  readonly arm?: Delivery['arm'];
  /** From this time on. */
  readonly since?: string;
}

/** With the project of its call, else of its session; a joined project is the one that it was joined into. */
export interface PlacedDelivery extends StoredDelivery {
  readonly projectId?: string;
}

/**
 * The calls that a delivery could still change: later calls of the same intent in the same context. The verdict on a
 * delivery and its figures follow from the set of them, so the order in which they are reported does not matter, and an
 * attempt that is reported twice counts once.
 */
export type AttemptVerdict = 'clean' | 'ignored' | 'failed_anyway';

export interface Attempt {
  readonly callId: string;
  /** When the call ended, as far as that is known. */
  readonly at: string;
  readonly verdict: AttemptVerdict;
  readonly outcome: 'worked' | 'failed';
  /** A call that the lesson warns of worked, so a clean attempt is no evidence for the lesson. */
  readonly isRefuting?: true;
}

/** `first`: a retry decides. `every`: each later attempt counts, because a note reaches the agent before all of them. */
export type AttemptRule = 'first' | 'every';

export interface AttemptSummary {
  readonly outcome: AttemptVerdict;
  /** The end of the attempt that decided. */
  readonly outcomeAt: string;
  /** The failure that the lesson is about came again. */
  readonly again: boolean;
  /** The first attempt failed, for whatever cause. */
  readonly failed: boolean;
  /** A clean verdict that speaks for the lesson. */
  readonly isEarned: boolean;
  /** Attempts that failed for whatever cause, up to the first that worked. */
  readonly failingAttempts: number;
  /** The first attempt that worked. */
  readonly successAt?: string;
  /** All attempts up to that one. */
  readonly attemptsToSuccess?: number;
}

/** A retry that we asked for, or a corrected call, decides at once; a note is judged by all that came after it. */
export function toAttemptRule(mode: DeliveryMode, isAboutAction: boolean): AttemptRule {
  return mode === 'note' && !isAboutAction ? 'every' : 'first';
}

/** Keeps what the summary needs: attempts up to the first that worked, and of later ones only repeated mistakes. */
export function mergeAttempts(known: readonly Attempt[], added: readonly Attempt[]): readonly Attempt[] {
  const byCall = new Map([...added, ...known].map((attempt) => [attempt.callId, attempt]));
  const all = [...byCall.values()].sort((a, b) => compare(a.at, b.at) || compare(a.callId, b.callId));
  const success = all.findIndex(({ outcome }) => outcome === 'worked');
  return success === -1 ? all : all.filter(({ verdict }, n) => n <= success || verdict !== 'clean');
}

/** Undefined without an attempt. `attempts` as `mergeAttempts` gives them. */
export function sumAttempts(attempts: readonly Attempt[], rule: AttemptRule): AttemptSummary | undefined {
  const [first] = attempts;
  if (first === undefined) return undefined;
  const judging = rule === 'first' ? [first] : attempts;
  const bad = judging.filter(({ verdict }) => verdict !== 'clean');
  // Where the remedy was tried and failed once, the agent did listen.
  const decisive = bad.find(({ verdict }) => verdict === 'failed_anyway') ?? bad[0] ?? first;
  const success = attempts.findIndex(({ outcome }) => outcome === 'worked');
  const successAt = attempts[success]?.at;
  const until = success === -1 ? attempts : attempts.slice(0, success + 1);
  return {
    outcome: decisive.verdict,
    outcomeAt: decisive.at,
    again: bad.length > 0,
    failed: first.outcome === 'failed',
    isEarned: decisive.verdict === 'clean' && decisive.isRefuting === undefined,
    failingAttempts: until.filter(({ outcome }) => outcome === 'failed').length,
    ...(successAt === undefined ? {} : { successAt, attemptsToSuccess: until.length }),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

// A failure that nobody warned of although an active lesson about it was there, and why not. Of a lesson that knows no
// failure: what it warns of was done while it was quiet.

/**
 * What only the hook knows. `budget`: others took the room. `deadline`: it was too late. `quiet`: agents evidently follow
 * it. `muted`: a person did not want it.
 */
export const SKIP_REASONS = ['budget', 'deadline', 'quiet', 'muted'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * `trigger`: it does not speak at this call. `threshold`: it is trusted or weighs too little. `dedup`: another conversation
 * of the session has heard it. `off`: nobody was asked, because hooks or lessons were off.
 */
export type MissReason = SkipReason | 'trigger' | 'threshold' | 'dedup' | 'off';

/** A lesson that would have spoken and was left unsaid. All of them, where the lesson is the empty string. */
export interface SkippedLesson {
  readonly lessonId: string;
  readonly reason: SkipReason;
}

export interface CallSkip extends SkippedLesson {
  readonly callId: string;
}

export interface StoredSkip extends CallSkip {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly at: string;
}

export interface MissedOpportunity {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly callId: string;
  readonly projectId: string;
  readonly lessonId: string;
  readonly reason: MissReason;
  /** When the call failed. */
  readonly at: string;
}

export interface MissFilter {
  readonly agent?: string;
  readonly lessonId?: string;
  readonly projectId?: string;
  readonly sessionId?: string;
  readonly since?: string;
}

/** A text that we added to a conversation: everything counts, whatever it is for. */
export const ADDED_KINDS = ['note', 'refusal', 'rewrite', 'session-start', 'protocol'] as const;
/** `session-start` is what a session hears at its start but for the `protocol`, which asks for lesson reports. */
export type AddedKind = (typeof ADDED_KINDS)[number];

export interface AddedText {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  /** Empty where it came at no call. */
  readonly callId: string;
  readonly kind: AddedKind;
  readonly bytes: number;
  /** Of the protocol. */
  readonly version?: number;
  readonly at: string;
}

export interface AddedCount {
  readonly kind: AddedKind;
  readonly texts: number;
  readonly bytes: number;
}
