/**
 * A finding (a mistake that a detector saw, with its evidence), its episode, and the records that the store keeps of
 * findings and of agents' own lesson reports. A finding is not yet a lesson, because gates decide that. The stored
 * records contain no text of their own; the calls and the transcript have it.
 */

import type { CommandEdit } from '../shell/command-edit.ts';
import type { TextRemoval } from '../storage/retention.ts';
import type { Triggers } from '../triggers/trigger.ts';
import type { Evidence, LessonBody, LessonType, ModelOrigin, Origin, TokenReplacement } from './lesson.ts';
import type { CallKey, ContextKey, SessionKey } from './session.ts';
import type { Signature } from './signature.ts';

export interface Finding extends SessionKey {
  /** The name and version of the detector: `distill/corrected-command@1`. */
  readonly detector: string;
  readonly kind: EpisodeKind;
  readonly projectId: string;
  readonly failingCallId: string;
  readonly fixingCallId: string;
  /** The intent in the words that the lesson's slug begins with (`gh pr diff`). Calls use the keys of `intent.ts`. */
  readonly intentKey: string;
  readonly steps: number;
  readonly signature: Signature;
  /** Plain words, taken from the evidence. */
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  readonly triggers: Triggers;
  readonly tags: readonly string[];
  readonly evidence: Evidence;
  /** `session`: the lesson holds only in this session. `user`: in all projects of the user. Absent: in the project. */
  readonly scope?: 'session' | 'user';
  /** Observable facts that priority and confidence are computed from. */
  readonly signals: readonly Signal[];
  /** Absent: an episode. */
  readonly origin?: Origin['kind'];
  /** The model that proposed the lesson. */
  readonly proposedBy?: ModelOrigin;
  /** Absent: `observed` in calls. */
  readonly trust?: Origin['trust'];
  /** Why the lesson waits for a person even if it passes the back-test; our own words, set by the guard. */
  readonly caution?: string;
  /** Why this finding gives no lesson (every trigger would be noise); our own words. The episode is still stored. */
  readonly episodeOnly?: string;
  /** Absent: inferred from kind, signals and words. */
  readonly type?: LessonType;
  readonly body?: LessonBody;
  /** From 1 to 10, as the author states it. Absent: computed from the signals. */
  readonly priority?: number;
  /** The remedy as an edit of the failing call. */
  readonly edit?: CommandEdit;
  /** The whole fix is the replacement of one word. */
  readonly replacement?: TokenReplacement;
  /** The failed call's own message names the right word, so no second occurrence is needed. */
  readonly isSuggested?: true;
  /** The id of the lesson whose triggers and fix become those of this finding: what both mistakes have in common. */
  readonly widens?: string;
  readonly model?: string;
  readonly agentVersion?: string;
}

/**
 * `self-reported`: the agent wrote the lesson itself, in a `#lesson` block or similar. `retry-loop`: the same call was
 * repeated. `self-diagnosis`: the agent named its mistake. `stated-lesson`: somebody stated a rule outright ("lesson
 * learned: …", "from now on …").
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

/** An episode: a failure, the attempts after it and the fix, around one intent. */
export type EpisodeKind =
  | 'corrected-command'
  | 'missing-precondition'
  | 'wrong-directory'
  | 'wrong-path'
  | 'wrong-tool-use'
  | 'refused-by-user'
  | 'corrected-by-user'
  /** A check failed until code was changed, so the lesson is not about a command. */
  | 'code-edit'
  /** The agent wrote the lesson in a report. */
  | 'self-reported'
  /** A failure with the call that got past it. A lesson that fires before the call may be learned from it, too. */
  | 'known-fix'
  /** The next attempt worked. Nothing else shows that the first one was a mistake. */
  | 'repair'
  /** A language model read the failure and proposed the lesson. */
  | 'proposed';

type EpisodeKey = 'agent' | 'sessionId' | 'failingCallId' | 'kind';

/** The fields that identify an episode. */
export type EpisodeStart = Pick<Episode, EpisodeKey>;

export interface Episode extends SessionKey {
  readonly id: string;
  readonly failingCallId: string;
  readonly fixingCallId: string;
  readonly kind: EpisodeKind;
  /** As in `Finding`. */
  readonly intentKey: string;
  /** The number of calls from the failing call to the fixing call. */
  readonly steps: number;
  readonly confidence: number;
}

/** `new`: an active lesson. `draft`: a draft. `merged`: more evidence of a known lesson. `dropped`: no lesson. */
export const FINDING_VERDICTS = ['new', 'draft', 'merged', 'dropped'] as const;
type FindingVerdict = (typeof FINDING_VERDICTS)[number];

type Kept = 'detector' | 'kind' | 'agent' | 'sessionId' | 'projectId' | 'failingCallId' | 'fixingCallId';

export interface KeptFinding extends Pick<Finding, Kept> {
  readonly id: string;
  readonly signatureId?: string;
  readonly verdict: FindingVerdict;
  /** The reason for the verdict, in our own words. */
  readonly reason: string;
  /** The lesson that the finding became or was merged into. */
  readonly lessonId?: string;
  readonly file?: string;
  readonly lines?: readonly [from: number, to: number];
  readonly at: string;
}

/** The verdict on a failing call from an earlier run. */
export type PastFinding = Pick<KeptFinding, EpisodeKey | 'detector' | 'verdict' | 'lessonId'>;

/** With the text of its calls, as far as the store still has it. */
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

/**
 * Limits the findings without a lesson; the newest of each project are kept. Findings of a lesson stay, because testing
 * the lesson needs them.
 */
export const MAX_FINDINGS_PER_PROJECT = 5_000;

/** A lesson report of an agent, well-formed or not. The record contains no text; the transcript has it. */
export const REPORT_FORMS = ['lesson', 'process-knowledge'] as const;
export type ReportForm = (typeof REPORT_FORMS)[number];

export interface KeptReport extends ContextKey {
  readonly projectId: string;
  /** A hash of the block, so that a block reported twice is one report. */
  readonly reportId: string;
  readonly form: ReportForm;
  /** Why the block could not be parsed, in our own words. Absent for a valid report. */
  readonly malformed?: string;
  /** The failure that the report is about. */
  readonly failingCallId?: string;
  readonly file?: string;
  /** The line of the transcript that contains the message. */
  readonly line?: number;
  readonly at: string;
}

/** The call id of a report that names a mistake without a failed call. */
export function toReportCallId(reportId: string): string {
  return `report-${reportId}`;
}

export interface ReportFilter {
  readonly agent?: string;
  /** From this time on. */
  readonly since?: string;
}

/** Counts of one agent and model under one version of the protocol. */
export interface ReportCount {
  readonly agent: string;
  /** The model of the session; absent if unknown. */
  readonly model?: string;
  /** The version of the protocol that the conversation was given; absent if unknown. */
  readonly protocol?: number;
  readonly isSubagent: boolean;
  readonly reports: number;
  readonly malformed: number;
  readonly unreported: number;
}

/** A failure that detectors learned from, without a report about it. */
export interface UnreportedFailure extends CallKey {
  readonly protocol?: number;
  /** The beginning of the command, as long as the store keeps it. */
  readonly command?: string;
  readonly at: string;
}
