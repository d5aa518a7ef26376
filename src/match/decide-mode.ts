/** How a lesson that speaks reaches the call: no further than it may by what is known of it, the user and the agent. */
import { DELIVERY_MODES, type DeliveryMode } from '../base/lesson.ts';
import type { CompiledLesson } from '../base/manifest.ts';

export interface Limits {
  /** The user's. */
  readonly maxMode: DeliveryMode;
  /** What the agent can. */
  readonly modes: readonly DeliveryMode[];
  /** The correction is certain for this very call. */
  readonly canRewrite: boolean;
}

export function decideMode(
  { mode }: Pick<CompiledLesson, 'mode'>,
  { maxMode, modes, canRewrite }: Limits,
): DeliveryMode {
  const may = (wanted: DeliveryMode): boolean => modes.includes(wanted) && toRank(wanted) <= toRank(maxMode);
  if (mode === 'note') return 'note';
  if (mode === 'block' && may('block')) return 'block';
  // Who wants a call refused does not want it changed.
  if (mode === 'rewrite' && canRewrite && may('rewrite')) return 'rewrite';
  return may('pause') ? 'pause' : 'note';
}

function toRank(mode: DeliveryMode): number {
  return DELIVERY_MODES.indexOf(mode);
}
