/**
 * SEAM: a detector. Pure: the same window gives the same findings; no I/O, no model, no clock.
 * Absence: an empty list when there is nothing to say, which is the usual answer.
 * Failure: a detector does not throw; what it cannot judge it leaves out.
 */
import type { LiveCall } from '../base/model/call.ts';
import type { Finding } from '../base/model/finding.ts';

export interface Detector {
  /** `distill/corrected-command@1`: kept with every lesson, so that a better version can find its predecessor's. */
  readonly name: string;
  detect(window: SessionWindow): readonly Finding[];
}

/** Consecutive calls of one context of one session, oldest first. */
export interface SessionWindow {
  readonly calls: readonly LiveCall[];
  /** Only findings whose fixing call is at or after this index are wanted: the rest were reported before. */
  readonly from: number;
  /** What was said around these calls, oldest first. */
  readonly spoken: readonly SessionMessage[];
  /** The same for findings that rest on words. */
  readonly spokenFrom: number;
}

/** Words of the user, or those of the agent that may tell something (`isTelling` in `detect-findings.ts`). Redacted. */
export interface SessionMessage {
  readonly kind: 'prompted' | 'said';
  readonly agent: string;
  readonly sessionId: string;
  /** In a sub-agent the prompts are another agent's. */
  readonly contextId: string;
  readonly text: string;
  readonly at: string;
  /** The project that the session is in. */
  readonly projectId: string;
  /** The last call of the context that had ended by then; absent when there was none. */
  readonly afterCallId?: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly agentVersion?: string;
  /** Where it was read. */
  readonly evidence?: { readonly file: string; readonly line: number };
}
