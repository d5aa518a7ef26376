/**
 * A failure that nobody warned of although an active lesson about it was there, and why not. Of a lesson that knows no
 * failure: what it warns of was done while it was quiet.
 */

/**
 * What only the hook knows. `budget`: others took the room. `deadline`: it was too late. `quiet`: agents evidently follow
 * it. `muted`: a person did not want it.
 */
export const UNSAID_REASONS = ['budget', 'deadline', 'quiet', 'muted'] as const;
export type UnsaidReason = (typeof UNSAID_REASONS)[number];

/**
 * `trigger`: it does not speak at this call. `threshold`: it is trusted or weighs too little. `dedup`: another conversation
 * of the session has heard it. `off`: nobody was asked, because hooks or lessons were off.
 */
export type MissReason = UnsaidReason | 'trigger' | 'threshold' | 'dedup' | 'off';

/** A lesson that would have spoken and was left unsaid. All of them, where the lesson is the empty string. */
export interface Unsaid {
  readonly lessonId: string;
  readonly reason: UnsaidReason;
}

export interface UnsaidOf extends Unsaid {
  readonly callId: string;
}

export interface UnsaidAt extends UnsaidOf {
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
