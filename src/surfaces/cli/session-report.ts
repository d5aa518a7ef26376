/** One session as a person or a program reads it: who, where, and what happened in order. */
import type { Call } from '../../base/call.ts';
import type { Delivery } from '../../base/delivery.ts';
import type { SessionSummary } from '../../base/history.ts';
import type { TextRemoval } from '../../base/retention.ts';

export interface SessionReport {
  readonly session: SessionSummary & { readonly projectName?: string };
  /** Runs of sub-agents that have a session id of their own. */
  readonly children: readonly SessionSummary[];
  /** How many calls there are, and the first and the most that were asked for. */
  readonly total: number;
  readonly from: number;
  readonly limit: number;
  readonly onlyFailures: boolean;
  readonly timeline: readonly TimelineEntry[];
}

export type TimelineEntry = CallEntry | HookEntry | ToldEntry;

interface Place {
  readonly at: string;
  readonly sessionId: string;
  /** A sub-agent; empty in the main conversation. */
  readonly contextId: string;
  /** How deep among sub-agents. */
  readonly depth: number;
}

type CallFacts = Pick<
  Call,
  | 'callId'
  | 'tool'
  | 'rawTool'
  | 'outcome'
  | 'outcomeType'
  | 'exitCode'
  | 'masked'
  | 'message'
  | 'program'
  | 'targetPath'
> &
  Pick<Call, 'durationMs' | 'durationSource'> & {
    /** The beginning of its input. */
    readonly input?: string;
    readonly signature?: string;
    /** Why retention removed its text. */
    readonly textRemoved?: TextRemoval;
  };

export interface CallEntry extends Place, CallFacts {
  readonly kind: 'call';
  /** From 1, in the order of time, through the whole session. */
  readonly n: number;
  /** The lessons that it was told of. */
  readonly told: readonly Told[];
}

/** A run of somebody's hook, which the agent recorded. */
export interface HookEntry extends Place, CallFacts {
  readonly kind: 'hook';
}

/** A lesson that was shown at no call we know: at the session's start, or at a call that is not kept. */
export interface ToldEntry extends Place, Told {
  readonly kind: 'told';
}

export interface Told {
  readonly lesson: string;
  /** Absent where the lesson is gone. */
  readonly summary?: string;
  readonly mode: Delivery['mode'];
  readonly arm: Delivery['arm'];
  /** How it was judged; absent until then. */
  readonly judged?: NonNullable<Delivery['outcome']>;
}
