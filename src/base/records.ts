/**
 * Plain objects and lists: a guard and a parser for values from outside, canonical JSON, objects without absent fields,
 * groups, and a compile-time check that a schema and its type agree.
 */

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

/** Sorts texts (also ISO times) by their characters. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.sort(([a], [b]) => compareTexts(a, b));
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${toCanonicalJson(one)}`).join(',')}}`;
}

/** `Map.groupBy` for code of the hook: the hook also runs on Node 18 and 20, which do not have it. */
export function groupBy<T, K>(items: Iterable<T>, toKey: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The type without `readonly` and with intersections merged. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

/** The type `true` if both types are identical, so that `const agrees: Same<A, B> = true` compiles only then. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
