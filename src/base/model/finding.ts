/**
 * A finding (a mistake that a detector saw, with its evidence), its episode, and the records that the store keeps of
 * findings and of agents' own lesson reports. A finding is not yet a lesson, because gates decide that. The stored
 * records contain no text of their own; the calls and the transcript have it.
 */

import type { CommandEdit } from '../shell/command-edit.ts';
import type { TextRemoval } from '../storage/retention.ts';
import type { Triggers } from '../triggers/trigger.ts';
import type { Evidence, LessonBody, LessonType, Origin, TokenReplacement } from './lesson.ts';
import type { Signature } from './signature.ts';

export interface Finding {
  /** `distill/corrected-command@1`. */
  readonly detector: string;
  readonly kind: EpisodeKind;
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly failingCallId: string;
  readonly fixingCallId: string;
  /** What the agent wanted, in words that the slug of the lesson begins with: `gh pr diff`. Calls have other keys: `intent.ts`. */
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

/** Fail -> attempts -> success around one intent. */
export type EpisodeKind =
  | 'corrected-command'
  | 'missing-precondition'
  | 'wrong-directory'
  | 'wrong-path'
  | 'wrong-tool-use'
  | 'refused-by-user'
  | 'corrected-by-user'
  /** A check was red until code was changed: no lesson about a command. */
  | 'code-edit'
  /** The agent wrote it down. */
  | 'self-reported';

/** What tells one beginning from another. */
export type EpisodeStart = Pick<Episode, 'agent' | 'sessionId' | 'failingCallId' | 'kind'>;

export interface Episode {
  readonly id: string;
  readonly agent: string;
  readonly sessionId: string;
  readonly failingCallId: string;
  readonly fixingCallId: string;
  readonly kind: EpisodeKind;
  /** See `Finding`. */
  readonly intentKey: string;
  /** Calls from the failing to the fixing one. */
  readonly steps: number;
  readonly confidence: number;
}

/** `new`: an active lesson. `draft`: one that waits. `merged`: more evidence of a known one. `dropped`: no lesson. */
export const FINDING_VERDICTS = ['new', 'draft', 'merged', 'dropped'] as const;
/** What a detector saw and what came of it. No text of its own: the calls have it, as long as it is kept. */
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

/** That an agent wrote a lesson down, or tried to. No text of its own: the transcript has it. */
export const REPORT_FORMS = ['lesson', 'process-knowledge'] as const;
export type ReportForm = (typeof REPORT_FORMS)[number];

export interface KeptReport {
  readonly agent: string;
  readonly sessionId: string;
  /** The sub-agent that wrote it; the empty string is the main conversation. */
  readonly contextId: string;
  readonly projectId: string;
  /** A hash of the block: told again, it is the same report. */
  readonly reportId: string;
  readonly form: ReportForm;
  /** Why it could not be read, in words of ours. Absent for a report. */
  readonly malformed?: string;
  /** The failure that stands behind it. */
  readonly failingCallId?: string;
  readonly file?: string;
  /** Of the transcript: the message it stands in. */
  readonly line?: number;
  readonly at: string;
}

/** Where words alone tell of a mistake, the report stands for the call that failed. */
export function toReportCallId(reportId: string): string {
  return `report-${reportId}`;
}

export interface ReportFilter {
  readonly agent?: string;
  /** From this time on. */
  readonly since?: string;
}

/** Reports of one agent and model, asked in one way, and the failures that it wrote none about. */
export interface ReportCount {
  readonly agent: string;
  /** Of the session; absent where it is not known. */
  readonly model?: string;
  /** The version of the protocol that asked the conversation; absent where nothing is known of it. */
  readonly protocol?: number;
  readonly isSubagent: boolean;
  readonly reports: number;
  readonly malformed: number;
  /** Failures that detectors learned from and no report is about. */
  readonly unreported: number;
}

/** A failure that detectors learned from and no report is about. */
export interface UnreportedFailure {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly callId: string;
  readonly protocol?: number;
  /** Its first characters, as long as they are kept. */
  readonly command?: string;
  readonly at: string;
}
