/** A row's NULL is a domain object's absent field. */
export type NullOmitted<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]>;
};

export function omitNull<T extends object>(fields: T): NullOmitted<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as NullOmitted<T>;
}
