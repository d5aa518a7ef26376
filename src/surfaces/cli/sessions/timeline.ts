/**
 * Builds the report on one session for a person or a program: agent, project, and the calls, hook runs and delivered
 * lessons of the session and its sub-agents in time order.
 */

import type { Call, StoredCall } from '../../../base/model/call.ts';
import { type Delivery, isOfFailure } from '../../../base/model/delivery.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { isHookRun } from '../../../base/model/tool.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { SessionSummary } from '../../../base/statistics/history.ts';
import type { TextRemoval } from '../../../base/storage/retention.ts';

export interface SessionReport {
  readonly session: SessionSummary & { readonly projectName?: string };
  /** Runs of sub-agents that have a session id of their own. */
  readonly children: readonly SessionSummary[];
  /** How many calls there are, and the first and the most that were asked for. */
  readonly total: number;
  readonly from: number;
  readonly limit: number;
  readonly onlyFailures: boolean;
  /** The value of `--from` for the next page; null on the last one. */
  readonly next: number | null;
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
  /** The lessons delivered at this call. */
  readonly told: readonly Told[];
}

/** A run of a user's hook that the agent recorded. */
export interface HookEntry extends Place, CallFacts {
  readonly kind: 'hook';
}

/** A lesson that was shown at no call we know: at the session's start, or at a call that is not kept. */
interface ToldEntry extends Place, Told {
  readonly kind: 'told';
}

export interface Told {
  /** The slug; of a known fix, its id. */
  readonly lesson: string;
  /** Absent where the lesson is gone. */
  readonly summary?: string;
  readonly mode: Delivery['mode'];
  readonly arm: Delivery['arm'];
  /** How it was judged; absent until then. */
  readonly judged?: NonNullable<Delivery['outcome']>;
}

interface TimelineParts {
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly Delivery[];
  readonly lessons: ReadonlyMap<string, Lesson>;
  /** Depth of a sub-agent's session below the shown session. */
  readonly depths: ReadonlyMap<string, number>;
}

interface TimelinePage {
  readonly from: number;
  readonly limit: number;
  readonly onlyFailures: boolean;
}

/** Calls, hook runs and lessons of a session and its sub-agents, in the order of time. */
export function toTimeline(parts: TimelineParts): readonly TimelineEntry[] {
  const told = Map.groupBy(parts.deliveries, toKey);
  const known = new Set(parts.calls.map(toKey));
  const strays = parts.deliveries.filter((delivery) => !known.has(toKey(delivery)));
  const toDepth = ({ sessionId, contextId }: { sessionId: string; contextId: string }): number =>
    (parts.depths.get(sessionId) ?? 0) + (contextId === '' ? 0 : 1);
  let n = 0;
  const calls = parts.calls
    .toSorted((a, b) => compare([a.occurredAt, a.id], [b.occurredAt, b.id]))
    .map((call): CallEntry | HookEntry => {
      const facts = { ...toFacts(call), depth: toDepth(call) };
      if (isHookRun(call)) return { kind: 'hook', ...facts };
      return { kind: 'call', n: ++n, ...facts, told: (told.get(toKey(call)) ?? []).map((one) => toTold(one, parts)) };
    });
  const others = strays.map((one): ToldEntry => {
    const { deliveredAt: at, sessionId, contextId } = one;
    return { kind: 'told', at, sessionId, contextId, depth: toDepth(one), ...toTold(one, parts) };
  });
  // The sort is stable: at the same time, a delivery comes before its call.
  return [...others, ...calls].toSorted((a, b) => compare([a.at], [b.at]));
}

/** One page of a timeline. Hook runs and lessons at no call are on the page of the call after them, or on the last page. */
export function toTimelinePage(
  timeline: readonly TimelineEntry[],
  { from, limit, onlyFailures }: TimelinePage,
): Pick<SessionReport, 'next' | 'timeline'> {
  const wanted = onlyFailures ? timeline.filter(isFailure) : timeline;
  let left = limit;
  let waiting: TimelineEntry[] = [];
  const page: TimelineEntry[] = [];
  for (const entry of wanted) {
    waiting.push(entry);
    if (entry.kind !== 'call') continue;
    if (entry.n >= from && left === 0) return { next: entry.n, timeline: page };
    if (entry.n >= from) {
      page.push(...waiting);
      left--;
    }
    waiting = [];
  }
  return { next: null, timeline: [...page, ...waiting] };
}

function isFailure(entry: TimelineEntry): boolean {
  return entry.kind !== 'told' && entry.outcome === 'failure';
}

function toFacts(call: StoredCall) {
  const { callId, sessionId, contextId, tool, rawTool, outcome, outcomeType, masked } = call;
  const facts = { at: call.occurredAt, sessionId, contextId, callId, tool, rawTool, outcome, outcomeType, masked };
  return {
    ...facts,
    ...dropAbsent({
      exitCode: call.exitCode,
      message: call.message,
      signature: call.signature?.id,
      program: call.program,
      targetPath: call.targetPath,
      input: call.inputSummary,
      textRemoved: call.textRemoved,
      durationMs: call.durationMs,
      durationSource: call.durationSource,
    }),
  };
}

const OF_FAILURE: Readonly<Partial<Record<Delivery['kind'], string>>> = {
  failure: 'known fix of this failure',
  memory: 'this call failed before',
};

function toTold({ kind, lessonId, mode, arm, outcome }: Delivery, { lessons }: TimelineParts): Told {
  const lesson = lessons.get(lessonId);
  const summary = isOfFailure({ kind }) ? OF_FAILURE[kind] : lesson?.summary;
  return {
    lesson: lesson?.slug ?? lessonId,
    ...dropAbsent({ summary }),
    mode,
    arm,
    ...dropAbsent({ judged: outcome }),
  };
}

function toKey({ agent, sessionId, callId }: { agent: string; sessionId: string; callId: string }): string {
  return JSON.stringify([agent, sessionId, callId]);
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (const [i, one] of a.entries()) {
    const other = b[i] ?? '';
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
