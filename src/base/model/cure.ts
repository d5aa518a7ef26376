/** A cure: how an agent got past a failed call. The same failure, known by its signature, can be met with it later. */
import type { CommandEdit } from '../shell/command-edit.ts';

/**
 * `edit`: another form of the same command worked. `read-first`: the same call worked after the file was read.
 * `folder`: the same command worked in another folder. `first`: the same command worked after another command.
 */
export const CURE_KINDS = ['edit', 'read-first', 'folder', 'first'] as const;
export type CureKind = (typeof CURE_KINDS)[number];

export interface Cure {
  readonly agent: string;
  readonly sessionId: string;
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
}
