/** Maps and sets that are added to again and again and must not grow without end. */

/**
 * Keeps a map or set within `max` entries, and a quarter more. Many go at once, because a map that loses its first entry
 * at each turn looks for it behind all those that are gone: at 5,000 entries for 8 us.
 */
export function dropOldest<K>(map: Map<K, unknown> | Set<K>, max: number): void {
  if (map.size <= max + Math.floor(max / 4)) return;
  let extra = map.size - max;
  for (const key of map.keys()) {
    map.delete(key);
    if (--extra === 0) return;
  }
}

/**
 * The same function, which remembers its last answers. All are forgotten when there are `max` of them, or when the first
 * is older than `forMs`.
 */
export function remember<T>(answer: (key: string) => T, max: number, forMs?: number): (key: string) => T {
  const known = new Map<string, T>();
  let beganMs = performance.now();
  return (key) => {
    if (known.size >= max || (forMs !== undefined && performance.now() - beganMs > forMs)) {
      known.clear();
      beganMs = performance.now();
    }
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = answer(key);
    known.set(key, made);
    return made;
  };
}
