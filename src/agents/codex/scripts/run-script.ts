/**
 * Follows a script of Codex's code mode without running it: which tools it calls with what, and what it prints. Where the
 * way forks on something unknown, the host chooses; whoever follows a script tries the ways one after another and keeps
 * those that fit the output.
 */
import type { AnyNode, Function as FunctionNode, Program } from 'acorn';
import { assign, bindPattern } from './bind-pattern.ts';
import { evaluateExpression, toFunction } from './evaluate-expressions.ts';
import { runStatement } from './run-statements.ts';
import { type Completion, type Machine, openScope, type ScriptHost, toPromise, WayEnd } from './script-machine.ts';
import { type Scope, toList, UNDEFINED, UNKNOWN, type Value } from './script-values.ts';

/** The follower calls itself: deeper nesting would use up the stack. */
const MAX_INVOCATIONS = 30;
const MAX_DEPTH = 300;

/** Throws `ScriptThrow` where the script does, and `WayEnd` where it cannot be followed further. */
export function runScript(program: Program, host: ScriptHost): void {
  let depth = 0;
  let invocations = 0;

  const deeper = <T>(work: () => T): T => {
    host.step();
    if (++depth > MAX_DEPTH) throw new WayEnd('not understood');
    try {
      return work();
    } finally {
      depth--;
    }
  };

  const machine: Machine = {
    host,
    root: openScope(undefined),
    run: (node, scope) => deeper(() => runStatement(machine, node, scope)),
    runBlock: (body, scope) => runBlock(machine, body, scope),
    evaluate: (node, scope) => deeper(() => evaluateExpression(machine, node, scope)),
    bind: (pattern, value, scope) => bindPattern(machine, pattern, value, scope),
    assign: (target, value, scope) => assign(machine, target, value, scope),
    invoke(callee, args, isAwaited = false) {
      if (callee.kind === 'native') return callee.run(args);
      if (callee.kind !== 'function') return UNKNOWN;
      const { node, scope } = callee;
      if (node.generator || ++invocations > MAX_INVOCATIONS) throw new WayEnd('not understood');
      try {
        const work = (): Value => runBody(machine, node, scope, args);
        return node.async ? runAsync(host, work, isAwaited) : work();
      } finally {
        invocations--;
      }
    },
  };

  machine.runBlock(program.body, machine.root);
}

function runBlock(machine: Machine, body: readonly AnyNode[], scope: Scope): Completion {
  for (const node of body)
    if (node.type === 'FunctionDeclaration' && node.id !== null) scope.names.set(node.id.name, toFunction(node, scope));
  for (const node of body) {
    const done = machine.run(node, scope);
    if (done.type !== 'normal') return done;
  }
  return { type: 'normal' };
}

function runBody(machine: Machine, node: FunctionNode, parent: Scope, args: readonly Value[]): Value {
  const scope = openScope(parent);
  for (const [at, param] of node.params.entries()) {
    if (param.type === 'RestElement') machine.bind(param.argument, toList(args.slice(at)), scope);
    else machine.bind(param, args[at] ?? UNDEFINED, scope);
  }
  if (node.body.type !== 'BlockStatement') return machine.evaluate(node.body, scope);
  const done = machine.runBlock(node.body.body, scope);
  return done.type === 'return' ? done.value : UNDEFINED;
}

/** Nothing goes on beside a function that the script waits for at once. */
function runAsync(host: ScriptHost, work: () => Value, isAwaited: boolean): Value {
  return isAwaited ? toPromise(work) : host.inTask(work);
}
