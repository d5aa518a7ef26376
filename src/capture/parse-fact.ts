/**
 * One line of the spool or the journal. Undefined for what is no fact of a version we know: a torn line of a killed
 * writer, somebody's editor, a later version. One bad line must never hold up the facts behind it.
 */
import { FACT_VERSION, type Fact } from '../base/fact.ts';

type Shape = Readonly<Record<string, unknown>>;

const CALL_TEXTS = [
  'agent',
  'sessionId',
  'contextId',
  'callId',
  'projectId',
  'tool',
  'rawTool',
  'outcome',
  'occurredAt',
];
const DELIVERY_TEXTS = [
  'id',
  'kind',
  'lessonId',
  'agent',
  'sessionId',
  'contextId',
  'callId',
  'mode',
  'arm',
  'deliveredAt',
];

const SHAPES: Readonly<Record<Fact['kind'], (fact: Shape) => boolean>> = {
  call: ({ how, call }) => (how === 'observed' || how === 'hearsay') && hasTexts(call, CALL_TEXTS),
  delivered: ({ delivery }) => hasTexts(delivery, DELIVERY_TEXTS),
  ended: ({ reason }) => typeof reason === 'string',
  seen: () => true,
};

export function parseFact(line: string): Fact | undefined {
  try {
    const fact: unknown = JSON.parse(line);
    return isFact(fact) ? fact : undefined;
  } catch {
    return undefined;
  }
}

function isFact(value: unknown): value is Fact {
  if (!hasTexts(value, ['kind', 'agent', 'sessionId', 'at'])) return false;
  const kind = String(value.kind);
  return value.v === FACT_VERSION && Object.hasOwn(SHAPES, kind) && SHAPES[kind as Fact['kind']](value);
}

function hasTexts(value: unknown, keys: readonly string[]): value is Shape {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => typeof (value as Shape)[key] === 'string');
}
