/** What we answer a hook with, before the agent's own envelope. */
export type HookReply = NoteReply | RefusalReply | RewriteReply;

/** Advisory text for the model. It never carries a permission decision. */
export interface NoteReply {
  readonly kind: 'note';
  /** The event it answers: the `kind` of what `readHook` gave. */
  readonly to: 'call-started' | 'session-started' | 'subagent-started';
  readonly context: string;
}

/** The call is held back. */
export interface RefusalReply {
  readonly kind: 'refusal';
  readonly to: 'call-started';
  /** For the model: why, and what works. */
  readonly reason: string;
  /** For the user: what was held back, and how to silence it. */
  readonly notice: string;
}

/** The call goes on with another input. It is no permission: the user is asked as before. */
export interface RewriteReply {
  readonly kind: 'rewrite';
  readonly to: 'call-started';
  /** The tool's whole input as the agent sent it, JSON. */
  readonly input: string;
  /** The command line that runs instead of the one in it. */
  readonly command: string;
  readonly context: string;
  readonly notice: string;
}
