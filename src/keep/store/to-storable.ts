/**
 * Text as both engines can keep it: PostgreSQL has no NUL in text, and neither keeps half of a surrogate pair. Applied
 * to all that goes into the store, keys and filters too, so that what was saved under a name is found under it.
 */
export function toStorable<T>(value: T): T {
  return convert(value) as T;
}

function convert(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), convert(inner)]));
}

export function toStorableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}
