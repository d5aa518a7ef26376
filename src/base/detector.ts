/**
 * SEAM: a detector. Pure: the same window gives the same findings; no I/O, no model, no clock.
 * Absence: an empty list when there is nothing to say, which is the usual answer.
 * Failure: a detector does not throw; what it cannot judge it leaves out.
 */
import type { LiveCall } from './call.ts';
import type { Finding } from './finding.ts';

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
}
