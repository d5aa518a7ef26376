/** What a detector saw, with its evidence. A finding is not yet a lesson: gates decide that. */
import type { CommandEdit } from './command-edit.ts';
import type { EpisodeKind } from './episode.ts';
import type { Evidence, LessonType, Origin, TokenReplacement } from './lesson.ts';
import type { LessonBody } from './lesson-body.ts';
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
  /** Where it comes from; an episode where it says nothing. */
  readonly origin?: Origin['kind'];
  /** Whose words these are; `observed` in calls where it says nothing. */
  readonly trust?: Origin['trust'];
  /** Why it waits for a person whatever the back-test says, in words of ours. Set by the guard. */
  readonly caution?: string;
  /** Why no lesson comes of it, in words of ours: any trigger would be noise. What happened is kept as an episode. */
  readonly episodeOnly?: string;
  /** Inferred from kind, signals and words where it says nothing. */
  readonly type?: LessonType;
  readonly body?: LessonBody;
  /** As the author of the words states it, from 1 to 10; computed from what was seen where it says nothing. */
  readonly priority?: number;
  /** The remedy as an edit of the call at hand. */
  readonly edit?: CommandEdit;
  /** The fix is one word for another, and nothing else. */
  readonly replacement?: TokenReplacement;
  /** The message of the failed call itself names the other word: then it need not be seen again. */
  readonly isSuggested?: true;
  readonly model?: string;
  readonly agentVersion?: string;
}

/**
 * `self-reported`: the agent wrote the lesson down itself, in a `#lesson` block or the like. `retry-loop`: the same call
 * was tried again and again. `self-diagnosis`: the agent said what had been wrong. `stated-lesson`: somebody said a rule
 * outright ("lesson learned: …", "from now on …").
 */
export const SIGNALS = [
  'error-fix-success',
  'fix-confirmed',
  'hang',
  'silent-failure',
  'data-loss',
  'user-corrected',
  'causal-words',
  'self-reported',
  'retry-loop',
  'self-diagnosis',
  'stated-lesson',
] as const;
export type Signal = (typeof SIGNALS)[number];
