/** Plain objects: a guard and a parser for values from outside, canonical JSON, and objects without absent fields. */

/** An object that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The fields that are not undefined. An optional field is absent or has a value, never undefined
 * (`exactOptionalPropertyTypes`), because stored rows and printed JSON tell the two apart.
 */
export function dropAbsent<const T extends object>(fields: T): Present<T> {
  const present: Partial<T> = {};
  // No list of pairs is built, because every call passes through here.
  for (const key in fields) if (fields[key] !== undefined) present[key] = fields[key];
  return present as unknown as Present<T>;
}

/** Undefined for text that is not JSON, which no JSON text parses to. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for text that is not a JSON object. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${toCanonicalJson(one)}`).join(',')}}`;
}
