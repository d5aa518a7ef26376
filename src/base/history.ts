/** The past as a person asks for it: how much was done, and how much of it failed. */
import type { SessionKey } from './forgotten.ts';
import type { Session } from './session.ts';

export interface HistoryFilter {
  readonly agent?: string;
  /** Any id of a joined project stands for all of them. */
  readonly projectIds?: readonly string[];
  readonly model?: string;
  /** From this time on. */
  readonly since?: string;
  /** Up to this time, without it. */
  readonly until?: string;
}

/** Calls of agents by what became of them. */
export interface CallCounts {
  readonly calls: number;
  readonly failures: number;
  /** Failures whose exit code was hidden, known from their text only: not among `failures`. */
  readonly masked: number;
  readonly denied: number;
  readonly cancelled: number;
}

/** The calls of one session in one project on one day (UTC): any other grouping is a sum of these. */
export interface HistoryCell extends CallCounts {
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly model?: string;
  /** `2026-01-31`. */
  readonly day: string;
  /** Of somebody's hooks, as the agent recorded them: no calls. */
  readonly hookFailures: number;
  readonly first: string;
  readonly last: string;
}

export interface SignatureCount {
  readonly signature: string;
  readonly program: string;
  readonly message: string;
  readonly count: number;
  /** How many of them were hidden by their command. */
  readonly masked: number;
  readonly sessions: number;
  readonly last: string;
}

export interface SessionFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  readonly idPrefix?: string;
  /** The runs of sub-agents of this session that have an id of their own. */
  readonly parent?: SessionKey;
  readonly projectIds?: readonly string[];
  readonly limit: number;
}

export type SessionSummary = Session & CallCounts;
