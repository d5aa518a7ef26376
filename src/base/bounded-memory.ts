/** Keeps maps, sets and caches that are filled again and again from growing without end. */

/**
 * Limits a map or set to `max` entries plus a quarter. Entries are dropped in bulk, because a map that loses its first
 * entry at each insertion takes 8 us to find it at 5,000 entries.
 */
export function dropOldest<K>(map: Map<K, unknown> | Set<K>, max: number): void {
  if (map.size <= max + Math.floor(max / 4)) return;
  let extra = map.size - max;
  for (const key of map.keys()) {
    map.delete(key);
    if (--extra === 0) return;
  }
}

/** Sets an entry as the newest one of a map that is limited to `max` entries plus a quarter. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  dropOldest(map, max);
}

/**
 * Returns the same function with a cache of its answers. The cache is cleared when it has `max` entries or its first
 * entry is older than `forMs`.
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

/** Makes a value when it is first asked for: large tables of regular expressions cost milliseconds at every start. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
