/** A row's NULL is a domain object's absent field. */
export type NullOmitted<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]>;
};

export function omitNull<T extends object>(fields: T): NullOmitted<T> {
  const kept: Record<string, unknown> = {};
  // No list of pairs on the way: thousands of rows come through here.
  for (const key in fields) if (fields[key] !== null) kept[key] = fields[key];
  return kept as NullOmitted<T>;
}
