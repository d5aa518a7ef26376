/**
 * How a call ended. `partial` is a success whose output warns. `cancelled` and `denied` calls never ran to an end of
 * their own: they are kept apart and are never failures.
 */
export type Outcome = 'success' | 'failure' | 'partial' | 'cancelled' | 'denied';

/** What the agent reported about the end of a call, before anybody judged it. Facts and text, no verdict. */
export interface CallResult {
  /** The agent's own error flag or failure event. */
  readonly isError: boolean;
  /** Absent where the agent gives none. */
  readonly exitCode?: number;
  /** What the call printed, as far as the agent tells; may be long. */
  readonly text: string;
  /** Refused by the user or a rule; `words` is what the user said, where they said something. */
  readonly denied?: { readonly words?: string };
  /** Ended from outside: an interrupt, or a sibling of a parallel batch that failed. */
  readonly cancelled?: boolean;
  readonly durationMs?: number;
}
