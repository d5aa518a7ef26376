/**
 * Failures as a person queries them one by one, and counted by session, signature and place. From these counts,
 * `distill/patterns/` makes the list of repeated failures and finds patterns.
 */

import type { ContextKey, SessionKey } from '../model/session.ts';
import type { Signature } from '../model/signature.ts';
import type { TextRemoval } from '../storage/retention.ts';

/**
 * `command`: the call was wrong, and another call is the fix. `verdict`: a test, linter, type checker or build said no,
 * and code is the fix. `harness`: the agent refused the call, for example because a file was not read. `world`: the same
 * call works at another time. `exploration`: the call looked for something that is not there. `edit-text`: the file does
 * not have the text that an edit replaces. `status`: an exit code reports something.
 */
export const FAILURE_CLASSES = [
  'command',
  'verdict',
  'harness',
  'world',
  'exploration',
  'edit-text',
  'status',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export interface FailureFilter {
  /** Any id of a joined project stands for all its ids. */
  readonly projectIds?: readonly string[];
  readonly agent?: string;
  readonly sessionId?: string;
  /** From this time on. */
  readonly since?: string;
  /** Exclusive. */
  readonly until?: string;
  /** The model of the session. */
  readonly model?: string;
  /** The category of the failure's signature. */
  readonly category?: string;
  /** Only failures with one of these signatures. */
  readonly signatures?: readonly string[];
  /** Only failures without a later success of the same intent in the project. */
  readonly unresolved?: boolean;
  readonly limit: number;
}

export interface FailedCall extends SessionKey {
  readonly id: string;
  readonly at: string;
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

/** Failures, masked ones and runs of the user's hooks included, that agree in session, signature and place. */
export interface FailureCell extends ContextKey {
  readonly projectId: string;
  readonly tool: string;
  /** Runs of the user's hooks, which the agent records; not calls of the agent. */
  readonly isHook: boolean;
  /** Absent if the failure printed no usable message. */
  readonly signatureId?: string;
  readonly program?: string;
  /** The message of one of them; absent once the text was removed. */
  readonly message?: string;
  /** The model of the session. */
  readonly model?: string;
  readonly intentKey?: string;
  readonly targetPath?: string;
  /** For a check: the file that the previous call edited. */
  readonly editedPath?: string;
  readonly count: number;
  /** How many of `count` are known only from their text, because the command hid the exit code. */
  readonly masked: number;
  /** The number of different files, or messages, that they are about, and one of them. */
  readonly objects: number;
  readonly object: string;
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

export interface FailureCells {
  /** Newest first. */
  readonly cells: readonly FailureCell[];
  /** There are more cells than the limit. */
  readonly isCut: boolean;
  readonly signatures: readonly SignatureForm[];
}

export interface FailurePlaces {
  /** Places with at least `MIN_PLACE_FAILURES` failures. */
  readonly places: readonly PlaceCount[];
  /** For the intents among the places. */
  readonly settled: readonly SettledIntent[];
}

export type Recurrence = FailureCells & FailurePlaces;

/** The fewest failures that make a place worth counting for `distill/patterns/find-patterns.ts`. */
export const MIN_PLACE_FAILURES = 3;
