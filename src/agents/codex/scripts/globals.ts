/** The JavaScript and code-mode features that scripts use: members, methods of strings and lists, globals. */
import { type Machine, type ScriptHost, ScriptThrow } from './machine.ts';
import {
  findPlain,
  findSource,
  findTruth,
  joinTexts,
  MAX_ITEMS,
  MAX_TEXT_CHARS,
  type Primitive,
  toDerived,
  toDict,
  toError,
  toKnown,
  toList,
  UNDEFINED,
  UNKNOWN,
  type Value,
} from './values.ts';

export function readMember({ host }: Machine, object: Value, name: string): Value {
  switch (object.kind) {
    case 'tools':
      return { kind: 'tool', name };
    case 'result':
      return readField(host, object.call, name);
    case 'dict':
      return object.entries.get(name) ?? readSpread(host, object.from, name);
    case 'list':
      if (object.isOpen === true) return UNKNOWN;
      return name === 'length' ? toKnown(object.items.length) : (object.items[toIndex(name)] ?? UNDEFINED);
    case 'settled':
      return readSettled(host, object, name);
    case 'known':
      if (typeof object.value !== 'string') return UNDEFINED;
      return name === 'length' ? toKnown(object.value.length) : toKnown(object.value[toIndex(name)]);
    case 'text':
    case 'derived':
      return name === 'length' ? UNKNOWN : toDerived(object);
    default:
      return UNKNOWN;
  }
}

function readField(host: ScriptHost, call: number, name: string): Value {
  const known = host.findField(call, name);
  return known === undefined ? { kind: 'field', call, name } : toKnown(known.value);
}

function readSpread(host: ScriptHost, from: Value | undefined, name: string): Value {
  if (from === undefined) return UNDEFINED;
  return from.kind === 'result' ? readField(host, from.call, name) : UNKNOWN;
}

/** The script checks how a call ended, so from here on there are two ways. */
function readSettled(host: ScriptHost, { call, tool }: Extract<Value, { kind: 'settled' }>, name: string): Value {
  if (name === 'value') return { kind: 'result', call, isCommand: false };
  if (name === 'reason') return { kind: 'failure', call, tool };
  return name === 'status' ? readField(host, call, 'status') : UNDEFINED;
}

function toIndex(name: string): number {
  return /^\d{1,6}$/.test(name) ? Number(name) : -1;
}

export function callMethod(
  machine: Machine,
  object: Value,
  name: string,
  args: readonly Value[],
  isAwaited: boolean,
): Value {
  if (object.kind === 'promise' || object.kind === 'pending') return callPromise(machine, object, name, args);
  if (object.kind === 'list') return callList(machine, object, name, args);
  if (object.kind === 'dict') {
    const method = object.entries.get(name);
    return method === undefined ? UNKNOWN : machine.invoke(method, args, isAwaited);
  }
  if (object.kind === 'known') return callPrimitive(object.value, name, args);
  if (name === 'split') return { kind: 'list', items: [toDerived(object)], isOpen: true };
  if (name === 'toString') return object;
  // A callback that an unknown list may call any number of times.
  const callback = args.find(({ kind }) => kind === 'function');
  if (callback !== undefined) machine.host.repeat(() => void machine.invoke(callback, [UNKNOWN, UNKNOWN]), false);
  return findSource(object) === undefined || callback !== undefined ? UNKNOWN : toDerived(object);
}

type PromiseValue = Extract<Value, { kind: 'promise' | 'pending' }>;

function callPromise({ host, invoke }: Machine, promise: PromiseValue, name: string, args: readonly Value[]): Value {
  const [onValue, onError] = name === 'then' ? args : [undefined, name === 'catch' ? args[0] : undefined];
  return host.inTask((): Value => {
    const settled = waitFor(host, promise, isCallable(onError));
    const handler = settled.isRejected ? onError : onValue;
    if (isCallable(handler)) return host.wait(invoke(handler, [settled.of]));
    if (settled.isRejected) throw new ScriptThrow(settled.of);
    return settled.of;
  });
}

function waitFor(host: ScriptHost, promise: PromiseValue, isCaught: boolean) {
  host.tryDepth += isCaught ? 1 : 0;
  try {
    return { of: host.wait(promise), isRejected: false };
  } catch (error) {
    if (!(error instanceof ScriptThrow)) throw error;
    return { of: error.value, isRejected: true };
  } finally {
    host.tryDepth -= isCaught ? 1 : 0;
  }
}

