/** Steps of many sessions in the order of time. A call is asked about when it begins and learned from when it ends. */
import type { ReplayStep } from './read-sessions.ts';
import { toInstant } from './to-instant.ts';

export interface ReplayMoment {
  readonly kind: 'ask' | 'learn';
  readonly step: ReplayStep;
}

interface Placed extends ReplayMoment {
  readonly atMs: number;
  readonly order: number;
}

/** Within a file things are learned in its own order, also where its times go backwards. */
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
