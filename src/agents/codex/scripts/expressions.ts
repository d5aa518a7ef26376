/** Evaluates the expressions and operators of a code-mode script, on values that may be unknown. */

import type { AnyNode, Expression, Function as FunctionNode } from 'acorn';
import { callMethod, findGlobal, readMember } from './globals.ts';
import { type Machine, type ScriptHost, WayEnd } from './machine.ts';
import { findName } from './patterns.ts';
import {
  findTruth,
  joinTexts,
  MAX_ITEMS,
  type Primitive,
  type Scope,
  toDerived,
  toError,
  toKnown,
  toList,
  UNDEFINED,
  UNKNOWN,
  type Value,
} from './values.ts';

type Node<T extends AnyNode['type']> = Extract<AnyNode, { type: T }>;
type Evaluator<T extends AnyNode['type']> = (machine: Machine, node: Node<T>, scope: Scope) => Value;

const EXPRESSIONS: { readonly [T in AnyNode['type']]?: Evaluator<T> } = {
  Literal: (_, node) => toLiteral(node.value),
  TemplateLiteral: (machine, node, scope) => toTemplate(machine, node, scope, ({ cooked }) => cooked ?? ''),
  TaggedTemplateExpression: (machine, { tag, quasi }, scope) =>
    isStringRaw(tag) ? toTemplate(machine, quasi, scope, ({ raw }) => raw) : UNKNOWN,
  Identifier: readName,
  ArrayExpression: (machine, node, scope) => toItems(machine, node.elements, scope),
  ObjectExpression: toObject,
  ArrowFunctionExpression: (_, node, scope) => toFunction(node, scope),
  FunctionExpression: (_, node, scope) => toFunction(node, scope),
  ParenthesizedExpression: ({ evaluate }, node, scope) => evaluate(node.expression, scope),
  ChainExpression: ({ evaluate }, node, scope) => evaluate(node.expression, scope),
  AwaitExpression: (machine, { argument }, scope) =>
    machine.host.wait(
      argument.type === 'CallExpression' ? call(machine, argument, scope, true) : machine.evaluate(argument, scope),
    ),
  CallExpression: (machine, node, scope) => call(machine, node, scope, false),
  NewExpression: construct,
  MemberExpression: (machine, node, scope) => {
    const object = node.object.type === 'Super' ? UNKNOWN : machine.evaluate(node.object, scope);
    const name = findName(machine, node, node.property, scope);
    machine.host.checkPlace(node.property.start);
    if (!node.optional) machine.host.mayThrow(object);
    return name === undefined ? toDerived(object) : readMember(machine, object, name);
  },
  ConditionalExpression: ({ evaluate, host }, node, scope) =>
    evaluate(decide(host, evaluate(node.test, scope)) ? node.consequent : node.alternate, scope),
  LogicalExpression: evaluateLogical,
  BinaryExpression: ({ evaluate, host }, { left, right, operator }, scope) =>
    left.type === 'PrivateIdentifier'
      ? UNKNOWN
      : combine(host, operator, evaluate(left, scope), evaluate(right, scope)),
  UnaryExpression: ({ evaluate }, node, scope) => negate(node.operator, evaluate(node.argument, scope)),
  AssignmentExpression: (machine, { left, right, operator }, scope) => {
    const value = machine.evaluate(right, scope);
    if (operator === '=') return machine.assign(left, value, scope);
    const before =
      left.type === 'ObjectPattern' || left.type === 'ArrayPattern' ? UNKNOWN : machine.evaluate(left, scope);
    return machine.assign(left, combine(machine.host, operator.slice(0, -1), before, value), scope);
  },
  UpdateExpression: (machine, { argument, operator, prefix }, scope) => {
    const before = machine.evaluate(argument, scope);
    const after = combine(machine.host, operator === '++' ? '+' : '-', before, toKnown(1));
    machine.assign(argument, after, scope);
    return prefix ? after : before;
  },
  SequenceExpression: ({ evaluate }, node, scope) =>
    node.expressions.map((one) => evaluate(one, scope)).at(-1) ?? UNDEFINED,
};

export function evaluateExpression(machine: Machine, node: AnyNode, scope: Scope): Value {
  const evaluate = EXPRESSIONS[node.type] as Evaluator<AnyNode['type']> | undefined;
  if (evaluate === undefined) throw new WayEnd('not understood');
  return evaluate(machine, node as never, scope);
}

export function toFunction(node: FunctionNode, scope: Scope): Value {
  return { kind: 'function', node, scope };
}

/** Except regular expressions and large numbers. */
function toLiteral(value: unknown): Value {
  if (value === null) return toKnown(null);
  return ['string', 'number', 'boolean'].includes(typeof value) ? toKnown(value as Primitive) : UNKNOWN;
}

