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
  /** What the agent wanted: program and sub-commands, without what changed. */
  readonly intentKey: string;
  /** Calls from the failing to the fixing one. */
  readonly steps: number;
  readonly confidence: number;
}
