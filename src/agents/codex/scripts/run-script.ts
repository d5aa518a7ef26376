/**
 * Follows the statements of a Codex code-mode script without running it, to find the tools that it calls, their inputs
 * and its output. Where the path forks on an unknown value, the host chooses; the caller tries one path after another
 * and keeps the paths that fit the recorded output.
 */

import type { AnyNode, Expression, Function as FunctionNode, Program } from 'acorn';
import { combine, decide, evaluateExpression, resolveField, toFunction } from './expressions.ts';
import {
  type Completion,
  type Machine,
  openScope,
  type ScriptHost,
  ScriptThrow,
  toPromise,
  WayEnd,
} from './machine.ts';
import { assign, bindPattern } from './patterns.ts';
import { findTruth, type Scope, toKnown, toList, UNDEFINED, UNKNOWN, type Value } from './values.ts';

/** The follower is recursive, so deeper nesting would use up the stack. */
const MAX_INVOCATIONS = 30;
const MAX_DEPTH = 300;

/** Throws `ScriptThrow` where the script throws, and `WayEnd` where it cannot be followed further. */
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

/** Nothing runs in parallel to a function that the script waits for at once. */
function runAsync(host: ScriptHost, work: () => Value, isAwaited: boolean): Value {
  return isAwaited ? toPromise(work) : host.inTask(work);
}

type Node<T extends AnyNode['type']> = Extract<AnyNode, { type: T }>;
type Runner<T extends AnyNode['type']> = (machine: Machine, node: Node<T>, scope: Scope) => Completion;

const NORMAL: Completion = { type: 'normal' };
/** More rounds of a loop with an unknown end show nothing new. */
const MAX_UNKNOWN_ROUNDS = 3;
const MAX_ROUNDS = 500;

const STATEMENTS: { readonly [T in AnyNode['type']]?: Runner<T> } = {
  ExpressionStatement: ({ evaluate }, node, scope) => {
    evaluate(node.expression, scope);
    return NORMAL;
  },
  VariableDeclaration: (machine, node, scope) => {
    for (const { id, init } of node.declarations) {
      if (init) machine.bind(id, machine.evaluate(init, scope), scope);
      else if (node.kind !== 'var') machine.bind(id, UNDEFINED, scope);
    }
    return NORMAL;
  },
  FunctionDeclaration: () => NORMAL,
  EmptyStatement: () => NORMAL,
  BlockStatement: ({ runBlock }, node, scope) => runBlock(node.body, openScope(scope)),
  ReturnStatement: ({ evaluate }, { argument }, scope) => ({
    type: 'return',
    value: argument ? evaluate(argument, scope) : UNDEFINED,
  }),
  IfStatement: (machine, node, scope) => {
    const next = decide(machine.host, machine.evaluate(node.test, scope)) ? node.consequent : node.alternate;
    return next ? machine.run(next, openScope(scope)) : NORMAL;
  },
  ThrowStatement: ({ evaluate }, node, scope) => {
    throw new ScriptThrow(evaluate(node.argument, scope));
  },
  TryStatement: runTry,
  ForOfStatement: (machine, node, scope) => runForEach(machine, node, machine.evaluate(node.right, scope), scope),
  ForInStatement: (machine, node, scope) =>
    runForEach(machine, node, toKeys(machine.evaluate(node.right, scope)), scope),
  ForStatement: (machine, { init, test, update, body }, scope) => {
    const inner = openScope(scope);
    if (init?.type === 'VariableDeclaration') machine.run(init, inner);
    else if (init) machine.evaluate(init, inner);
    return runWhile(machine, { test: test ?? undefined, update: update ?? undefined, body }, inner);
  },
  WhileStatement: runWhile,
  DoWhileStatement: (machine, node, scope) => {
    const done = machine.run(node.body, scope);
    if (done.type === 'break') return NORMAL;
    return done.type === 'return' ? done : runWhile(machine, node, scope);
  },
  SwitchStatement: runSwitch,
  BreakStatement: (_, node) => toJump('break', node.label),
  ContinueStatement: (_, node) => toJump('continue', node.label),
};

