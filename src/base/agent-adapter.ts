/**
 * SEAM: a coding agent. Facts are data; wire shapes are parsed here and nowhere else; nothing past this seam knows an
 * agent's name. An adapter is pure: it reads no file and keeps no state, so it runs in the hook as well as in a scan.
 */
import type { AgentEvent, StartedCall } from './event.ts';
import type { HookReply } from './reply.ts';

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

  /**
   * A reader for one transcript. Feed it the lines in order; it may hold a call back until its result arrives.
   * Absence: an empty list for lines that tell of nothing we use.
   * Failure: never throws; a line that is not what the format says is counted in `skipped` under its reason.
   */
  openTranscript(file: TranscriptFile): TranscriptReader;
}

export interface AgentFacts {
  /** `claude-code`: used on the command line, in tables, in hook commands. */
  readonly id: string;
  readonly name: string;
  /** Where sessions are, relative to the agent's home folder, and what their files are called. */
  readonly sessions: { readonly folder: string; readonly suffix: string };
  /** The agent's home folder: an environment variable that moves it, else a folder in the user's home. */
  readonly home: { readonly env: string; readonly folder: string };
  /** Its program on the PATH, and the version in which these facts were seen. */
  readonly program: { readonly name: string; readonly seenVersion: string };
  readonly hooks: HookFacts;
  /** What the agent does not tell or take, in words for a person who wonders what is missing. */
  readonly gaps: readonly string[];
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

export interface TranscriptFile {
  readonly path: string;
  /** Line number of the first line that will be fed. */
  readonly firstLine: number;
}

export interface TranscriptReader {
  read(line: string): readonly AgentEvent[];
  /**
   * The line of the oldest row that is held back for a later one; undefined when nothing is. A later scan has to
   * start there, or the calls that were under way at the end of this one are lost.
   */
  readonly pendingLine: number | undefined;
  /** The calls that still wait, as never ended: of a file that nobody writes to any more. They go on waiting. */
  leave?(): readonly AgentEvent[];
  /** Reason -> count of lines that could not be used. */
  readonly skipped: ReadonlyMap<string, number>;
}
