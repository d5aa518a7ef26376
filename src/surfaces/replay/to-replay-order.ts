/** Steps of many sessions in the order of time. A call is asked about when it begins and learned from when it ends. */
import type { ReplayStep } from './read-sessions.ts';

export interface ReplayMoment {
  readonly kind: 'ask' | 'learn';
  readonly step: ReplayStep;
}

interface Placed extends ReplayMoment {
  readonly at: string;
  readonly order: number;
}

/** Within a file things are learned in its own order, also where its times go backwards. */
export function toReplayOrder(steps: readonly ReplayStep[]): readonly ReplayMoment[] {
  const latest = new Map<number, string>();
  const placed = steps.flatMap((step, index): readonly Placed[] => {
    const { file, beganAt, endedAt } = step;
    const learnedAt = toLater(latest.get(file) ?? '', endedAt);
    latest.set(file, learnedAt);
    return [
      { kind: 'ask', step, at: beganAt, order: index * 2 },
      { kind: 'learn', step, at: learnedAt, order: index * 2 + 1 },
    ];
  });
  return placed.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)) || a.order - b.order);
}

function toLater(a: string, b: string): string {
  return a > b ? a : b;
}
