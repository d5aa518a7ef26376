/** Handles the names of a script: declaring, destructuring, assigning. */
import type { AnyNode, Expression, Pattern } from 'acorn';
import { readMember } from './globals.ts';
import { type Machine, WayEnd } from './machine.ts';
import { MAX_ITEMS, type Scope, toList, UNDEFINED, UNKNOWN, type Value } from './values.ts';

/** Called for each name of a pattern with its part of the value. */
type Setter = (target: Pattern, value: Value) => void;

export function bindPattern(machine: Machine, pattern: Pattern, value: Value, scope: Scope): void {
  spreadOut(machine, pattern, value, scope, (target, part) => {
    if (target.type !== 'Identifier') throw new WayEnd('not understood');
    scope.names.set(target.name, part);
  });
}

export function assign(machine: Machine, target: Pattern | Expression, value: Value, scope: Scope): Value {
  spreadOut(machine, target as Pattern, value, scope, (one, part) => {
    if (one.type === 'Identifier') assignName(machine, one.name, part, scope);
    else if (one.type === 'MemberExpression') assignMember(machine, one, part, scope);
    else throw new WayEnd('not understood');
  });
  return value;
}

function spreadOut(machine: Machine, pattern: Pattern, value: Value, scope: Scope, set: Setter): void {
  const next = (part: Pattern, given: Value): void => spreadOut(machine, part, given, scope, set);
  switch (pattern.type) {
    case 'AssignmentPattern':
      next(pattern.left, isUndefined(value) ? machine.evaluate(pattern.right, scope) : value);
      return;
    case 'ArrayPattern':
      for (const [at, element] of pattern.elements.entries()) {
        if (element?.type === 'RestElement') next(element.argument, toRest(value, at));
        else if (element !== null) next(element, readMember(machine, value, String(at)));
      }
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') next(property.argument, UNKNOWN);
        else next(property.value, readNamed(machine, value, property, scope));
      }
      return;
    default:
      set(pattern, value);
  }
}

function toRest(value: Value, from: number): Value {
  return value.kind === 'list' && value.isOpen !== true ? toList(value.items.slice(from)) : UNKNOWN;
}

function readNamed(
  machine: Machine,
  value: Value,
  property: { readonly computed: boolean; readonly key: AnyNode },
  scope: Scope,
): Value {
  const name = findName(machine, property, property.key, scope);
  return name === undefined ? UNKNOWN : readMember(machine, value, name);
}

function assignName(machine: Machine, name: string, value: Value, scope: Scope): void {
  let owner: Scope | undefined = scope;
  while (owner !== undefined && !owner.names.has(name)) owner = owner.parent;
  (owner ?? machine.root).names.set(name, value);
}

function assignMember(
  machine: Machine,
  target: Extract<AnyNode, { type: 'MemberExpression' }>,
  value: Value,
  scope: Scope,
): void {
  if (target.object.type === 'Super') return;
  const object = machine.evaluate(target.object, scope);
  const name = findName(machine, target, target.property, scope);
  if (object.kind === 'dict' && name !== undefined) object.entries.set(name, value);
  if (object.kind !== 'list') return;
  const at = Number(name);
  if (Number.isInteger(at) && at >= 0 && at <= object.items.length && at < MAX_ITEMS) object.items[at] = value;
}

/** `a.name`, `a['name']`, `{name: …}`; undefined if the name is unknown. */
export function findName(
  machine: Machine,
  { computed }: { readonly computed: boolean },
  key: AnyNode,
  scope: Scope,
): string | undefined {
  if (computed) {
    const value = machine.evaluate(key, scope);
    return value.kind === 'known' ? String(value.value) : undefined;
  }
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function isUndefined(value: Value): boolean {
  return value === UNDEFINED || (value.kind === 'known' && value.value === undefined);
}
