/**
 * The values of a script as far as they can be known without running it. A value is known, or it is built from the
 * results of tool calls (which the script's output may show later), or it is unknown.
 */
import type { Function as FunctionNode } from 'acorn';

export type Primitive = string | number | boolean | null | undefined;

export type Value =
  | { readonly kind: 'known'; readonly value: Primitive }
  /** A string with parts that are not known yet. */
  | { readonly kind: 'text'; readonly parts: readonly (string | Value)[] }
  /** An open list has at least these items, of unknown content. */
  | { readonly kind: 'list'; readonly items: Value[]; readonly isOpen?: boolean }
  /** `from` is a tool result that was spread into the object. */
  | { readonly kind: 'dict'; readonly entries: Map<string, Value>; from?: Value }
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope }
  | { readonly kind: 'native'; readonly run: (args: readonly Value[]) => Value }
  | { readonly kind: 'tools' }
  | { readonly kind: 'tool'; readonly name: string }
  /** A rejected one throws its value where it is awaited. `task`: what runs in parallel until then. */
  | { readonly kind: 'promise'; readonly of: Value; readonly isRejected?: boolean; readonly task?: number }
  /** The promise of a tool call. */
  | { readonly kind: 'pending'; readonly call: number }
  /** The result of a tool call, a field of it, and a text derived from its output. */
  | { readonly kind: 'result'; readonly call: number; readonly isCommand: boolean }
  | { readonly kind: 'field'; readonly call: number; readonly name: string }
  | { readonly kind: 'derived'; readonly call: number }
  /** The string that a rejected tool call throws. */
  | { readonly kind: 'failure'; readonly call: number; readonly tool: string }
  /** An item of `Promise.allSettled`. */
  | { readonly kind: 'settled'; readonly call: number; readonly tool: string }
  | { readonly kind: 'json'; readonly of: Value }
  /** `r.exit_code === 0`. */
  | {
      readonly kind: 'test';
      readonly call: number;
      readonly name: string;
      readonly equals: Primitive;
      readonly not: boolean;
    }
  /** What `exit()` throws. */
  | { readonly kind: 'exit' }
  | { readonly kind: 'unknown' };

export interface Scope {
  readonly names: Map<string, Value>;
  readonly parent: Scope | undefined;
}

export const UNKNOWN: Value = { kind: 'unknown' };
export const UNDEFINED: Value = { kind: 'known', value: undefined };

/** Longer texts are not followed, so that a hostile script cannot fill the memory. */
export const MAX_TEXT_CHARS = 200_000;
export const MAX_ITEMS = 2_000;

export const toKnown = (value: Primitive): Value => ({ kind: 'known', value });
export const toList = (items: Value[]): Value => (items.length > MAX_ITEMS ? UNKNOWN : { kind: 'list', items });

export function toDict(entries: Readonly<Record<string, Value>>): Value {
  return { kind: 'dict', entries: new Map(Object.entries(entries)) };
}

/** The string that JavaScript makes of adjacent values: `${a}${b}`, `a + b`. */
export function joinTexts(values: readonly Value[]): Value {
  const parts: (string | Value)[] = [];
  for (const value of values) {
    for (const part of toParts(value)) {
      const before = parts.at(-1);
      if (typeof part === 'string' && typeof before === 'string') parts[parts.length - 1] = before + part;
      else parts.push(part);
    }
  }
  const size = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
  if (size > MAX_TEXT_CHARS || parts.length > MAX_ITEMS) return UNKNOWN;
  const [only = '', ...more] = parts;
  return more.length === 0 && typeof only === 'string' ? toKnown(only) : { kind: 'text', parts };
}

function toParts(value: Value): readonly (string | Value)[] {
  if (value.kind === 'known') return [String(value.value)];
  if (value.kind === 'text') return value.parts;
  if (value.kind === 'list' && value.isOpen !== true) {
    const joined = joinTexts(value.items.flatMap((item, at) => (at === 0 ? [item] : [toKnown(','), item])));
    return joined.kind === 'text' ? joined.parts : [joined.kind === 'known' ? String(joined.value) : joined];
  }
  return [IN_TEXTS.has(value.kind) ? value : UNKNOWN];
}

/** Other kinds are objects, of which a text shows hardly anything. */
const IN_TEXTS: ReadonlySet<Value['kind']> = new Set(['field', 'derived', 'failure', 'json']);

/** Undefined if it depends on something unknown. */
export function findTruth(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'known':
      return Boolean(value.value);
    case 'text':
      return value.parts.some((part) => typeof part === 'string' && part !== '') ? true : undefined;
    case 'unknown':
    case 'field':
    case 'derived':
    case 'test':
    case 'result':
      return undefined;
    default:
      return true;
  }
}

/** The one call whose output the value is made from; undefined if there is none or more than one. */
export function findSource(value: Value): number | undefined {
  switch (value.kind) {
    case 'derived':
    case 'result':
    case 'failure':
      return value.call;
    case 'field':
      return value.name === 'output' ? value.call : undefined;
    case 'text': {
      const sources = new Set(value.parts.filter((part) => typeof part !== 'string').map(findSource));
      return sources.size === 1 ? [...sources][0] : undefined;
    }
    case 'list': {
      const sources = new Set(value.items.filter(({ kind }) => kind !== 'known').map(findSource));
      return sources.size === 1 ? [...sources][0] : undefined;
    }
    case 'json':
      return findSource(value.of);
    default:
      return undefined;
  }
}

/** An error that JavaScript itself throws. */
export function toError(message: Value): Value {
  return { kind: 'dict', entries: new Map([['message', message]]) };
}

export function toDerived(value: Value): Value {
  const call = findSource(value);
  return call === undefined ? UNKNOWN : { kind: 'derived', call };
}

/** A list may contain itself. */
const MAX_NESTING = 50;

/** The value as plain data; undefined if a part of it is unknown. */
export function findPlain(value: Value, depth = 0): { readonly value: unknown } | undefined {
  if (value.kind === 'known') return { value: value.value };
  if (depth > MAX_NESTING) return undefined;
  if (value.kind === 'list' && value.isOpen !== true) {
    const items = value.items.map((item) => findPlain(item, depth + 1));
    return items.includes(undefined) ? undefined : { value: items.map((item) => item?.value) };
  }
  if (value.kind !== 'dict' || value.from !== undefined) return undefined;
  const entries = [...value.entries].map(([name, item]) => [name, findPlain(item, depth + 1)] as const);
  if (entries.some(([, item]) => item === undefined)) return undefined;
  return { value: Object.fromEntries(entries.map(([name, item]) => [name, item?.value])) };
}
