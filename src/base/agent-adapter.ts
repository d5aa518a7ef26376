/**
 * SEAM: a coding agent's hooks. Facts are data; wire shapes are parsed here and nowhere else; nothing past this seam
 * knows an agent's name. An adapter is pure: it reads no file and keeps no state. It runs in the hook: what only a scan
 * needs is apart (`agent-history.ts`).
 */
import type { AgentHome } from './agent-history.ts';
import type { AgentEvent, EventOf, StartedCall } from './event.ts';
import type { DeliveryMode } from './lesson.ts';
import type { HookReply } from './reply.ts';
import type { Talk } from './talk.ts';

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

export interface HookFacts {
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

export interface HookSwitch {
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
