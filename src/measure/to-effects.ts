/** What the trials of a lesson say about its effect: of the mistake itself, and of any failure at all. */
import type { Effect, Rate } from '../base/effect.ts';
import type { Tally, TrialCounts } from '../base/trials.ts';
import { estimateEffect } from './estimate-effect.ts';

/** With fewer in either arm there is nothing to compare. */
export const MIN_ARM = 5;

export interface Effects {
  /** Does the mistake come less often? Absent while too few were withheld or shown. */
  readonly effect?: Effect;
  /** Do calls fail less often, in whatever way? */
  readonly failures?: Effect;
}

export function toEffects({ note, withheld }: Pick<TrialCounts, 'note' | 'withheld'>): Effects {
  if (note.judged < MIN_ARM || withheld.judged < MIN_ARM) return {};
  const estimate = (count: 'again' | 'failed'): Effect =>
    estimateEffect({ basis: 'holdout', with: toRate(note, count), without: toRate(withheld, count) });
  return { effect: estimate('again'), failures: estimate('failed') };
}

function toRate(tally: Tally, count: 'again' | 'failed'): Rate {
  return { trials: tally.judged, failures: tally[count] };
}
