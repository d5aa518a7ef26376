/** Counts by reason, added to those that are there. */
export function addCounts(to: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [reason, n] of counts) to.set(reason, (to.get(reason) ?? 0) + n);
}
