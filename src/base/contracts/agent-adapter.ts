/**
 * SEAM: the hooks of a coding agent: the payloads it sends, the replies it takes, and the last messages of its
 * conversation. Only the adapter parses the agent's wire shapes, and nothing past this seam knows an agent's name. An
 * adapter is pure (it reads no file and keeps no state) and runs in the hook, so code that only a scan needs belongs to
 * `agent-history.ts`, and code that only an installation needs to `agent-install.ts`.
 */

import type { AgentEvent, EventOf, StartedCall } from '../model/event.ts';
import type { DeliveryMode } from '../model/lesson.ts';
import type { AgentFacts } from './agent-facts.ts';

export interface AgentAdapter {
  readonly facts: AgentFacts;

  /** The ways in which a lesson can reach a call of this agent. */
  readonly modes: readonly DeliveryMode[];

  /**
   * One hook payload, parsed from JSON, to an event.
   * Absence: undefined for an event we do not know and for a payload without what makes it usable (no session id, a
   * call without a tool); the agent then hears nothing. A missing optional field is left out of the event.
   * Failure: never throws, whatever the payload is.
   */
  readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined;

  /** A call in the agent's own words (`Bash`, `{"command":…}`), for trying out what would be said about it. */
  readCall(rawTool: string, input: unknown, callId: string): StartedCall;

  /** What the agent would send before it runs this shell command: `doctor` proves delivery with it. */
  writeProbe(command: string, cwd: string): { readonly eventName: string; readonly wire: string };

  /** The reply in the agent's own envelope, with the agent's own name of the event: one line without a newline. */
  writeHook(reply: HookReply): string;

  /**
   * The agent that sent this payload, where another agent runs the hooks of this one's settings. Absence of the method:
   * nobody else runs them. Undefined: the payload is this agent's own. `unknown`: another agent sent it, and we cannot
   * read what it says, so nothing is counted or answered.
   */
  findGuest?(payload: unknown): HookCaller | 'unknown' | undefined;

  /** Absence: nobody can read along with this agent, and lessons that ask what was said stay silent. */
  readonly conversation?: ConversationReader;
}

/** The agent at the other end of a hook: each event is counted under its id and answered in its own format. */
export interface HookCaller extends Pick<AgentAdapter, 'readHook' | 'writeHook' | 'modes'> {
  readonly id: string;
  /** What is printed when there is nothing to say. */
  readonly silence: string;
}

/** What was said last, from the file that an agent writes while it works. Only lessons that ask for it have it read. */
export interface ConversationReader {
  /** The file of the conversation that makes the call; undefined where nobody can tell which it is. */
  findFile(event: EventOf<'call-started'>): string | undefined;

  /** From the end of that file, which may begin within a line. Failure: what cannot be read is passed over. Never throws. */
  parse(tail: string, contextId: string): Conversation;

  /** Does this line hold what a hook said, and not what a tool printed? Anybody can print what looks like our words. */
  isFromHook(line: string): boolean;
}

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
interface RefusalReply {
  readonly kind: 'refusal';
  readonly to: 'call-started';
  /** For the model: why, and what works. */
  readonly reason: string;
  /** For the user: what was held back, and how to silence it. */
  readonly notice: string;
}

/** The call goes on with another input. It is no permission: the user is asked as before. */
interface RewriteReply {
  readonly kind: 'rewrite';
  readonly to: 'call-started';
  /** The tool's whole input as the agent sent it, JSON. */
  readonly input: string;
  /** The command line that runs instead of the one in it. */
  readonly command: string;
  readonly context: string;
  readonly notice: string;
}

/** What was said last in a conversation, as its agent keeps it. In memory only: it is not redacted. */
export interface Conversation {
  /** What a person or the agent said, oldest first: no tool's output, nothing that the agent's own machinery put in. */
  readonly messages: readonly string[];
  /** The slash command or skill that was called last, without its slash. */
  readonly workflow?: string;
}

/** So many of the last messages are looked at for keywords. */
export const LAST_MESSAGES = 5;
