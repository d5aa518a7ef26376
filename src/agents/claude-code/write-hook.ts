/**
 * A reply in Claude Code's envelope: exactly these keys. A wrong event name or context at the top level is dropped
 * without a word, and a permission key would decide in the user's place.
 */
import type { HookReply } from '../../base/reply.ts';

const EVENT_NAMES: Readonly<Record<HookReply['to'], string>> = {
  'call-started': 'PreToolUse',
  'session-started': 'SessionStart',
  'subagent-started': 'SubagentStart',
};

export function writeHook({ to, context }: HookReply): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: EVENT_NAMES[to], additionalContext: context } });
}
