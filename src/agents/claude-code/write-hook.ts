/**
 * A reply in Claude Code's envelope: exactly these keys. A wrong event name or context at the top level is dropped
 * without a word, and a permission key in a note would decide in the user's place.
 */
import type { HookReply, NoteReply } from '../../base/reply.ts';

const EVENT_NAMES: Readonly<Record<HookReply['to'], string>> = {
  'call-started': 'PreToolUse',
  'session-started': 'SessionStart',
  'subagent-started': 'SubagentStart',
};

export function writeHook(reply: HookReply): string {
  if (reply.kind === 'note') return writeNote(reply);
  const { notice: systemMessage } = reply;
  return JSON.stringify({
    systemMessage,
    hookSpecificOutput: { hookEventName: EVENT_NAMES[reply.to], ...toOwn(reply) },
  });
}

export function writeNote({ to, context }: NoteReply): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: EVENT_NAMES[to], additionalContext: context } });
}

/** A corrected input replaces the whole one, and brings no permission: the user is asked as before. */
function toOwn(reply: Exclude<HookReply, NoteReply>) {
  if (reply.kind === 'refusal') return { permissionDecision: 'deny', permissionDecisionReason: reply.reason };
  const { input, command, context } = reply;
  return { updatedInput: { ...JSON.parse(input), command }, additionalContext: context };
}
