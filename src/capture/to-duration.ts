/** How long a call took, and how well that is known. */
import type { Call } from '../base/call.ts';
import type { CallResult } from '../base/outcome.ts';

export function toDuration({ durationMs, pairedMs, gapMs }: CallResult): Pick<Call, 'durationMs' | 'durationSource'> {
  if (durationMs !== undefined && durationMs >= 0) return { durationMs, durationSource: 'agent' };
  if (pairedMs !== undefined) return { durationMs: pairedMs, durationSource: 'paired' };
  return gapMs === undefined ? {} : { durationMs: gapMs, durationSource: 'gap' };
}
