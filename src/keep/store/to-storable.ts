/**
 * Text as both engines can keep it: PostgreSQL has no NUL in text, and neither keeps half of a surrogate pair. Applied
 * to all that goes into the store, keys and filters too, so that what was saved under a name is found under it.
 */
export function toStorable<T>(value: T): T {
  return convert(value) as T;
}

function convert(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null || isStorable(value)) return value;
  if (Array.isArray(value)) return value.map(convert);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorableText(key), convert(inner)]));
}

/** Nearly all is, and need not be copied. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  for (const key in value) if (!isStorable(key) || !isStorable((value as Record<string, unknown>)[key])) return false;
  return true;
}

export function toStorableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}
