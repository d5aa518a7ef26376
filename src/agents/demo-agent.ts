/** The agent that `oncebitten demo` plays: the payloads with which Claude Code reports a shell command to its hooks. */
import type { AgentFacts } from '../base/contracts/agent-facts.ts';
import { facts } from './claude-code/facts.ts';

export const DEMO_FACTS: AgentFacts = facts;

export interface DemoCall {
  readonly sessionId: string;
  readonly callId: string;
  readonly cwd: string;
  readonly command: string;
  /** What it printed when it failed. */
  readonly error?: string;
  readonly output?: string;
}

export interface DemoHook {
  readonly eventName: string;
  readonly wire: string;
}

export function writeDemoStart(call: DemoCall): DemoHook {
  return toHook('PreToolUse', call, {});
}

export function writeDemoEnd(call: DemoCall): DemoHook {
  const { error, output = '' } = call;
  if (error !== undefined)
    return toHook('PostToolUseFailure', call, { error: `Exit code 1\n${error}`, is_interrupt: false });
  return toHook('PostToolUse', call, {
    tool_response: { stdout: output, stderr: '', interrupted: false, isImage: false },
  });
}

/** The text that the model reads, from the reply to a hook. Undefined for a silent reply. */
export function readDemoNote(reply: string): string | undefined {
  if (reply.trim() === '') return undefined;
  const { hookSpecificOutput } = JSON.parse(reply) as { hookSpecificOutput?: { additionalContext?: string } };
  return hookSpecificOutput?.additionalContext;
}

function toHook(eventName: string, { sessionId, callId, cwd, command }: DemoCall, more: object): DemoHook {
  const call = { session_id: sessionId, cwd, tool_name: 'Bash', tool_use_id: callId, tool_input: { command } };
  return { eventName, wire: JSON.stringify({ ...call, hook_event_name: eventName, transcript_path: '', ...more }) };
}