function isCallable(value: Value | undefined): value is Value {
  return value?.kind === 'function' || value?.kind === 'native';
}

type ListValue = Extract<Value, { kind: 'list' }>;

function callList(machine: Machine, list: ListValue, name: string, args: readonly Value[]): Value {
  if (list.isOpen === true) return callOpenList(machine, list, name, args);
  const method = Object.hasOwn(LIST_METHODS, name) ? LIST_METHODS[name] : undefined;
  if (method === undefined) return UNKNOWN;
  const [first = UNDEFINED] = args;
  const each = (): readonly Value[] =>
    [...list.items].map((item, at) => machine.invoke(first, [item, toKnown(at), list]));
  return method({ list, items: list.items, args, each, machine });
}

/** The list has at least one item, but which and how many is unknown. */
function callOpenList({ invoke, host }: Machine, { items }: ListValue, name: string, args: readonly Value[]): Value {
  const [first = UNDEFINED] = args;
  if (first.kind === 'function') host.repeat(() => void invoke(first, [UNKNOWN, UNKNOWN]), true);
  if (name === 'map') return { kind: 'list', items: [UNKNOWN], isOpen: true };
  return name === 'join' || name === 'slice' ? toDerived(items[0] ?? UNKNOWN) : UNKNOWN;
}

interface ListCall {
  readonly list: ListValue;
  readonly items: Value[];
  readonly args: readonly Value[];
  /** The callback's values, one for each item. */
  readonly each: () => readonly Value[];
  readonly machine: Machine;
}

const LIST_METHODS: Readonly<Record<string, (call: ListCall) => Value>> = {
  map: ({ each }) => toList([...each()]),
  forEach: ({ each }) => {
    each();
    return UNDEFINED;
  },
  flatMap: ({ each }) => toList(each().flatMap(toFlat)),
  flat: ({ items }) => toList(items.flatMap(toFlat)),
  filter: ({ items, each }) => {
    const truths = each().map(findTruth);
    return truths.includes(undefined) ? UNKNOWN : toList(items.filter((_, at) => truths[at]));
  },
  find: ({ items, each }) => {
    const truths = each().map(findTruth);
    return truths.includes(undefined) ? UNKNOWN : (items[truths.indexOf(true)] ?? UNDEFINED);
  },
  some: ({ each }) => toQuantity(each(), (truths) => truths.includes(true)),
  every: ({ each }) => toQuantity(each(), (truths) => !truths.includes(false)),
  reduce: ({ items, args: [first = UNDEFINED, start], machine }) => {
    let sum = start;
    for (const [at, item] of [...items].entries())
      sum = sum === undefined ? item : machine.invoke(first, [sum, item, toKnown(at)]);
    return sum ?? UNDEFINED;
  },
  join: ({ items, args: [separator = toKnown(',')] }) =>
    joinTexts(items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]))),
  push: ({ items, args }) => {
    if (items.length + args.length <= MAX_ITEMS) items.push(...args);
    return toKnown(items.length);
  },
  concat: ({ items, args }) => toList([...items, ...args.flatMap(toFlat)]),
  entries: ({ items }) => toList(items.map((item, at) => toList([toKnown(at), item]))),
  values: ({ list }) => list,
  keys: ({ items }) => toList(items.map((_, at) => toKnown(at))),
  at: ({ items, args: [at = UNDEFINED] }) =>
    at.kind === 'known' ? (items.at(Number(at.value)) ?? UNDEFINED) : UNKNOWN,
  slice: ({ items, args: [from = UNDEFINED, to = UNDEFINED] }) =>
    from.kind === 'known' && to.kind === 'known' ? toList(items.slice(toNumber(from), toNumber(to))) : UNKNOWN,
  reverse: ({ items, list }) => {
    items.reverse();
    return list;
  },
  includes: (call) => toPlace(call, (at) => at !== -1),
  indexOf: (call) => toPlace(call, (at) => at),
};

function toFlat(value: Value): readonly Value[] {
  return value.kind === 'list' && value.isOpen !== true ? value.items : [value];
}

function toQuantity(values: readonly Value[], count: (truths: readonly boolean[]) => boolean): Value {
  const truths = values.map(findTruth).filter((truth) => truth !== undefined);
  return truths.length < values.length ? UNKNOWN : toKnown(count(truths));
}

