/** What was said last in a conversation, as its agent keeps it. In memory only: it is not redacted. */

export interface Talk {
  /** What a person or the agent said, oldest first: no tool's output, nothing that the agent's own machinery put in. */
  readonly messages: readonly string[];
  /** The slash command or skill that was called last, without its slash. */
  readonly workflow?: string;
}

/** So many of the last messages are looked at for keywords. */
export const LAST_MESSAGES = 5;
