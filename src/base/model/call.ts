/** One tool call of an agent with its outcome. Text fields are redacted before a Call exists. */

import type { TextRemoval } from '../storage/retention.ts';
import type { CallResult, Outcome, TokenUsage } from './event.ts';
import type { ContextKey } from './session.ts';
import type { Signature } from './signature.ts';
import type { ToolName } from './tool.ts';

export const INPUT_SUMMARY_CHARS = 200;
export const OUTPUT_SUMMARY_CHARS = 500;

/** `agent`: its own figure. `paired`: before and after by call id. `gap`: time since the last call, an estimate. */
type DurationSource = 'agent' | 'paired' | 'gap';

export interface Call extends ContextKey {
  /** Never empty: where the agent gives no id, it is made from the tool, the hash of the input and a counter. */
  readonly callId: string;
  readonly projectId: string;
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly outcome: Outcome;
  /** The evidence for the outcome: `exit-code`, `error-flag`, `timeout`, `user-refusal` … */
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
  /** Tokens of the model's answers since the previous call, where the agent records them. */
  readonly tokens?: TokenUsage;
  /** What the call is for, see `intent.ts`. */
  readonly intentKey?: string;
  readonly occurredAt: string;
}

/** A call in memory, with text that learning reads and the store never keeps. */
export interface LiveCall extends Call {
  /** The whole command, redacted. */
  readonly command?: string;
  /** The output, redacted and cut to a window. */
  readonly output?: string;
  /** Other parameters of the tool, short ones only, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** It did not end by itself: it ran out of time, or was stopped after a long silence. */
  readonly hung?: true;
  readonly cwd?: string;
  /** The folder of the project, where `cwd` may be a folder inside. */
  readonly projectRoot?: string;
  /** The exact form of the call, see `exact-call.ts`; absent where the same call never comes again. */
  readonly exactKey?: string;
  /** Of a failed call that is remembered by its exact form: the things that it needs, see `changed-things.ts`. */
  readonly needs?: readonly string[];
  /** Of a working call: the things that it may have changed. */
  readonly touches?: readonly string[];
  readonly model?: string;
  readonly agentVersion?: string;
  /** Where the call was reported. In a transcript `occurredAt` is the start of the call, in a hook its end. */
  readonly source?: 'hook' | 'transcript';
  /**
   * Calls of the same context that were running when this one began, where hooks reported them: the agent had not read
   * their results yet.
   */
  readonly parallelCallIds?: readonly string[];
  /** The transcript line that the call was read from. */
  readonly evidence?: { readonly file: string; readonly line: number };
}

/** A call as the store returns it. */
export interface StoredCall extends Call {
  readonly id: string;
  readonly precedingId?: string;
  /** Why retention removed its text. */
  readonly textRemoved?: TextRemoval;
}

/** The duration of a call, and its source. */
export function toDuration({ durationMs, pairedMs, gapMs }: CallResult): Pick<Call, 'durationMs' | 'durationSource'> {
  if (durationMs !== undefined && durationMs >= 0) return { durationMs, durationSource: 'agent' };
  if (pairedMs !== undefined) return { durationMs: pairedMs, durationSource: 'paired' };
  return gapMs === undefined ? {} : { durationMs: gapMs, durationSource: 'gap' };
}

/** A call that is known only from the model's copy of its result, which the outcome type then says. */
export function toReportedCall<T extends Call>(call: T): T {
  return { ...call, outcomeType: `told-${call.outcomeType}` };
}
