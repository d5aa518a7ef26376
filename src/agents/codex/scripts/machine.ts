/** The interfaces between the parts of the script follower, and the ways in which following ends. */
import type { AnyNode, Expression, Pattern } from 'acorn';
import type { Primitive, Scope, Value } from './values.ts';

/** The effects of a script, and the decisions where its way depends on something unknown. */
export interface ScriptHost {
  /** An empty name stands for an unknown tool. */
  callTool(name: string, args: readonly Value[], site: number): Value;
  /** Waits for a promise: its value, or a throw. */
  wait(value: Value): Value;
  print(value: Value): void;
  /** Decides an unknown condition. */
  choose(condition: Value): boolean;
  /** Counts one step; throws after too many. */
  step(): void;
  /** Runs a body an unknown number of times: at least once if `isSure`, else perhaps never. */
  repeat(run: () => void, isSure: boolean): void;
  /** Runs a task in parallel to the rest of the script and returns its promise. */
  inTask(run: () => Value): Value;
  /** Throws where JavaScript itself failed in the real run. */
  checkPlace(place: number): void;
  /** Using an absent value throws; for an unknown value it is undecided. */
  mayThrow(value: Value): void;
  /** What the output has shown about a field of a result. */
  findField(call: number, name: string): { readonly value: Primitive } | undefined;
  /** An item of `Promise.allSettled`. */
  settle(value: Value): Value;
  /** The number of handlers that would catch a throw. */
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
  /** `isAwaited`: the script waits for it at once, so nothing runs in parallel. */
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

/** The way ends here: there is no more output to compare, the output does not fit, or the budget is used up. */
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
