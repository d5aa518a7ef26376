/**
 * What holds for every method of a store: text is made storable on its way in, and a failure of the engine comes out
 * as an error that names the store and keeps the engine's own error as its cause. `saveCalls` makes its columns storable
 * itself: most of what a call in memory holds is never stored.
 */
import { toReason, UserError } from '../../base/errors.ts';
import type { Engine } from './engine.ts';
import { toStorable } from './to-storable.ts';

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

export function guardMethods<T extends { [K in keyof T]: Methods[string] }>(engine: Engine, methods: T): T {
  const entries = Object.entries(methods as Methods).map(([name, method]) => [name, guard(engine, name, method)]);
  return Object.fromEntries(entries) as T;
}

function guard(engine: Engine, name: string, method: Methods[string]) {
  return async (...args: never[]) => {
    try {
      return await method(...(name === 'saveCalls' ? args : toStorable(args)));
    } catch (cause) {
      // Thrown by the caller's own function inside a method: it says what is wrong already.
      if (cause instanceof UserError) throw cause;
      throw new UserError({
        subject: engine.name,
        reason: `${name} failed: ${toReason(cause)}`,
        next: engine.advise(cause),
        cause,
      });
    }
  };
}
