/**
 * Orders the steps of many sessions by time, and verifies that a replay never uses knowledge from the future. A call is
 * matched when it begins and learned from when it ends. The peek guard does not rely on that order: it compares the
 * times of the calls that taught a lesson with the call at which the lesson is shown.
 */

import type { Finding } from '../../base/model/finding.ts';
import { type SessionKey, toCallKey, toSessionKey } from '../../base/model/session.ts';
import type { ReplayStep } from './read-sessions.ts';

interface ReplayMoment {
  readonly kind: 'ask' | 'learn';
  readonly step: ReplayStep;
}

interface Placed extends ReplayMoment {
  readonly atMs: number;
  readonly order: number;
}

/** Within a file, steps keep their order even if times go backwards. */
export function toReplayOrder(steps: readonly ReplayStep[]): readonly ReplayMoment[] {
  const latest = new Map<number, number>();
  const placed = steps.flatMap((step, index): readonly Placed[] => {
    const { file, beganAt, endedAt } = step;
    const learnedMs = Math.max(latest.get(file) ?? Number.NEGATIVE_INFINITY, toInstant(endedAt));
    latest.set(file, learnedMs);
    return [
      { kind: 'ask', step, atMs: toInstant(beganAt), order: index * 2 },
      { kind: 'learn', step, atMs: learnedMs, order: index * 2 + 1 },
    ];
  });
  return placed.sort((a, b) => (a.atMs < b.atMs ? -1 : Number(a.atMs > b.atMs)) || a.order - b.order);
}

export type Learned = Pick<Finding, 'agent' | 'sessionId' | 'failingCallId' | 'fixingCallId'> &
  Partial<Pick<Finding, 'kind'>>;

interface Place {
  readonly endedAt: string;
  readonly endedMs: number;
  /** Index among all steps, which orders steps of one file within a millisecond. */
  readonly index: number;
}

interface PeekGuard {
  /** Records that this finding created or extended the lesson at this step. */
  take(lessonId: string, finding: Learned, step: ReplayStep): void;
  /** Throws if the lesson could not be known at this step. */
  check(lessonId: string, step: ReplayStep): void;
  /** Throws if a pack shows a call of another session than the one that ends with this step. */
  checkPack(pack: string, calls: readonly SessionKey[], step: ReplayStep): void;
}

/**
 * A replay used knowledge from the future. The guard compares the times of the sessions themselves: every shown lesson
 * must come from calls that had ended before the call began.
 */
export class PeekError extends Error {
  override readonly name = 'PeekError';
}

export function makePeekGuard(steps: readonly ReplayStep[]): PeekGuard {
  const indexes = new Map(steps.map((step, index) => [step, index]));
  const toPlace = (endedAt: string, index: number): Place => ({ endedAt, endedMs: toInstant(endedAt), index });
  const toEnd = (step: ReplayStep): Place => toPlace(step.endedAt, indexes.get(step) ?? steps.length);
  const ends = new Map<string, Place>();
  for (const step of steps) for (const key of toKeys(step)) ends.set(key, toEnd(step));
  /** The last call of each session. */
  const sessions = new Map<string, Place>();
  for (const step of steps) {
    const [key, end, known] = [toSessionKey(step.event), toEnd(step), sessions.get(toSessionKey(step.event))];
    if (known === undefined || isBefore(known, end)) sessions.set(key, end);
  }
  /** The last call that each lesson was learned from. */
  const last = new Map<string, Place>();
  return {
    take(lessonId, { agent, sessionId, failingCallId, fixingCallId, kind }, step) {
      // A model answers when the whole session is known.
      const answered = kind === 'proposed' ? sessions.get(toSessionKey({ agent, sessionId })) : undefined;
      for (const callId of [failingCallId, fixingCallId]) {
        // Messages and refusals have steps of their own and are known at those steps.
        const place = answered ?? ends.get(toCallKey({ agent, sessionId, callId })) ?? toEnd(step);
        const known = last.get(lessonId);
        if (known === undefined || isBefore(known, place)) last.set(lessonId, place);
      }
    },
    checkPack(pack, calls, step) {
      const other = calls.find((call) => toSessionKey(call) !== toSessionKey(step.event));
      if (other === undefined) return;
      throw new PeekError(
        `the replay peeked: the pack ${pack}, answered after the session ${step.event.sessionId}, shows a call of ${other.sessionId}`,
      );
    },
    check(lessonId, step) {
      const asked = toPlace(step.beganAt, indexes.get(step) ?? -1);
      const learned = last.get(lessonId);
      if (learned !== undefined && isBefore(learned, asked)) return;
      const from = learned === undefined ? 'no call at all' : `a call that ended at ${learned.endedAt}`;
      throw new PeekError(
        `the replay peeked: ${lessonId}, learned from ${from}, was shown at a call that began at ${step.beganAt}`,
      );
    },
  };
}

function isBefore(a: Place, b: Place): boolean {
  return a.endedMs < b.endedMs || (a.endedMs === b.endedMs && a.index < b.index);
}

function toKeys({ call, event }: ReplayStep): readonly string[] {
  const ids = [call?.callId, 'callId' in event ? event.callId : undefined];
  return ids.flatMap((id) => (id === undefined || id === '' ? [] : [toCallKey({ ...event, callId: id })]));
}

/** The time as a number, because agents write times in different zones and lengths. An invalid time sorts first. */
function toInstant(at: string): number {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}
