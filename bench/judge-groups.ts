/** How well lines were grouped, against the events they are known to be. */
export interface Grouping {
  /** Share of lines whose group has exactly the lines of their event. */
  readonly accuracy: number;
  /** Over pairs of lines: together in a group, together in an event. */
  readonly pairF1: number;
  /** Over groups and events, as in Loghub-2.0: an event is found when a group has exactly its lines. */
  readonly templateF1: number;
  readonly groups: number;
  readonly events: number;
}

export function judgeGroups(groups: readonly string[], events: readonly string[]): Grouping {
  const [byGroup, byEvent] = [count(groups), count(events)];
  const both = count(groups.map((group, i) => `${group}\0${events[i]}`));
  let [lines, found] = [0, 0];
  for (const [key, size] of both) {
    const [group = '', event = ''] = key.split('\0');
    if (byGroup.get(group) !== size || byEvent.get(event) !== size) continue;
    lines += size;
    found++;
  }
  return {
    accuracy: lines / groups.length,
    pairF1: (2 * countPairs(both)) / (countPairs(byGroup) + countPairs(byEvent)),
    templateF1: (2 * found) / (byGroup.size + byEvent.size),
    groups: byGroup.size,
    events: byEvent.size,
  };
}

function count(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function countPairs(counts: ReadonlyMap<string, number>): number {
  let pairs = 0;
  for (const size of counts.values()) pairs += (size * (size - 1)) / 2;
  return pairs;
}
