/** JSON with sorted keys: two values that are equal have one text, whatever the order of their keys. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${toCanonicalJson(one)}`).join(',')}}`;
}
