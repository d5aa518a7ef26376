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
  /** Only failures without a later success of the same intent in the project. */
  readonly unresolved?: boolean;
  readonly limit: number;
}

export interface FailureGroup {
  /** Absent if the failure printed no usable message. */
  readonly signature?: string;
  /** The program that failed, or the tool where there was none. */
  readonly program: string;
  /** The message of one of them, or the template once the text was removed. */
  readonly message?: string;
  /** Failed calls, as every report counts them. */
  readonly count: number;
  /** In addition: failures whose command hid the exit code, known only from their text. */
  readonly masked: number;
  /** Runs of the user's hooks, which the agent records; not calls of the agent. */
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
  /** Any id of a joined project stands for all its ids. */
  readonly projectIds?: readonly string[];
  /** From this time on. */
  readonly since?: string;
  /** The maximum number of cells; the newest are returned. */
  readonly limit: number;
}

/** Failures of an agent, masked ones included, that agree in all of these fields. */
export interface FailureCell {
  readonly agent: string;
  readonly sessionId: string;
  /** The sub-agent; empty for the main conversation. */
  readonly contextId: string;
  readonly projectId: string;
  readonly tool: string;
  /** Absent if the failure printed no usable message. */
  readonly signatureId?: string;
  readonly intentKey?: string;
  readonly targetPath?: string;
  /** For a check: the file that the previous call edited. */
  readonly editedPath?: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

export interface SignatureForm extends Signature {
  readonly category: string;
}

/**
 * `intent`: calls with the same intent key. `path`: calls on one file. `folder`: calls on files directly in a folder,
 * which ends with a slash. `edited`: checks right after an edit of a file.
 */
export type PlaceKind = 'intent' | 'path' | 'folder' | 'edited';

/** All calls of a project at one place that ran, neither denied nor cancelled. */
export interface PlaceCount {
  readonly kind: PlaceKind;
  readonly projectId: string;
  readonly key: string;
  readonly calls: number;
  readonly failures: number;
}

/** The last time that a line of several commands succeeded with this intent. */
export interface SettledIntent {
  readonly projectId: string;
  readonly key: string;
  readonly at: string;
}

export interface Recurrence {
  /** Newest first. */
  readonly cells: readonly FailureCell[];
  /** There are more cells than the limit. */
  readonly isCut: boolean;
  readonly signatures: readonly SignatureForm[];
  /** Places with at least `MIN_PLACE_FAILURES` failures. */
  readonly places: readonly PlaceCount[];
  /** For the intents among the places. */
  readonly settled: readonly SettledIntent[];
}

/** The fewest failures that make a place worth counting for `distill/patterns/find-patterns.ts`. */
export const MIN_PLACE_FAILURES = 3;
