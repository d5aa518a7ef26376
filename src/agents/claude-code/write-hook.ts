/**
 * A reply in Claude Code's envelope: exactly these keys. A wrong event name or context at the top level is dropped
 * without a word, and a permission key would decide in the user's place.
 */
import type { HookReply } from '../../base/reply.ts';

export function writeHook(eventName: string, reply: HookReply): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: eventName, additionalContext: reply.context } });
}
