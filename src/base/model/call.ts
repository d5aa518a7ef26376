/** One tool call of an agent with its outcome. Text fields are redacted before a Call exists. */

import type { TextRemoval } from '../storage/retention.ts';
import type { Outcome, TokenUsage } from './event.ts';
import type { Signature } from './signature.ts';
import type { ToolName } from './tool.ts';

export const INPUT_SUMMARY_CHARS = 200;
export const OUTPUT_SUMMARY_CHARS = 500;

/** `agent`: its own figure. `paired`: before and after by call id. `gap`: time since the last call, an estimate. */
export type DurationSource = 'agent' | 'paired' | 'gap';

export interface Call {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  /** Never empty: where the agent gives none, tool + input hash + n-th. */
  readonly callId: string;
  readonly projectId: string;
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly outcome: Outcome;
  /** `exit-code`, `error-flag`, `timeout`, `user-refusal` …: what the outcome rests on. */
  readonly outcomeType: string;
  readonly exitCode?: number;
  /** A failure hidden by a pipe or `|| true`, known only from its text. */
  readonly masked: boolean;
  /** The cause line of a failure. */
  readonly message?: string;
  readonly signature?: Signature;
  readonly inputHash?: string;
  readonly inputSummary?: string;
  readonly outputSummary?: string;
  readonly program?: string;
  readonly targetPath?: string;
  readonly durationMs?: number;
  readonly durationSource?: DurationSource;
  /** Of the answers of the model before it that no earlier call has, where the agent records them. */
  readonly tokens?: TokenUsage;
  /** What it wanted, see `intent.ts`. */
  readonly intentKey?: string;
  readonly occurredAt: string;
}

/** A call while it is in memory: with the text that learning reads and that is never stored. */
export interface LiveCall extends Call {
  /** The whole command, redacted. */
  readonly command?: string;
  /** The output, redacted and cut to a window. */
  readonly output?: string;
  /** What else the tool was given: short parameters by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly model?: string;
  readonly agentVersion?: string;
  /** Who told it: of a transcript `occurredAt` is when it began, of a hook when it ended. */
  readonly source?: 'hook' | 'transcript';
  /** Calls of its context that were under way when it began, where hooks told: nobody had read their results. */
  readonly beside?: readonly string[];
  /** Where it was read. */
  readonly evidence?: { readonly file: string; readonly line: number };
}

/** A call as the store gives it back. */
export interface StoredCall extends Call {
  readonly id: string;
  readonly precedingId?: string;
  /** Why retention removed its text. */
  readonly textRemoved?: TextRemoval;
}
