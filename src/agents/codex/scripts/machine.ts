/** The parts of the script follower that call each other, and the ways in which following ends. */
import type { AnyNode, Expression, Pattern } from 'acorn';
import type { Primitive, Scope, Value } from './values.ts';

/** What the script does to the world, and what decides its way where something unknown does. */
export interface ScriptHost {
  /** An empty name is a tool whose name is not known. */
  callTool(name: string, args: readonly Value[], site: number): Value;
  /** Waits for a promise: its value, or a throw. */
  wait(value: Value): Value;
  print(value: Value): void;
  /** Which way to take on a condition that is not known. */
  choose(condition: Value): boolean;
  /** Counts one step; throws when there were too many. */
  step(): void;
  /** Runs a body that runs an unknown number of times: at least once where `isSure`, else perhaps never. */
  repeat(run: () => void, isSure: boolean): void;
  /** Runs what goes on beside the rest of the script, and gives the promise of it. */
  inTask(run: () => Value): Value;
  /** Throws where JavaScript itself failed in the real run. */
  checkPlace(place: number): void;
  /** Using a value that is not there throws; of one that is not known nobody knows. */
  mayThrow(value: Value): void;
  /** What the output told about a field of a result. */
  findField(call: number, name: string): { readonly value: Primitive } | undefined;
  /** An item of `Promise.allSettled`. */
  settle(value: Value): Value;
  /** How many handlers would catch a throw. */
  tryDepth: number;
}

export type Completion =
  | { readonly type: 'normal' | 'break' | 'continue' }
  | { readonly type: 'return'; readonly value: Value };

export interface Machine {
  readonly host: ScriptHost;
  readonly root: Scope;
  run(node: AnyNode, scope: Scope): Completion;
  runBlock(body: readonly AnyNode[], scope: Scope): Completion;
  evaluate(node: AnyNode, scope: Scope): Value;
  /** `isAwaited`: the script waits for it at once, so nothing goes on beside it. */
  invoke(callee: Value, args: readonly Value[], isAwaited?: boolean): Value;
  bind(pattern: Pattern, value: Value, scope: Scope): void;
  assign(target: Pattern | Expression, value: Value, scope: Scope): Value;
}

/** What the script throws. */
export class ScriptThrow extends Error {
  readonly value: Value;
  constructor(value: Value) {
    super('the script threw');
    this.value = value;
  }
}

/** The way ends here: no more output to compare with, an output that does not fit, a budget that is used up. */
export class WayEnd extends Error {
  readonly reason: 'stopped' | 'misfit' | 'budget' | 'not understood';
  constructor(reason: WayEnd['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export function openScope(parent: Scope | undefined): Scope {
  return { names: new Map(), parent };
}

/** The promise of what an async function returns or throws. */
export function toPromise(work: () => Value): Extract<Value, { kind: 'promise' }> {
  try {
    return { kind: 'promise', of: work() };
  } catch (error) {
    if (!(error instanceof ScriptThrow)) throw error;
    return { kind: 'promise', of: error.value, isRejected: true };
  }
}
