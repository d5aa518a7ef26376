/**
 * The effect of all lessons together. Some are withheld more often than others, and those that prevent much less often: each
 * weighs as often as it was withheld, in both arms, so that the mix of lessons is the same.
 */
import type { Effect } from '../base/effect.ts';
import type { Tally } from '../base/trials.ts';
import { estimateEffect } from './estimate-effect.ts';
import { MIN_ARM } from './to-effects.ts';

export interface Arms {
  readonly note: Tally;
  readonly withheld: Tally;
}

/** Undefined while too few were withheld or shown. */
export function poolEffect(lessons: readonly Arms[]): Effect | undefined {
  const both = lessons.filter(({ note, withheld }) => note.judged > 0 && withheld.judged > 0);
  const sum = (read: (arms: Arms) => number): number => both.reduce((all, arms) => all + read(arms), 0);
  const [shown, withheld] = [sum(({ note }) => note.judged), sum((arms) => arms.withheld.judged)];
  if (shown < MIN_ARM || withheld < MIN_ARM) return undefined;
  const share = sum(({ note, withheld }) => (note.again / note.judged) * withheld.judged) / withheld;
  return estimateEffect({
    basis: 'holdout',
    with: { trials: shown, failures: Math.round(share * shown) },
    without: { trials: withheld, failures: sum((arms) => arms.withheld.again) },
  });
}
