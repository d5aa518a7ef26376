/** A call that we know only from what the model was told about it: its outcome rests on that, and no more. */
import type { Call } from '../base/call.ts';

export function toTold<T extends Call>(call: T): T {
  return { ...call, outcomeType: `told-${call.outcomeType}` };
}
