/** What we answer a hook with, before the agent's own envelope. */
export interface HookReply {
  /** The event it answers: the `kind` of what `readHook` gave. */
  readonly to: 'call-started' | 'session-started' | 'subagent-started';
  /** Advisory text for the model. It never carries a permission decision. */
  readonly context: string;
}
