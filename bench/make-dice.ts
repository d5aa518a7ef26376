/** Numbers that look random and are the same in every run. */

export interface Dice {
  /** Under `sides`. */
  roll(sides: number): number;
  pick<T>(from: readonly T[]): T;
  /** True so many times out of a hundred. */
  chance(percent: number): boolean;
}

export function makeDice(seed: number): Dice {
  let state = seed;
  const roll = (sides: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  return {
    roll,
    chance: (percent) => roll(100) < percent,
    pick: (from) => {
      const one = from[roll(from.length)];
      if (one === undefined) throw new Error('there is nothing to pick from');
      return one;
    },
  };
}
