/**
 * A delivery (one lesson or cure shown, or withheld on purpose, at one call or at a session's start) and the shapes
 * around it: later attempts and the verdict that follows from them, missed opportunities, and the texts that were added
 * to a conversation. The verdict follows from the set of attempts, so their order does not matter and an attempt
 * reported twice counts once.
 */

import { compareTexts } from '../records.ts';
import type { DeliveryMode } from './lesson.ts';
import type { CallKey, ContextKey } from './session.ts';

export type DeliveryOutcome = 'clean' | 'failed_anyway' | 'ignored' | 'incomplete';

/** How far a session got with a lesson that is a list of steps. Items are numbered from 1, as in the lesson. */
export interface DeliveryItems {
  readonly done: readonly number[];
  /** Attempted, but every call of the item failed. */
  readonly tried: readonly number[];
  /** Not done yet, including the attempted ones. */
  readonly open: readonly number[];
}

/** Counts of one lesson's judged deliveries at calls. */
export interface TrackRecord {
  readonly lessonId: string;
  readonly judged: number;
  readonly clean: number;
  readonly lastCleanAt?: string;
  /** When the mistake last happened in spite of the lesson. */
  readonly lastFailedAt?: string;
}

export const DELIVERY_KINDS = ['call', 'session-start', 'task', 'failure', 'memory'] as const;
type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** Is the delivery about a failure alone, without a lesson? */
export function isOfFailure({ kind }: { readonly kind: DeliveryKind }): boolean {
  return kind === 'failure' || kind === 'memory';
}

