/**
 * An agent event: one action of an agent, or one thing that happened to it, with the call's input, result and tokens.
 * Events from a hook and from a transcript have the same shape. A call's result contains facts and text only; its
 * outcome is judged later, and `cancelled` and `denied` calls are never failures.
 */

import type { ToolName } from './tool.ts';

export interface EventOrigin {
  /** The `id` in the facts of the agent. */
  readonly agent: string;
  /** The agent's own session id. */
  readonly sessionId: string;
  /** The id of the sub-agent; the empty string is the main conversation. */
  readonly contextId: string;
  /** ISO time. */
  readonly at: string;
  readonly source: 'hook' | 'transcript';
  readonly cwd?: string;
  readonly branch?: string;
  /** The remote of the repository that contains `cwd`, if the transcript names it: `host/owner/name`, or a folder. */
  readonly repository?: string;
  /** The commit that was checked out when the session began. */
  readonly commit?: string;
  readonly model?: string;
  readonly agentVersion?: string;
  /** The agent's process and its host, where a hook sent them. */
  readonly pid?: number;
  readonly host?: string;
  /** The agent's transcript of this session. */
  readonly transcriptPath?: string;
  /** 1-based line of the transcript, where the event was read from one. */
  readonly line?: number;
}

/** A tool's input, reduced to the parts that lessons can match. */
export interface ToolInput {
  /** Shell tools: the command line. */
  readonly command?: string;
  /** File tools: the file. */
  readonly path?: string;
  /** Edits and writes: the new text. */
  readonly content?: string;
  /** The whole input as JSON text, only to be redacted and hashed. */
  readonly json: string;
  /** Other input, such as a sandbox to leave, if `json` is cut down to what the hook would receive. */
  readonly more?: string;
  /** Short parameters by name, each as text. Filled in when the event is cleaned. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface StartedCall {
  /** The agent's own id of the call; empty if the agent gives its hooks none. */
  readonly callId: string;
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly input: ToolInput;
}

export interface EndedCall extends StartedCall {
  readonly result: CallResult;
  /** Tokens of the model's answers since the previous call, where the agent records them. */
  readonly tokens?: TokenUsage;
}

/** The conversation that makes a call. */
export interface CallAuthor {
  readonly subagentType?: string;
  /** The custom agent that the main conversation was started as. */
  readonly startedAs?: string;
}

export type AgentEvent = EventOrigin &
  (
    | ({ readonly kind: 'call-started' } & CallAuthor & StartedCall)
    | ({ readonly kind: 'call-ended' } & EndedCall)
    /**
     * A call has returned, but the hook does not say all that a record needs: the id of the call, or how it ended. The
     * event is answered and not recorded; the session file of the agent reports the end.
     */
    | ({ readonly kind: 'call-returned' } & EndedCall)
    /**
     * The results of a batch as the model sees them, including calls without an event of their own. Weaker evidence
     * than `call-ended`.
     */
    | { readonly kind: 'batch-ended'; readonly calls: readonly EndedCall[] }
    /** The end of a call that ran in the background. Its input is empty if its start was not seen. */
    | ({ readonly kind: 'background-ended' } & EndedCall)
    | { readonly kind: 'session-started'; readonly start: SessionStart }
    | { readonly kind: 'session-ended'; readonly reason: string }
    | { readonly kind: 'prompted'; readonly text: string }
    /** A message of the agent to the user. */
    | { readonly kind: 'said'; readonly text: string }
    /** The user interrupted the agent. */
    | { readonly kind: 'interrupted' }
    | { readonly kind: 'turn-ended' }
    | { readonly kind: 'subagent-started'; readonly subagentType: string }
    | { readonly kind: 'subagent-ended'; readonly subagentType: string }
    | { readonly kind: 'compacting' }
    | { readonly kind: 'compacted' }
  );

export type SessionStart = 'startup' | 'resume' | 'clear' | 'compact' | 'fork' | 'unknown';

export type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

/**
 * The outcome of a call. `partial` is a success whose output warns. `cancelled` and `denied` calls did not run to their
 * own end, so they are counted apart and are never failures.
 */
export type Outcome = 'success' | 'failure' | 'partial' | 'cancelled' | 'denied';

/** Did the call succeed? False if the call or its outcome is unknown. */
export function hasWorked(call: { readonly outcome?: Outcome } | undefined): boolean {
  return call?.outcome === 'success' || call?.outcome === 'partial';
}

/** The agent's report about the end of a call: facts and text, before the outcome is judged. */
export interface CallResult {
  /** The agent's own error flag or failure event. */
  readonly isError: boolean;
  /** Absent where the agent gives none. */
  readonly exitCode?: number;
  /** The call's output, as far as the agent records it; may be long. */
  readonly text: string;
  readonly denied?: Denial;
  /** Stopped from outside: by an interrupt, or because a sibling of its parallel batch failed. */
  readonly cancelled?: boolean;
  /** Started and still running; its end is reported later, if at all. */
  readonly background?: boolean;
  /** No end was ever reported, because the session died or moved on. Any later report of an end replaces this one. */
  readonly unended?: boolean;
  /** As the agent reports it. */
  readonly durationMs?: number;
  /** Measured from the start event to the end event of the call. */
  readonly pairedMs?: number;
  /**
   * An estimate, if nothing better is known: the time since the previous call of the context, or a share of the time of
   * the script that made the call.
   */
  readonly gapMs?: number;
}

export interface Denial {
  /** Absent if the agent does not name the source; a permission rule is assumed then. */
  readonly by?: 'user' | 'rule' | 'hook' | 'oncebitten';
  /** The user's comment on the refusal, if any. */
  readonly words?: string;
}

/** Tokens as an agent records them: read uncached, read from a cache, and written. */
export interface TokenUsage {
  readonly input: number;
  /** Not included in `input`. */
  readonly cached: number;
  readonly output: number;
}

/**
 * The milliseconds from one ISO time to another. Undefined if the clock went backwards, because no duration is better
 * than a negative one.
 */
export function toElapsedMs(from: string, to: string): number | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : undefined;
}
