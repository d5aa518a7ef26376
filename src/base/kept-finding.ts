/** What a detector saw and what came of it. No text of its own: the calls have it, as long as it is kept. */
import type { Finding } from './finding.ts';
import type { TextRemoval } from './retention.ts';

/** `new`: an active lesson. `draft`: one that waits. `merged`: more evidence of a known one. `dropped`: no lesson. */
export const FINDING_VERDICTS = ['new', 'draft', 'merged', 'dropped'] as const;
export type FindingVerdict = (typeof FINDING_VERDICTS)[number];

type Kept = 'detector' | 'kind' | 'agent' | 'sessionId' | 'projectId' | 'failingCallId' | 'fixingCallId';

export interface KeptFinding extends Pick<Finding, Kept> {
  readonly id: string;
  readonly signatureId?: string;
  readonly verdict: FindingVerdict;
  /** Why, in words of ours. */
  readonly reason: string;
  /** The lesson it became or grew. */
  readonly lessonId?: string;
  readonly file?: string;
  readonly lines?: readonly [from: number, to: number];
  readonly at: string;
}

/** What came of a failing call when it was read before. */
export type PastFinding = Pick<KeptFinding, 'agent' | 'sessionId' | 'failingCallId' | 'kind' | 'verdict' | 'lessonId'>;

/** With what is still known of its calls. */
export interface ListedFinding extends KeptFinding {
  readonly failed?: string;
  readonly message?: string;
  readonly fixed?: string;
  readonly lesson?: string;
  /** Why retention removed the text of the failing call. */
  readonly textRemoved?: TextRemoval;
}

export interface FindingFilter {
  readonly projectIds?: readonly string[];
  readonly agent?: string;
  readonly sessionId?: string;
  readonly verdict?: FindingVerdict;
  readonly limit?: number;
}

/** The newest of each project that no lesson came of. Those of a lesson stay: its test needs them. */
export const MAX_FINDINGS_PER_PROJECT = 5_000;
