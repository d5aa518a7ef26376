/** A past call as a replay found it: how it ended, and which lessons would have been shown at it. */
import type { JudgedFailure } from '../base/failure-ledger.ts';
import type { FailureClass } from './classify-failure.ts';

export interface ReplayedCall {
  readonly agent: string;
  readonly sessionId: string;
  /** Where its session began. */
  readonly projectId: string;
  readonly callId: string;
  readonly at: string;
  /** When its outcome was known. */
  readonly endedAt: string;
  /** By the reference signature: what the call was of. */
  readonly program: string;
  /** It worked: a call of the same program after a failure may be its fix. */
  readonly worked: boolean;
  readonly failure?: ReplayedFailure;
  /** By the ledger that every report shares; absent where the call did not fail. */
  readonly judged?: JudgedFailure;
  /** A failure that its command hid, known from its text only. Counted apart: it is no repeat, but a delivery can hit it. */
  readonly masked?: ReplayedFailure;
  /** The call was refused: no failure, but a lesson may have been learned from one like it. */
  readonly refusal?: string;
  readonly deliveries: readonly ReplayedDelivery[];
  /** For examples: redacted, short. */
  readonly what: string;
}

export interface ReplayedFailure {
  readonly class: FailureClass;
  /** By the reference signature. */
  readonly reference: string;
}

export interface ReplayedDelivery {
  readonly lessonId: string;
  readonly slug: string;
  /** Of the failure that the lesson was learned from; absent where it was learned from something else. */
  readonly class?: FailureClass;
  /** The reference signatures of the failures, or the refusals, that it was learned from by then. */
  readonly references: readonly string[];
}