function toPlace({ items, args: [sought = UNDEFINED] }: ListCall, make: (at: number) => Primitive): Value {
  if (sought.kind !== 'known' || items.some(({ kind }) => kind !== 'known')) return UNKNOWN;
  return toKnown(make(items.findIndex((item) => item.kind === 'known' && item.value === sought.value)));
}

function toNumber(value: Value): number | undefined {
  return value.kind === 'known' && value.value !== undefined ? Number(value.value) : undefined;
}

const STRING_METHODS = new Set([
  ...['trim', 'trimEnd', 'trimStart', 'slice', 'substring', 'toUpperCase', 'toLowerCase', 'repeat', 'padStart'],
  ...['padEnd', 'includes', 'startsWith', 'endsWith', 'indexOf', 'replace', 'replaceAll', 'at', 'charAt', 'concat'],
  ...['split', 'toString'],
]);

/** Calls JavaScript's own method if all arguments are known; never a regular expression, which may never end. */
function callPrimitive(value: Primitive, name: string, args: readonly Value[]): Value {
  if (typeof value === 'number')
    return name === 'toString' || name === 'toFixed' ? toNumberText(value, name, args) : UNKNOWN;
  if (typeof value !== 'string' || !STRING_METHODS.has(name)) return UNKNOWN;
  const given = args.map((arg) => (arg.kind === 'known' ? arg.value : undefined));
  if (args.some(({ kind }) => kind !== 'known')) return UNKNOWN;
  if (['repeat', 'padStart', 'padEnd'].includes(name) && !(Number(given[0]) * value.length <= MAX_TEXT_CHARS))
    return UNKNOWN;
  if (name.startsWith('pad') && !(Number(given[0]) <= MAX_TEXT_CHARS)) return UNKNOWN;
  if (name.startsWith('replace') && value.length * String(given[1]).length > MAX_TEXT_CHARS) return UNKNOWN;
  try {
    // biome-ignore lint/suspicious/noExplicitAny: the name was looked up in the list above.
    const made: unknown = (value as any)[name](...given);
    if (Array.isArray(made)) return toList(made.slice(0, MAX_ITEMS + 1).map((part) => toKnown(String(part))));
    return toKnown(made as Primitive);
  } catch {
    return UNKNOWN;
  }
}

function toNumberText(value: number, name: string, args: readonly Value[]): Value {
  const digits = args[0] === undefined ? 0 : toNumber(args[0]);
  if (name === 'toString') return args.length === 0 ? toKnown(String(value)) : UNKNOWN;
  return digits === undefined || !(digits >= 0 && digits <= 20) ? UNKNOWN : toKnown(value.toFixed(digits));
}

const toNative = (run: (args: readonly Value[]) => Value): Value => ({ kind: 'native', run });

/** Names of JavaScript and Codex whose values are not followed here. */
const UNFOLLOWED = new Set([
  ...['ALL_TOOLS', 'load', 'Math', 'Date', 'Map', 'Set', 'WeakMap', 'WeakSet', 'RegExp', 'Symbol', 'BigInt', 'Intl'],
  ...['globalThis', 'Infinity', 'isNaN', 'isFinite', 'parseFloat', 'encodeURIComponent', 'decodeURIComponent'],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'Function', 'Reflect', 'Proxy'],
]);

export function findGlobal(machine: Machine, name: string): Value {
  const { host } = machine;
  switch (name) {
    case 'tools':
      return { kind: 'tools' };
    case 'undefined':
      return UNDEFINED;
    case 'NaN':
      return toKnown(Number.NaN);
    case 'text':
      return toNative(([value = UNDEFINED]) => {
        host.print(value);
        return UNDEFINED;
      });
    case 'image':
    case 'audio':
    case 'generatedImage':
      return toNative(() => {
        host.print(UNKNOWN);
        return UNDEFINED;
      });
    case 'exit':
      return toNative(() => {
        throw new ScriptThrow({ kind: 'exit' });
      });
    case 'notify':
    case 'store':
    case 'yield_control':
    case 'setTimeout':
    case 'clearTimeout':
      return toNative(() => UNDEFINED);
    case 'String':
      return toNative(([value = toKnown('')]) => joinTexts([value]));
    case 'Boolean':
      return toNative(([value = UNDEFINED]) => {
        const truth = findTruth(value);
        return truth === undefined ? UNKNOWN : toKnown(truth);
      });
    case 'Number':
    case 'parseInt':
      return toNative(([value = UNDEFINED]) => (value.kind === 'known' ? toKnown(Number(value.value)) : value));
    case 'Promise':
      return toPromiseGlobal(machine);
    case 'JSON':
      return toDict({
        stringify: toNative(([value = UNDEFINED, , indent]) => stringify(value, indent)),
        parse: toNative(([value = UNDEFINED]) => toDerived(value)),
      });
    case 'Object':
      return toObjectGlobal();
    case 'Array':
      return toArrayGlobal(machine);
    default:
      // The name most likely does not exist, and the script throws.
      if (!UNFOLLOWED.has(name) && host.tryDepth > 0 && host.choose(UNKNOWN)) throw new ScriptThrow(toError(UNKNOWN));
      return UNKNOWN;
  }
}

