/** How much of the beginning of ids tells them apart; at least `min` characters. */
export function toTellingLength(ids: readonly string[], min: number): number {
  const all = new Set(ids);
  const longest = Math.max(min, ...ids.map((id) => id.length));
  for (let length = min; length < longest; length++) {
    if (new Set([...all].map((id) => id.slice(0, length))).size === all.size) return length;
  }
  return longest;
}
