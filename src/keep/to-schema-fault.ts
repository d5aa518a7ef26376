/** The first thing that is wrong with a value, in a person's words: a schema's own speak of types and say `undefined`. */
import type { z } from 'zod';

export interface SchemaFault {
  readonly path: readonly (string | number)[];
  /** What is said of what stands there: `is missing`. */
  readonly reason: string;
}

type Issue = z.core.$ZodIssue;

export function toSchemaFault({ issues: [first] }: { readonly issues: readonly Issue[] }): SchemaFault {
  if (first === undefined) return { path: [], reason: 'is not valid' };
  const [issue, before] = findInnermost(first, []);
  return { path: [...before, ...issue.path].map(toStep), reason: toReason(issue) };
}

/** `summary: is missing`; `whole`: what the value itself is called. */
export function renderSchemaFault(error: { readonly issues: readonly Issue[] }, whole = 'lesson'): string {
  const { path, reason } = toSchemaFault(error);
  return `${path.join('.') || whole}: ${reason}`;
}

/** Of several forms that something may have, the nearest tells what is missing; where none is nearer nobody knows what was meant. */
function findInnermost(issue: Issue, before: readonly PropertyKey[]): readonly [Issue, readonly PropertyKey[]] {
  if (issue.code !== 'invalid_union') return [issue, before];
  const [nearest, next] = issue.errors.toSorted((a, b) => a.length - b.length);
  const inner = nearest?.length === next?.length ? undefined : nearest?.[0];
  return inner === undefined ? [issue, before] : findInnermost(inner, [...before, ...issue.path]);
}

function toStep(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What a schema says in words of its own begins otherwise. */
const RAW = /^(?:Invalid|Too (?:small|big)|Unrecognized)\b/;

function toReason(issue: Issue): string {
  if (!RAW.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      if (/received undefined$/.test(issue.message)) return 'is missing';
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return toSizeReason(issue.origin, Number(issue.minimum), true);
    case 'too_big':
      return toSizeReason(issue.origin, Number(issue.maximum), false);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `unexpected fields: ${issue.keys.join(', ')}`;
    default:
      return 'is not of the form that is expected here';
  }
}

function toSizeReason(origin: string, limit: number, isSmall: boolean): string {
  if (origin === 'string') {
    if (isSmall) return limit === 1 ? 'is empty' : `needs ${limit} characters or more`;
    return `has more than ${limit} characters`;
  }
  if (origin === 'array') {
    if (isSmall) return limit === 1 ? 'is empty' : `needs ${limit} entries or more`;
    return limit === 0 ? 'must be empty' : `has more than ${limit} entries`;
  }
  return `must be ${isSmall ? 'at least' : 'at most'} ${limit}`;
}