/** The statements of a script, each followed once. */
function runStatement(machine: Machine, node: AnyNode, scope: Scope): Completion {
  const run = STATEMENTS[node.type] as Runner<AnyNode['type']> | undefined;
  if (run === undefined) throw new WayEnd('not understood');
  return run(machine, node as never, scope);
}

function toJump(type: 'break' | 'continue', label: unknown): Completion {
  if (label) throw new WayEnd('not understood');
  return { type };
}

function runTry(machine: Machine, node: Node<'TryStatement'>, scope: Scope): Completion {
  const done = node.handler ? runCaught(machine, node, scope) : machine.runBlock(node.block.body, openScope(scope));
  if (!node.finalizer) return done;
  const last = machine.runBlock(node.finalizer.body, openScope(scope));
  return last.type === 'normal' ? done : last;
}

function runCaught(machine: Machine, { block, handler }: Node<'TryStatement'>, scope: Scope): Completion {
  const { host } = machine;
  let thrown: Value;
  host.tryDepth++;
  try {
    return machine.runBlock(block.body, openScope(scope));
  } catch (error) {
    if (!(error instanceof ScriptThrow)) throw error;
    thrown = error.value;
  } finally {
    host.tryDepth--;
  }
  const inner = openScope(scope);
  if (handler?.param) machine.bind(handler.param, thrown, inner);
  return machine.runBlock(handler?.body.body ?? [], inner);
}

type EachNode = Node<'ForOfStatement'> | Node<'ForInStatement'>;

function runForEach(machine: Machine, node: EachNode, list: Value, scope: Scope): Completion {
  const { host } = machine;
  const round = (item: Value): Completion => {
    const inner = openScope(scope);
    const value = node.type === 'ForOfStatement' && node.await ? host.wait(item) : item;
    if (node.left.type !== 'VariableDeclaration') machine.assign(node.left, value, scope);
    else for (const { id } of node.left.declarations) machine.bind(id, value, inner);
    return machine.run(node.body, inner);
  };
  if (list.kind !== 'list' || list.isOpen === true) {
    host.repeat(() => void round(UNKNOWN), list.kind === 'list');
    return NORMAL;
  }
  for (const item of [...list.items]) {
    const done = round(item);
    if (done.type === 'break') return NORMAL;
    if (done.type === 'return') return done;
  }
  return NORMAL;
}

/** The names that `for (… in …)` iterates over. */
function toKeys(value: Value): Value {
  if (value.kind === 'list' && value.isOpen !== true) return toList(value.items.map((_, at) => toKnown(String(at))));
  if (value.kind !== 'dict' || value.from !== undefined) return UNKNOWN;
  return toList([...value.entries.keys()].map(toKnown));
}

interface Loop {
  readonly test?: Expression | undefined;
  readonly update?: Expression | undefined;
  readonly body: AnyNode;
}

function runWhile(machine: Machine, { test, update, body }: Loop, scope: Scope): Completion {
  const { host } = machine;
  let unknownRounds = 0;
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    host.step();
    const value = test === undefined ? toKnown(true) : machine.evaluate(test, scope);
    const isUnknown = findTruth(resolveField(host, value)) === undefined;
    if (isUnknown && ++unknownRounds > MAX_UNKNOWN_ROUNDS) break;
    if (!decide(host, value)) return NORMAL;
    const done = machine.run(body, openScope(scope));
    if (done.type === 'break') return NORMAL;
    if (done.type === 'return') return done;
    if (update) machine.evaluate(update, scope);
  }
  throw new WayEnd('budget');
}

function runSwitch(machine: Machine, node: Node<'SwitchStatement'>, scope: Scope): Completion {
  const { host } = machine;
  const inner = openScope(scope);
  const value = machine.evaluate(node.discriminant, scope);
  const isCase = (test: Expression): boolean =>
    decide(host, combine(host, '===', value, machine.evaluate(test, inner)));
  const found = node.cases.findIndex(({ test }) => test && isCase(test));
  const from = found === -1 ? node.cases.findIndex(({ test }) => !test) : found;
  for (const { consequent } of from === -1 ? [] : node.cases.slice(from)) {
    const done = machine.runBlock(consequent, inner);
    if (done.type === 'break') return NORMAL;
    if (done.type !== 'normal') return done;
  }
  return NORMAL;
}
