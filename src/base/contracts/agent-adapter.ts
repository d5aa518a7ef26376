/**
 * SEAM: the hooks of a coding agent: the adapter, its facts, the replies it writes, and the last messages of its
 * conversation. Facts are data; only the adapter parses the agent's wire shapes, and nothing past this seam knows an
 * agent's name. An adapter is pure (it reads no file and keeps no state) and runs in the hook, so code that only a scan
 * needs belongs to `agent-history.ts`.
 */

import type { AgentEvent, EventOf, StartedCall } from '../model/event.ts';
import type { DeliveryMode } from '../model/lesson.ts';
import type { AgentHome } from './agent-history.ts';

export interface AgentAdapter {
  readonly facts: AgentFacts;

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

  /** Absence: nobody can read along with this agent, and lessons that ask what was said stay silent. */
  readonly talk?: AgentTalk;
}

/** What was said last, from the file that an agent writes while it works. Only lessons that ask for it have it read. */
export interface AgentTalk {
  /** The file of the conversation that makes the call; undefined where nobody can tell which it is. */
  findFile(event: EventOf<'call-started'>): string | undefined;

  /** From the end of that file, which may begin within a line. Failure: what cannot be read is passed over. Never throws. */
  parse(tail: string, contextId: string): Talk;

  /** Does this line hold what a hook said, and not what a tool printed? Anybody can print what looks like our words. */
  isFromHook(line: string): boolean;
}

export interface AgentFacts {
  /** `claude-code`: used on the command line, in tables, in hook commands. */
  readonly id: string;
  readonly name: string;
  /** The agent's home folder. */
  readonly home: AgentHome;
  /** Its program on the PATH, and the version in which these facts were seen. */
  readonly program: { readonly name: string; readonly seenVersion: string };
  readonly hooks: HookFacts;
  /** The ways in which a lesson can reach a call of this agent. */
  readonly modes: readonly DeliveryMode[];
}

interface HookFacts {
  /** The settings file in the agent's home folder; in a project's folder of that name, the one that a team shares. */
  readonly settingsFile: string;
  /** In a project: the settings file that is one person's own. */
  readonly ownSettingsFile: string;
  /** An administrator's settings file, by platform. */
  readonly managedFiles: Readonly<Record<string, string>>;
  /** Settings that keep hooks from running. */
  readonly switches: readonly HookSwitch[];
  readonly events: readonly HookEventFacts[];
  /** The agent's own limit for one hook, in the agent's unit. */
  readonly timeout: number;
}

interface HookSwitch {
  /** A top-level key; `true` turns our hooks off. */
  readonly key: string;
  /** Counts only in the administrator's file. */
  readonly managedOnly: boolean;
}

export interface HookEventFacts {
  readonly name: string;
  /** The agent need not wait: nothing is answered. */
  readonly async: boolean;
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
export interface Talk {
  /** What a person or the agent said, oldest first: no tool's output, nothing that the agent's own machinery put in. */
  readonly messages: readonly string[];
  /** The slash command or skill that was called last, without its slash. */
  readonly workflow?: string;
}

/** So many of the last messages are looked at for keywords. */
export const LAST_MESSAGES = 5;
