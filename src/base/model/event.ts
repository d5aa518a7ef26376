/**
 * An agent event: one action of an agent, or one thing that happened to it, with the call's input, result and tokens.
 * Events from a hook and from a transcript have the same shape. A call's result contains facts and text only; its
 * outcome is judged later, and `cancelled` and `denied` calls are never failures.
 */

import type { ToolName } from './tool.ts';

export interface EventOrigin {
  /** Which agent: the `id` of its facts. */
  readonly agent: string;
  /** The agent's own session id: a raw partition key. */
  readonly sessionId: string;
  /** Sub-agent id; the empty string is the main conversation. */
  readonly contextId: string;
  /** ISO time. */
  readonly at: string;
  readonly source: 'hook' | 'transcript';
  readonly cwd?: string;
  readonly branch?: string;
  /** The remote of the repository that `cwd` is in, where the transcript tells it: `host/owner/name`, or a folder. */
  readonly repository?: string;
  /** The commit that was checked out there when the session began. */
  readonly commit?: string;
  readonly model?: string;
  readonly agentVersion?: string;
  /** The agent's process and its host, where a hook told them. */
  readonly pid?: number;
  readonly host?: string;
  /** The agent's transcript of this session. */
  readonly transcriptPath?: string;
  /** 1-based line of the transcript, where the event was read from one. */
  readonly line?: number;
}

/** A tool's input, reduced to what lessons can speak about. */
export interface ToolInput {
  /** Shell tools: the command line. */
  readonly command?: string;
  /** File tools: the file. */
  readonly path?: string;
  /** Edits and writes: the new text. */
  readonly content?: string;
  /** The whole input as JSON text, only to be redacted and hashed. */
  readonly json: string;
  /** What the tool was given beside that, where `json` is cut down to what a hook is told: a sandbox to be left. */
  readonly more?: string;
  /** Short parameters by name, each as text. Made when an event is cleaned. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface StartedCall {
  readonly callId: string;
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly input: ToolInput;
}

export interface EndedCall extends StartedCall {
  readonly result: CallResult;
  /** Of the answers of the model before it that no earlier call has, where the agent records them. */
  readonly tokens?: TokenUsage;
}

/** Who makes a call. */
export interface CallAuthor {
  readonly subagentType?: string;
  /** The agent that the main conversation was started as. */
  readonly startedAs?: string;
}

export type AgentEvent = EventOrigin &
  (
    | ({ readonly kind: 'call-started' } & CallAuthor & StartedCall)
    | ({ readonly kind: 'call-ended' } & EndedCall)
    /** What the model was told about a batch: also the calls that fire nothing else. Weaker than `call-ended`. */
    | { readonly kind: 'batch-ended'; readonly calls: readonly EndedCall[] }
    /** The end of a call that was left running. Its input is empty where the start was not seen. */
    | ({ readonly kind: 'background-ended' } & EndedCall)
    | { readonly kind: 'session-started'; readonly start: SessionStart }
    | { readonly kind: 'session-ended'; readonly reason: string }
    | { readonly kind: 'prompted'; readonly text: string }
    /** The agent's own words to the user. */
    | { readonly kind: 'said'; readonly text: string }
    /** The user stopped the agent in its turn. */
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
 * How a call ended. `partial` is a success whose output warns. `cancelled` and `denied` calls never ran to an end of
 * their own: they are kept apart and are never failures.
 */
export type Outcome = 'success' | 'failure' | 'partial' | 'cancelled' | 'denied';

/** Did the call do what it was asked? Not where the call or its outcome is unknown. */
export function hasWorked(call: { readonly outcome?: Outcome } | undefined): boolean {
  return call?.outcome === 'success' || call?.outcome === 'partial';
}

/** What the agent reported about the end of a call, before anybody judged it. Facts and text, no verdict. */
export interface CallResult {
  /** The agent's own error flag or failure event. */
  readonly isError: boolean;
  /** Absent where the agent gives none. */
  readonly exitCode?: number;
  /** What the call printed, as far as the agent tells; may be long. */
  readonly text: string;
  readonly denied?: Denial;
  /** Ended from outside: an interrupt, or a sibling of a parallel batch that failed. */
  readonly cancelled?: boolean;
  /** Started, and still running somewhere: how it ends is told later, if at all. */
  readonly background?: boolean;
  /** No end was ever told: the session died or moved on. Any telling of an end is better. */
  readonly unended?: boolean;
  /** The agent's own figure. */
  readonly durationMs?: number;
  /** From before to after, by call id. */
  readonly pairedMs?: number;
  /** Since the previous call of the context, or a share of the script that made the call: an estimate, where nothing better is known. */
  readonly gapMs?: number;
}

export interface Denial {
  /** Absent where the agent does not say: then a rule. */
  readonly by?: 'user' | 'rule' | 'hook' | 'oncebitten';
  /** What the user said, where they said something. */
  readonly words?: string;
}

/** Tokens as an agent records them: what the model read anew, what it read from a cache, and what it wrote. */
export interface TokenUsage {
  readonly input: number;
  /** No part of `input`. */
  readonly cached: number;
  readonly output: number;
}
