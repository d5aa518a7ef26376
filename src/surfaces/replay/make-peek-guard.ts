/**
 * Nothing of a replay may know the future. Whatever decided the order, this looks at the times of the sessions themselves:
 * every lesson that was shown was learned from calls that had ended before the call began.
 */
import type { Finding } from '../../base/finding.ts';
import type { ReplayStep } from './read-sessions.ts';
import { toInstant } from './to-instant.ts';

type Learned = Pick<Finding, 'agent' | 'sessionId' | 'failingCallId' | 'fixingCallId'>;

interface Place {
  readonly endedAt: string;
  readonly endedMs: number;
  /** Among all steps: of one file, earlier is before, also within a millisecond. */
  readonly index: number;
}

export interface PeekGuard {
  /** This lesson was made of, or grew by, this finding, at this step. */
  take(lessonId: string, finding: Learned, step: ReplayStep): void;
  /** Throws when the lesson could not be known at this step. */
  check(lessonId: string, step: ReplayStep): void;
}

export class PeekError extends Error {
  override readonly name = 'PeekError';
}

export function makePeekGuard(steps: readonly ReplayStep[]): PeekGuard {
  const indexes = new Map(steps.map((step, index) => [step, index]));
  const toPlace = (endedAt: string, index: number): Place => ({ endedAt, endedMs: toInstant(endedAt), index });
  const toEnd = (step: ReplayStep): Place => toPlace(step.endedAt, indexes.get(step) ?? steps.length);
  const ends = new Map<string, Place>();
  for (const step of steps) for (const key of toKeys(step)) ends.set(key, toEnd(step));
  /** The last of the calls that each lesson rests on. */
  const last = new Map<string, Place>();
  return {
    take(lessonId, { agent, sessionId, failingCallId, fixingCallId }, step) {
      for (const callId of [failingCallId, fixingCallId]) {
        // Words and refusals are told by steps of their own: they are known when these are.
        const place = ends.get(toKey(agent, sessionId, callId)) ?? toEnd(step);
        const known = last.get(lessonId);
        if (known === undefined || isBefore(known, place)) last.set(lessonId, place);
      }
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
  return ids.flatMap((id) => (id === undefined || id === '' ? [] : [toKey(event.agent, event.sessionId, id)]));
}

function toKey(agent: string, sessionId: string, callId: string): string {
  return `${agent}\n${sessionId}\n${callId}`;
}
