/** When it was, for comparing: agents write times in zones and lengths of their own. What is no time was before all others. */
export function toInstant(at: string): number {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}
