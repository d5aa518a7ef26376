/** Which of `count` values, sorted and counted from 1, has so many percent of them at or under it (nearest rank). */
export function toRank(percent: number, count: number): number {
  // Percent, not a share: 0.07 of 100 would be a little over 7.
  return Math.min(count, Math.max(1, Math.ceil((percent * count) / 100)));
}
