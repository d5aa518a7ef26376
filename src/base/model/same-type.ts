/** A compile-time check that a schema and its type have the same fields, optional ones included. */

/** The type without `readonly` and with intersections merged. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

/** The type `true` if both types are identical, so that `const agrees: Same<A, B> = true` compiles only then. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
