/**
 * Failures as a person queries them (by signature, or one by one), and the counts of failures by place from which
 * `distill/patterns/find-patterns.ts` finds patterns.
 */

import type { Signature } from '../model/signature.ts';
import type { TextRemoval } from '../storage/retention.ts';

export interface FailureFilter {
  readonly projectIds?: readonly string[];
  readonly agent?: string;
  readonly sessionId?: string;
  /** From this time on. */
  readonly since?: string;
  readonly signature?: string;
  /** Only those after which nothing with the same intent succeeded in the project. */
  readonly unresolved?: boolean;
  readonly limit: number;
}

export interface FailureGroup {
  /** Absent where the failure said nothing that could be told again. */
  readonly signature?: string;
  /** The program that failed, or the tool where there was none. */
  readonly program: string;
  /** The message of one of them; the form of all of them once the text has gone. */
  readonly message?: string;
  /** Failed calls, as every report counts them. */
  readonly count: number;
  /** Beside them: failures whose command hid the exit code, known from their text only. */
  readonly masked: number;
  /** These are runs of somebody's hook, which the agent records, and no calls of the agent. */
  readonly isHook: boolean;
  readonly sessions: number;
  readonly projects: number;
  readonly first: string;
  readonly last: string;
}

export interface FailedCall {
  readonly id: string;
  readonly at: string;
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly tool: string;
  /** The agent's name of the tool. */
  readonly rawTool: string;
  readonly program?: string;
  readonly command?: string;
  readonly exitCode?: number;
  readonly message?: string;
  readonly signature?: string;
  readonly branch?: string;
  readonly masked: boolean;
  /** Why retention removed its text. */
  readonly textRemoved?: TextRemoval;
}

export interface RecurrenceFilter {
  readonly agent?: string;
  /** Any id of a joined project stands for all of them. */
  readonly projectIds?: readonly string[];
  /** From this time on. */
  readonly since?: string;
  /** At most so many cells, the newest. */
  readonly limit: number;
}

/** Failures of an agent, masked ones too, that are alike in all of this. */
export interface FailureCell {
  readonly agent: string;
  readonly sessionId: string;
  /** The sub-agent; empty for the main conversation. */
  readonly contextId: string;
  readonly projectId: string;
  readonly tool: string;
  /** Absent where the failure said nothing that could be told again. */
  readonly signatureId?: string;
  readonly intentKey?: string;
  readonly targetPath?: string;
  /** Of a check: the file whose edit was the call right before it. */
  readonly editedPath?: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

export interface SignatureForm extends Signature {
  readonly category: string;
}

/**
 * `intent`: calls that want the same, by their intent key. `path`: calls on one file. `folder`: calls on files right in
 * a folder, which ends with a slash. `edited`: checks right after an edit of a file.
 */
export type PlaceKind = 'intent' | 'path' | 'folder' | 'edited';

/** All calls of a project at one place that ran: neither denied nor cancelled. */
export interface PlaceCount {
  readonly kind: PlaceKind;
  readonly projectId: string;
  readonly key: string;
  readonly calls: number;
  readonly failures: number;
}

/** A line that did several things did this one last at that time. */
export interface SettledIntent {
  readonly projectId: string;
  readonly key: string;
  readonly at: string;
}

export interface Recurrence {
  /** Newest first. */
  readonly cells: readonly FailureCell[];
  /** There were more cells than the limit. */
  readonly isCut: boolean;
  readonly signatures: readonly SignatureForm[];
  /** Those with `MIN_PLACE_FAILURES` or more. */
  readonly places: readonly PlaceCount[];
  /** Of the intents among the places. */
  readonly settled: readonly SettledIntent[];
}

/** Failures as the store counts them for whoever looks for patterns: `distill/patterns/find-patterns.ts`. */
export const MIN_PLACE_FAILURES = 3;