export interface Delivery extends CallKey {
  readonly id: string;
  /**
   * `failure`: a cure, shown with the result of the call that failed. `memory`: a warning before a call that failed in an
   * earlier session.
   */
  readonly kind: DeliveryKind;
  /** For a cure and a warning: the id of the failure, see `toCureId`. */
  readonly lessonId: string;
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

/** A delivery as the store returns it, with the calls that followed. */
export interface StoredDelivery extends Delivery {
  /** The verdict by the rules of an older version. It no longer counts, but the lesson's confidence was moved by it. */
  readonly oldOutcome?: AttemptVerdict;
  /** Later calls of the same intent and context that failed before one worked; absent until the first such call. */
  readonly failingAttempts?: number;
  /** The end of the first such call that worked. It and the three counts below are absent until then. */
  readonly successAt?: string;
  readonly callsToSuccess?: number;
  readonly secondsToSuccess?: number;
  /** Tokens that the model read uncached or wrote; absent where the agent records none. */
  readonly tokensToSuccess?: number;
  /** The number of other matching lessons that had no room; absent if all had room. */
  readonly noRoom?: number;
  /** For a procedure: the progress so far. Items that no call can show are in none of the lists. */
  readonly items?: DeliveryItems;
}

/** A filter on deliveries, for the figures of `stats` and to find the delivery that a person means. */
export interface DeliveryQuery {
  readonly agent?: string;
  /** Any id of a joined project stands for all of them. */
  readonly projectIds?: readonly string[];
  readonly lessonId?: string;
  readonly sessionId?: string;
  /** The beginning of an id. */
  readonly idPrefix?: string;
  readonly arm?: Delivery['arm'];
  readonly kind?: DeliveryKind;
  /** From this time on. */
  readonly since?: string;
  /** Exclusive. */
  readonly until?: string;
  /** The model of the session. */
  readonly model?: string;
  /** The category of the failure that the lesson or the known fix is about. */
  readonly category?: string;
}

/** With the project of its call, else of its session. Joined ids are resolved. */
export interface PlacedDelivery extends StoredDelivery {
  readonly projectId?: string;
}

export type AttemptVerdict = 'clean' | 'ignored' | 'failed_anyway';

/** A call that a delivery could still change: a later call of the same intent in the same context. */
export interface Attempt {
  readonly callId: string;
  /** When the call ended, as far as that is known. */
  readonly at: string;
  readonly verdict: AttemptVerdict;
  readonly outcome: 'worked' | 'failed';
  /** A call that the lesson warns against worked, so this clean attempt is no evidence for the lesson. */
  readonly isRefuting?: true;
}

/** `first`: a retry decides. `every`: each later attempt counts, because a note reaches the agent before all of them. */
export type AttemptRule = 'first' | 'every';

export interface AttemptSummary {
  readonly outcome: AttemptVerdict;
  /** The end of the deciding attempt. */
  readonly outcomeAt: string;
  /** The failure that the lesson is about came again. */
  readonly again: boolean;
  /** The first attempt failed, for whatever cause. */
  readonly failed: boolean;
  /** The verdict is clean and counts as evidence for the lesson. */
  readonly isEarned: boolean;
  /** Failed attempts, for whatever cause, before the first that worked. */
  readonly failingAttempts: number;
  /** The end of the first attempt that worked. */
  readonly successAt?: string;
  /** The number of attempts, including that one. */
  readonly attemptsToSuccess?: number;
}

/**
 * A pause or a rewrite is judged by the first attempt, because it asked for that attempt; a note is judged by every
 * later attempt.
 */
export function toAttemptRule(mode: DeliveryMode, isAboutAction: boolean): AttemptRule {
  return mode === 'note' && !isAboutAction ? 'every' : 'first';
}

/** Keeps the attempts up to the first that worked, and later ones only if they repeat the mistake. */
export function mergeAttempts(known: readonly Attempt[], added: readonly Attempt[]): readonly Attempt[] {
  const byCall = new Map([...added, ...known].map((attempt) => [attempt.callId, attempt]));
  const all = [...byCall.values()].sort((a, b) => compareTexts(a.at, b.at) || compareTexts(a.callId, b.callId));
  const success = all.findIndex(({ outcome }) => outcome === 'worked');
  return success === -1 ? all : all.filter(({ verdict }, n) => n <= success || verdict !== 'clean');
}

/** Undefined without attempts. Expects attempts as `mergeAttempts` returns them. */
export function sumAttempts(attempts: readonly Attempt[], rule: AttemptRule): AttemptSummary | undefined {
  const [first] = attempts;
  if (first === undefined) return undefined;
  const judging = rule === 'first' ? [first] : attempts;
  const bad = judging.filter(({ verdict }) => verdict !== 'clean');
  // If the agent tried the remedy even once and it failed, the verdict is `failed_anyway`, not `ignored`.
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

// A missed opportunity: a failure without a warning although an active lesson about it existed, and the reason. For a
// lesson without a failure signature: the agent did what the lesson warns against while the lesson was quiet.

/**
 * Reasons that only the hook knows. `budget`: other lessons took the room. `deadline`: the hook ran out of time.
 * `quiet`: agents already follow the lesson. `muted`: a person muted it.
 */
export const SKIP_REASONS = ['budget', 'deadline', 'quiet', 'muted'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * `trigger`: the trigger does not match the call. `threshold`: confidence or score is too low. `dedup`: another
 * conversation of the session was shown the lesson. `off`: hooks or lessons were switched off.
 */
export type MissReason = SkipReason | 'trigger' | 'threshold' | 'dedup' | 'off';

/** A lesson that matched a call and was not shown. An empty `lessonId` stands for all lessons. */
export interface SkippedLesson {
  readonly lessonId: string;
  readonly reason: SkipReason;
}

export interface CallSkip extends SkippedLesson {
  readonly callId: string;
}

export interface StoredSkip extends CallSkip, ContextKey {
  readonly at: string;
}

export interface MissedOpportunity extends CallKey {
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

/** Kinds of text that we add to a conversation. All of them count, whatever they are for. */
export const ADDED_KINDS = ['note', 'refusal', 'rewrite', 'session-start', 'protocol'] as const;
/** `protocol` asks for lesson reports; `session-start` is the rest of the text at the start of a session. */
export type AddedKind = (typeof ADDED_KINDS)[number];

export interface AddedText extends ContextKey {
  /** Empty for a text that was not added at a call. */
  readonly callId: string;
  readonly kind: AddedKind;
  readonly bytes: number;
  /** The version of the protocol. */
  readonly version?: number;
  readonly at: string;
}

export interface AddedCount {
  readonly kind: AddedKind;
  readonly texts: number;
  readonly bytes: number;
}