function stringify(value: Value, indent: Value | undefined): Value {
  const plain = findPlain(value);
  if (plain === undefined) return { kind: 'json', of: value };
  const given = indent?.kind === 'known' ? (indent.value ?? undefined) : undefined;
  const spaces = typeof given === 'boolean' ? undefined : given;
  const text = JSON.stringify(plain.value, undefined, spaces);
  return text !== undefined && text.length > MAX_TEXT_CHARS ? UNKNOWN : toKnown(text);
}

function toPromiseGlobal({ host }: Machine): Value {
  const all = ([list = UNDEFINED]: readonly Value[]): Value =>
    list.kind === 'list' ? { kind: 'promise', of: list } : { kind: 'promise', of: UNKNOWN };
  return toDict({
    all: toNative(all),
    allSettled: toNative(([list = UNDEFINED]) => {
      if (list.kind !== 'list' || list.isOpen === true) return { kind: 'promise', of: UNKNOWN };
      return { kind: 'promise', of: toList(list.items.map((item) => host.settle(item))) };
    }),
    race: toNative(() => ({ kind: 'promise', of: UNKNOWN })),
    any: toNative(() => ({ kind: 'promise', of: UNKNOWN })),
    resolve: toNative(([value = UNDEFINED]) => ({ kind: 'promise', of: value })),
    reject: toNative(([value = UNDEFINED]) => ({ kind: 'promise', of: value, isRejected: true })),
  });
}

function toObjectGlobal(): Value {
  const over = (toItem: (name: string, value: Value) => Value): Value =>
    toNative(([object = UNDEFINED]) =>
      object.kind === 'dict' && object.from === undefined
        ? toList([...object.entries].map(([name, value]) => toItem(name, value)))
        : UNKNOWN,
    );
  return toDict({
    keys: over((name) => toKnown(name)),
    values: over((_, value) => value),
    entries: over((name, value) => toList([toKnown(name), value])),
    assign: toNative(([target = UNDEFINED, ...others]) => {
      if (target.kind !== 'dict') return UNKNOWN;
      for (const other of others)
        if (other.kind === 'dict') for (const [name, value] of other.entries) target.entries.set(name, value);
        else target.from = other;
      return target;
    }),
    fromEntries: toNative(([list = UNDEFINED]) => {
      if (list.kind !== 'list' || list.isOpen === true) return UNKNOWN;
      const pairs = list.items.map((item) => (item.kind === 'list' ? item.items : []));
      if (pairs.some(([name]) => name?.kind !== 'known')) return UNKNOWN;
      return {
        kind: 'dict',
        entries: new Map(pairs.map(([name, value]) => [toNameOf(name), value ?? UNDEFINED])),
      };
    }),
  });
}

function toNameOf(value: Value | undefined): string {
  return value?.kind === 'known' ? String(value.value) : '';
}

function toArrayGlobal({ invoke }: Machine): Value {
  return toDict({
    from: toNative(([source = UNDEFINED, map]) => {
      const length = source.kind === 'dict' ? source.entries.get('length') : undefined;
      const count = length === undefined ? undefined : toNumber(length);
      const items =
        source.kind === 'list' && source.isOpen !== true
          ? source.items
          : count !== undefined && count >= 0 && count <= MAX_ITEMS
            ? Array.from({ length: count }, () => UNDEFINED)
            : undefined;
      if (items === undefined) return UNKNOWN;
      return toList(map === undefined ? [...items] : items.map((item, at) => invoke(map, [item, toKnown(at)])));
    }),
    isArray: toNative(([value = UNDEFINED]) =>
      ['list', 'known', 'dict', 'text'].includes(value.kind) ? toKnown(value.kind === 'list') : UNKNOWN,
    ),
    of: toNative((args) => toList([...args])),
  });
}
