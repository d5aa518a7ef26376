/** Failures as a person asks for them: by signature, or one by one. */
import type { TextRemoval } from './retention.ts';

export interface FailureFilter {
  readonly projectIds?: readonly string[];
  readonly agent?: string;
  readonly sessionId?: string;
  /** From this time on. */
  readonly since?: string;
  readonly signature?: string;
  /** Only those after which nothing with the same intent succeeded in the project. */
  readonly unresolved?: boolean;
  readonly limit: number;
}

export interface FailureGroup {
  /** Absent where the failure said nothing that could be told again. */
  readonly signature?: string;
  /** The program that failed, or the tool where there was none. */
  readonly program: string;
  /** The message of one of them; the form of all of them once the text has gone. */
  readonly message?: string;
  /** Failed calls, as every report counts them. */
  readonly count: number;
  /** Beside them: failures whose command hid the exit code, known from their text only. */
  readonly masked: number;
  /** These are runs of somebody's hook, which the agent records, and no calls of the agent. */
  readonly isHook: boolean;
  readonly sessions: number;
  readonly projects: number;
  readonly first: string;
  readonly last: string;
}

export interface FailedCall {
  readonly id: string;
  readonly at: string;
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly tool: string;
  readonly program?: string;
  readonly command?: string;
  readonly exitCode?: number;
  readonly message?: string;
  readonly signature?: string;
  readonly branch?: string;
  readonly masked: boolean;
  /** Why retention removed its text. */
  readonly textRemoved?: TextRemoval;
}
