/** A cure: how an agent got past a failed call. The same failure, known by its signature, can be met with it later. */
import type { CommandEdit } from '../shell/command-edit.ts';
import type { SessionKey } from './session.ts';

/**
 * `edit`: another form of the same command worked. `read-first`: the same call worked after the file was read.
 * `folder`: the same command worked in another folder. `first`: the same command worked after another command.
 * `input`: the same tool worked with another parameter. `tool`: another tool did the same. `form`: another form
 * of the same command worked, but it cannot be stated as an edit.
 */
export const CURE_KINDS = ['edit', 'read-first', 'folder', 'first', 'input', 'tool', 'form'] as const;
export type CureKind = (typeof CURE_KINDS)[number];

export interface Cure extends SessionKey {
  readonly projectId: string;
  readonly failingCallId: string;
  readonly fixingCallId: string;
  /** The signature of the failure. */
  readonly signatureId: string;
  readonly kind: CureKind;
  /** What to do, without a full stop: replace `--fast` with `--quick`. */
  readonly text: string;
  /** The same as an edit that can be applied to the call at hand. */
  readonly edit?: CommandEdit;
  /** When it worked. */
  readonly at: string;
}

export interface CureFilter {
  readonly signatureIds?: readonly string[];
  /** At most this many, the latest ones. */
  readonly limit?: number;
}

/** A failure of a project with the ways to get past it. */
export interface CuredFailure {
  /** Joined projects have one id. Empty: the failure is met in every project. */
  readonly projectId: string;
  readonly signatureId: string;
  readonly cures: readonly Cure[];
  /** What to do in the words of a person, who reviewed the lesson about it. */
  readonly advice?: string;
  /** Lessons about the same failure: an agent is told of it once, by a lesson or by a cure. */
  readonly lessons: readonly { readonly id: string; readonly priority: number }[];
  /** The share of sessions that the cure is withheld from, to measure its effect. Absent: none. */
  readonly withheld?: number;
}

/** The name of a cure in deliveries, claims, mutes and feedback: one for all cures of a failure. */
export function toCureId(signatureId: string): string {
  return `${CURE_PREFIX}${signatureId}`;
}

const CURE_PREFIX = 'cure_';

export function isCureId(id: string): boolean {
  return id.startsWith(CURE_PREFIX);
}

/** The signature of the failure that the id names. */
export function toSignatureId(cureId: string): string {
  return cureId.slice(CURE_PREFIX.length);
}
