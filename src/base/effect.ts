/** How much a lesson prevents: the failure rate without it, less the one with it. */

/** So many of so many failed. */
export interface Rate {
  readonly trials: number;
  readonly failures: number;
}

/** `holdout`: chance decided what was shown and what was withheld. Nothing else tells what a lesson prevents. */
export type EffectBasis = 'holdout';

export interface Effect {
  readonly basis: EffectBasis;
  readonly with: Rate;
  readonly without: Rate;
  /** The middle of what is likely: 0.2 is 20 failures less in 100 calls. */
  readonly prevented: number;
  /** It is in here with a probability of 95 %. */
  readonly interval: readonly [low: number, high: number];
  /** How likely it is that the lesson prevents anything at all. */
  readonly helps: number;
  /** How likely it is that it prevents enough to be worth saying. */
  readonly worth: number;
}

/** Of 100 calls, so many failures less are worth a note. */
export const WORTH = 0.1;

/** Is it certain by now in which direction it goes? */
export function isKnownEffect({ interval: [low, high] }: Pick<Effect, 'interval'>): boolean {
  return low > 0 || high < 0;
}
