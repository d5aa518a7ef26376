/**
 * SEAM: the hooks of a coding agent: the payloads it sends, the replies it takes, and the last messages of its
 * conversation. Only the adapter parses the agent's wire shapes, and nothing past this seam knows an agent's name. An
 * adapter is pure (it reads no file and keeps no state) and runs in the hook, so code that only a scan needs belongs to
 * `agent-history.ts`, and code that only an installation needs to `agent-install.ts`.
 */

import type { AgentEvent, EventOf, StartedCall } from '../model/event.ts';
import type { AgentCapabilities } from './agent-capabilities.ts';
import type { AgentFacts } from './agent-facts.ts';

export interface AgentAdapter {
  readonly facts: AgentFacts;

  readonly capabilities: AgentCapabilities;

  /**
   * Parses one hook payload into an event. Undefined for an unknown event and for a payload that lacks a required field
   * (session id, tool of a call); the hook then replies nothing. Missing optional fields are left out of the event.
   * Never throws, whatever the payload is.
   */
  readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined;

  /** A call in the agent's own notation (`Bash`, `{"command":…}`), to try out which lessons would fire on it. */
  readCall(rawTool: string, input: unknown, callId: string): StartedCall;

  /** The payload with which the agent would report this shell command; `doctor` proves delivery with it. */
  writeProbe(command: string, cwd: string): HookProbe;

  /** Absent: payloads say how a call ended, or the session file is not written in time. */
  readonly ending?: EndingReader;

  /** The reply in the agent's own format, with the agent's own event name: one line without a newline. */
  writeHook(reply: HookReply): string;

  /** The reply if there is nothing to deliver. Absent: none. */
  readonly silence?: string;

  /**
   * The agent that sent this payload, if another agent runs the hooks in this one's settings. Method absent: no other
   * agent does. Undefined: the payload is this agent's own. `unknown`: another agent sent it in a form we cannot parse,
   * so nothing is counted or answered.
   */
  findGuest?(payload: unknown): HookCaller | 'unknown' | undefined;

  /** Absent: the agent's conversation cannot be read, and lessons that ask about it stay silent. */
  readonly conversation?: ConversationReader;
}

export interface HookProbe {
  readonly eventName: string;
  readonly wire: string;
  /** The kind of the event that it is: one whose reply can carry a note about a call. */
  readonly to: 'call-started' | 'call-returned' | 'call-ended';
}

/** Finds the end of a call in the session file, for an agent that writes it there before it runs the hook. */
export interface EndingReader {
  /** `tail`: the end of the session file, which may begin within a line. Undefined if it does not report the end. */
  complete(event: EventOf<'call-returned'>, tail: string): EventOf<'call-ended'> | undefined;
}

/** The agent that called the hook: its events are counted under its id and answered in its format. */
export interface HookCaller extends Pick<AgentAdapter, 'readHook' | 'writeHook' | 'capabilities' | 'ending'> {
  readonly id: string;
  /** The reply if there is nothing to deliver. */
  readonly silence: string;
}

/**
 * Reads the last messages from the file that an agent writes while it works. The file is read only for lessons that ask
 * about the conversation.
 */
export interface ConversationReader {
  /** The file of the conversation that makes the call; undefined if it cannot be determined. */
  findFile(event: EventOf<'call-started'>): string | undefined;

  /** Parses the end of that file, which may begin within a line. Skips what it cannot parse and never throws. */
  parse(tail: string, contextId: string): Conversation;

  /** Does this line contain a hook's text, and not a tool's output? Any program can print text that looks like ours. */
  isFromHook(line: string): boolean;
}

/** Our reply to a hook, before it is put into the agent's format. */
export type HookReply = NoteReply | RefusalReply | RewriteReply;

/** Advisory text for the model. It never carries a permission decision. */
export interface NoteReply {
  readonly kind: 'note';
  /** The `kind` of the event that it answers. */
  readonly to: 'call-started' | 'session-started' | 'subagent-started' | 'call-ended' | 'call-returned' | 'batch-ended';
  readonly context: string;
}

/** The call is refused. */
interface RefusalReply {
  readonly kind: 'refusal';
  readonly to: 'call-started';
  /** For the model: why the call was refused, and the remedy. */
  readonly reason: string;
  /** For the user: which call was refused, and how to mute the lesson. */
  readonly notice: string;
}

/**
 * The first words of our refusals. Agents report every hook's refusal as an error of the call; these words identify
 * ours, so that it is counted neither as a failure nor as the user's refusal.
 */
export const OWN_REFUSAL = 'Oncebitten held this call back';

/** Longer than any text that an agent puts before a hook's reason. */
const MAX_PREFIX_CHARS = 200;

export function isOwnRefusal(text: string): boolean {
  return text.slice(0, MAX_PREFIX_CHARS + OWN_REFUSAL.length).includes(OWN_REFUSAL);
}

/** The call runs with another input. This grants no permission: the agent still asks the user as before. */
interface RewriteReply {
  readonly kind: 'rewrite';
  readonly to: 'call-started';
  /** The tool's whole input as the agent sent it, as JSON. */
  readonly input: string;
  /** The command line that replaces the one in the input. */
  readonly command: string;
  readonly context: string;
  readonly notice: string;
}

/** The end of a conversation. In memory only, because it is not redacted. */
export interface Conversation {
  /** Messages of the user and the agent, oldest first, without tool output and the agent software's own text. */
  readonly messages: readonly string[];
  /** The slash command or skill that was last started, without its slash. */
  readonly workflow?: string;
}

/** The number of last messages that are searched for keywords. */
export const LAST_MESSAGES = 5;
