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
  readonly denied?: Denial;
  /** Ended from outside: an interrupt, or a sibling of a parallel batch that failed. */
  readonly cancelled?: boolean;
  /** Started, and still running somewhere: how it ends is told later, if at all. */
  readonly background?: boolean;
  /** No end was ever told: the session died or moved on. Any telling of an end is better. */
  readonly unended?: boolean;
  /** The agent's own figure. */
  readonly durationMs?: number;
  /** From before to after, by call id. */
  readonly pairedMs?: number;
  /** Since the previous call of the context, or a share of the script that made the call: an estimate, where nothing better is known. */
  readonly gapMs?: number;
}

/**
 * How a client says that a permission rule refused a call, up to the reason. The client may put a word before the verb:
 * `Permission to use Bash has been auto-denied (prompts unavailable).`
 */
export const PERMISSION_REFUSED =
  /^Permission (?:to use|to run|for this action)\b[\s\S]{0,4000}? (?:has been|was) (?:\w+[- ])?(?:denied|refused|rejected)\b\.?\s*/;

export interface Denial {
  /** Absent where the agent does not say: then a rule. */
  readonly by?: 'user' | 'rule' | 'hook' | 'oncebitten';
  /** What the user said, where they said something. */
  readonly words?: string;
}
