/** What a detector saw, with its evidence. A finding is not yet a lesson: gates decide that. */
import type { EpisodeKind } from './episode.ts';
import type { Evidence } from './lesson.ts';
import type { Signature } from './signature.ts';
import type { Triggers } from './trigger.ts';

export interface Finding {
  /** `distill/corrected-command@1`. */
  readonly detector: string;
  readonly kind: EpisodeKind;
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly failingCallId: string;
  readonly fixingCallId: string;
  readonly intentKey: string;
  readonly steps: number;
  readonly signature: Signature;
  /** Plain words, from the evidence itself. */
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  readonly triggers: Triggers;
  readonly tags: readonly string[];
  readonly evidence: Evidence;
  /** `session`: true only as long as this session lasts. Of the project where it says nothing. */
  readonly scope?: 'session';
  /** Observable facts that priority and confidence are computed from. */
  readonly signals: readonly Signal[];
  readonly model?: string;
  readonly agentVersion?: string;
}

export type Signal =
  | 'error-fix-success'
  | 'fix-confirmed'
  | 'hang'
  | 'silent-failure'
  | 'user-corrected'
  | 'causal-words';
