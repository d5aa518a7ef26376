/** A check for the compiler: a schema and the type it stands for have the same fields, absent ones and all. */

/** Without what says only who may write to it, and in one piece. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

/** `true` as a type, where both are the same to the last field: `const agrees: Same<A, B> = true` compiles then only. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