function toTemplate(
  { evaluate }: Machine,
  { quasis, expressions }: Node<'TemplateLiteral'>,
  scope: Scope,
  toText: (text: { readonly raw: string; readonly cooked?: string | null | undefined }) => string,
): Value {
  return joinTexts(
    quasis.flatMap((quasi, at) => {
      const next = expressions[at];
      const text = toKnown(toText(quasi.value));
      return next === undefined ? [text] : [text, evaluate(next, scope)];
    }),
  );
}

function isStringRaw(tag: Expression): boolean {
  if (tag.type !== 'MemberExpression' || tag.object.type !== 'Identifier') return false;
  return tag.object.name === 'String' && tag.property.type === 'Identifier' && tag.property.name === 'raw';
}

function readName(machine: Machine, { name, start }: Node<'Identifier'>, scope: Scope): Value {
  machine.host.checkPlace(start);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.names.get(name);
    if (found !== undefined) return found;
  }
  return findGlobal(machine, name);
}

function call(machine: Machine, node: Node<'CallExpression'>, scope: Scope, isAwaited: boolean): Value {
  const { callee } = node;
  if (callee.type === 'MemberExpression') return callMember(machine, node, callee, scope, isAwaited);
  if (callee.type === 'Super') return UNKNOWN;
  const target = machine.evaluate(callee, scope);
  const args = toArguments(machine, node.arguments, scope);
  if (target.kind === 'tool') return machine.host.callTool(target.name, args, node.start);
  machine.host.mayThrow(target);
  return machine.invoke(target, args, isAwaited);
}

function callMember(
  machine: Machine,
  node: Node<'CallExpression'>,
  callee: Node<'MemberExpression'>,
  scope: Scope,
  isAwaited: boolean,
): Value {
  const { host } = machine;
  const object = callee.object.type === 'Super' ? UNKNOWN : machine.evaluate(callee.object, scope);
  const name = findName(machine, callee, callee.property, scope);
  const args = toArguments(machine, node.arguments, scope);
  host.checkPlace(callee.property.start);
  if (object.kind === 'tools') return host.callTool(name ?? '', args, node.start);
  if (name === undefined) return toDerived(object);
  if (callee.optional && object.kind === 'known' && object.value == null) return UNDEFINED;
  if (!callee.optional) host.mayThrow(object);
  return callMethod(machine, object, name, args, isAwaited);
}

function construct(machine: Machine, node: Node<'NewExpression'>, scope: Scope): Value {
  const args = toArguments(machine, node.arguments, scope);
  machine.host.checkPlace(node.start);
  const name = node.callee.type === 'Identifier' ? node.callee.name : '';
  if (name.endsWith('Error')) return toError(args[0] ?? toKnown(''));
  return name === 'Promise' ? { kind: 'promise', of: UNKNOWN } : UNKNOWN;
}

function toArguments(machine: Machine, nodes: readonly AnyNode[], scope: Scope): readonly Value[] {
  const list = toItems(machine, nodes, scope);
  return list.kind === 'list' ? list.items : [UNKNOWN];
}

function toItems({ evaluate }: Machine, nodes: readonly (AnyNode | null)[], scope: Scope): Value {
  const items: Value[] = [];
  let isOpen = false;
  for (const node of nodes) {
    if (node === null) items.push(UNDEFINED);
    else if (node.type !== 'SpreadElement') items.push(evaluate(node, scope));
    else {
      const spread = evaluate(node.argument, scope);
      if (spread.kind === 'list') items.push(...spread.items.slice(0, MAX_ITEMS));
      isOpen ||= spread.kind !== 'list' || spread.isOpen === true;
    }
  }
  return isOpen ? { kind: 'list', items, isOpen } : toList(items);
}

function toObject(machine: Machine, node: Node<'ObjectExpression'>, scope: Scope): Value {
  const object: Extract<Value, { kind: 'dict' }> = { kind: 'dict', entries: new Map() };
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') spread(object, machine.evaluate(property.argument, scope));
    else {
      const name = findName(machine, property, property.key, scope);
      const value = machine.evaluate(property.value, scope);
      if (name === undefined) object.from = UNKNOWN;
      else object.entries.set(name, property.kind === 'init' ? value : UNKNOWN);
    }
  }
  return object;
}

function spread(into: Extract<Value, { kind: 'dict' }>, value: Value): void {
  if (value.kind === 'dict') for (const [name, entry] of value.entries) into.entries.set(name, entry);
  const from = value.kind === 'dict' ? value.from : value;
  if (from !== undefined && from.kind !== 'known') into.from = from;
}

