/** What the judged deliveries of a lesson say about its weight: nothing until five, then 0.5 and the share that stayed clean. */
import type { TrackRecord } from '../base/delivery.ts';

const ENOUGH = 5;

export function toMeasuredFactor({ judged, clean }: Pick<TrackRecord, 'judged' | 'clean'>): number | undefined {
  return judged < ENOUGH ? undefined : Math.round((0.5 + clean / judged) * 1000) / 1000;
}
