/**
 * The calls that a delivery could still change: later calls of the same intent in the same context. The verdict on a
 * delivery and its figures follow from the set of them, so the order in which they are reported does not matter, and an
 * attempt that is reported twice counts once.
 */
import type { DeliveryMode } from './lesson.ts';

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
export function toAttemptRule(mode: DeliveryMode, isAboutDeed: boolean): AttemptRule {
  return mode === 'note' && !isAboutDeed ? 'every' : 'first';
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
