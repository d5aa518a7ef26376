/** From one ISO time to another. Undefined when a clock went backwards: no duration is better than a negative one. */
export function toElapsedMs(from: string, to: string): number | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : undefined;
}
