/**
 * The milliseconds from one ISO time to another. Undefined if the clock went backwards, because no duration is better
 * than a negative one.
 */
export function toElapsedMs(from: string, to: string): number | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : undefined;
}