/** Which operand was the result matters only if evaluating the second one has an effect. */
function evaluateLogical(machine: Machine, node: Node<'LogicalExpression'>, scope: Scope): Value {
  const left = resolveField(machine.host, machine.evaluate(node.left, scope));
  const truth = node.operator === '??' ? findPresence(left) : findTruth(left);
  const takesRight = node.operator === '&&';
  if (truth !== undefined) return truth === takesRight ? machine.evaluate(node.right, scope) : left;
  // `r.exit_code ?? 'running'`: the printed text shows which of the two it was.
  const isPresence = node.operator === '??' && left.kind === 'field';
  if (!isPresence && !hasCall(node.right)) return toDerived(left);
  return machine.host.choose(node.operator === '??' ? UNKNOWN : left) === takesRight
    ? machine.evaluate(node.right, scope)
    : left;
}

/** Is the value neither null nor undefined? */
function findPresence(value: Value): boolean | undefined {
  if (value.kind === 'known') return value.value != null;
  const mayLack = value.kind === 'unknown' || (value.kind === 'field' && value.name !== 'output');
  return mayLack ? undefined : true;
}

function hasCall(node: AnyNode): boolean {
  if (node.type === 'CallExpression' || node.type === 'AwaitExpression') return true;
  return Object.values(node).some((part) =>
    Array.isArray(part) ? part.some((one) => isNode(one) && hasCall(one)) : isNode(part) && hasCall(part),
  );
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** JavaScript's operators on values that may be unknown. */
export function combine(host: ScriptHost, operator: string, before: Value, after: Value): Value {
  const [left, right] = [resolveField(host, before), resolveField(host, after)];
  if (left.kind === 'known' && right.kind === 'known') {
    const make = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    return make === undefined ? UNKNOWN : make(left.value, right.value);
  }
  if (operator === '+') return isTextual(left) || isTextual(right) ? joinTexts([left, right]) : UNKNOWN;
  return compare(operator, left, right);
}

/** The value, with what the output has shown about it since. */
export function resolveField(host: ScriptHost, value: Value): Value {
  if (value.kind !== 'test' && value.kind !== 'field') return value;
  const known = host.findField(value.call, value.name);
  if (known === undefined) return value;
  return value.kind === 'field' ? toKnown(known.value) : toKnown((known.value === value.equals) !== value.not);
}

export function decide(host: ScriptHost, value: Value): boolean {
  return findTruth(resolveField(host, value)) ?? host.choose(value);
}

function negate(operator: string, value: Value): Value {
  if (operator === 'void') return UNDEFINED;
  if (operator === '!') {
    if (value.kind === 'test') return { ...value, not: !value.not };
    const truth = findTruth(value);
    return truth === undefined ? UNKNOWN : toKnown(!truth);
  }
  if (value.kind !== 'known') return UNKNOWN;
  if (operator === '-') return toKnown(-Number(value.value));
  if (operator === '+') return toKnown(Number(value.value));
  return operator === 'typeof' ? toKnown(typeof value.value) : UNKNOWN;
}

function compare(operator: string, left: Value, right: Value): Value {
  const isEqual = operator === '===' || operator === '==';
  if (!isEqual && operator !== '!==' && operator !== '!=') return UNKNOWN;
  const [field, known] = left.kind === 'field' ? [left, right] : [right, left];
  if (field.kind !== 'field' || known.kind !== 'known') return UNKNOWN;
  return { kind: 'test', call: field.call, name: field.name, equals: known.value, not: !isEqual };
}

type Operator = (left: Primitive, right: Primitive) => Value;

// biome-ignore lint/suspicious/noExplicitAny: JavaScript's own rules apply to the primitives of a script.
type Make = (a: any, b: any) => Primitive;

function plain(make: Make): Operator {
  return (left, right) => toKnown(make(left, right));
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': (a, b) => (typeof a === 'string' || typeof b === 'string' ? joinTexts([toKnown(a), toKnown(b)]) : add(a, b)),
  '-': plain((a, b) => a - b),
  '*': plain((a, b) => a * b),
  '/': plain((a, b) => a / b),
  '%': plain((a, b) => a % b),
  '===': plain((a, b) => a === b),
  '!==': plain((a, b) => a !== b),
  // biome-ignore lint/suspicious/noDoubleEquals: the script compares so.
  '==': plain((a, b) => a == b),
  // biome-ignore lint/suspicious/noDoubleEquals: the script compares so.
  '!=': plain((a, b) => a != b),
  '<': plain((a, b) => a < b),
  '>': plain((a, b) => a > b),
  '<=': plain((a, b) => a <= b),
  '>=': plain((a, b) => a >= b),
  '??': plain((a, b) => a ?? b),
  '||': plain((a, b) => a || b),
  '&&': plain((a, b) => a && b),
};

const add: Operator = plain((a, b) => a + b);

function isTextual(value: Value): boolean {
  if (value.kind === 'known') return typeof value.value === 'string';
  if (value.kind === 'field') return value.name === 'output';
  return value.kind === 'text' || value.kind === 'derived' || value.kind === 'failure' || value.kind === 'json';
}
