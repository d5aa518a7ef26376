/** JavaScript's operators on values that may be unknown. */
import type { ScriptHost } from './script-machine.ts';
import { findTruth, joinTexts, type Primitive, toKnown, UNDEFINED, UNKNOWN, type Value } from './script-values.ts';

export function combine(host: ScriptHost, operator: string, before: Value, after: Value): Value {
  const [left, right] = [toTold(host, before), toTold(host, after)];
  if (left.kind === 'known' && right.kind === 'known') {
    const make = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    return make === undefined ? UNKNOWN : make(left.value, right.value);
  }
  if (operator === '+') return isTextual(left) || isTextual(right) ? joinTexts([left, right]) : UNKNOWN;
  return compare(operator, left, right);
}

/** The value with what the output has told about it since. */
export function toTold(host: ScriptHost, value: Value): Value {
  if (value.kind !== 'test' && value.kind !== 'field') return value;
  const known = host.findField(value.call, value.name);
  if (known === undefined) return value;
  return value.kind === 'field' ? toKnown(known.value) : toKnown((known.value === value.equals) !== value.not);
}

export function decide(host: ScriptHost, value: Value): boolean {
  return findTruth(toTold(host, value)) ?? host.choose(value);
}

export function negate(operator: string, value: Value): Value {
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
