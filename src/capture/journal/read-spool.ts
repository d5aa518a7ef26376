/**
 * Reads and parses the files that wait in the spool folder: spooled facts, and journal segments that a daemon left
 * behind. A line that is not a fact of a known version is skipped, because one bad line must never hold up the facts
 * after it.
 */

import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FACT_VERSION, type Fact, SPOOL_SUFFIX } from '../../base/model/fact.ts';

export interface Spooled {
  readonly facts: readonly Fact[];
  /** Some facts have a later version, so the file is left for a newer daemon. */
  readonly hasLater: boolean;
}

/** The names of the waiting files, oldest first, because names begin with the time. */
export function listSpool(dir: string): readonly string[] {
  return listBySuffix(dir, SPOOL_SUFFIX);
}

export function listBySuffix(dir: string, suffix: string): readonly string[] {
  return listNames(dir)
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .sort();
}

/** Lines that are not facts are left out. Throws if the file cannot be read. */
export function readSpooled(dir: string, name: string): Spooled {
  const lines = readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const facts = lines.map(parseFact).filter((fact) => fact !== undefined);
  return { facts, hasLater: facts.length < lines.length && lines.some(isLaterFact) };
}

export function removeSpooled(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}

/** A journal segment has the format of a spool file, so after the renaming any daemon drains it. */
export function spoolSegment(dir: string, segment: string): void {
  renameSync(join(dir, segment), join(dir, segment + SPOOL_SUFFIX));
}

/** Removes temporary files of writers that were killed; they are incomplete and were never acknowledged. */
export function removeDrafts(dir: string, beforeMs: number): void {
  for (const name of listNames(dir).filter((one) => one.startsWith('.out_'))) {
    const modifiedMs = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? beforeMs;
    if (modifiedMs < beforeMs) removeSpooled(dir, name);
  }
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

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
  'outcomeType',
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
const DELIVERY_NUMBERS = ['score', 'bytes', 'latencyUs'];

const SHAPES: Readonly<Record<Fact['kind'], (fact: Shape) => boolean>> = {
  call: ({ how, call }) =>
    (how === 'observed' || how === 'hearsay') &&
    has(call, 'string', CALL_TEXTS) &&
    has(call, 'boolean', ['masked']) &&
    mayHave(call, 'number', ['exitCode', 'durationMs']),
  delivered: ({ delivery }) => has(delivery, 'string', DELIVERY_TEXTS) && has(delivery, 'number', DELIVERY_NUMBERS),
  unsaid: ({ contextId, callId, unsaid }) =>
    typeof contextId === 'string' &&
    typeof callId === 'string' &&
    isListOf(unsaid, (one) => has(one, 'string', ['lessonId', 'reason'])),
  added: (fact) => has(fact, 'string', ['contextId', 'callId', 'reply']) && has(fact, 'number', ['bytes']),
  ended: ({ reason }) => typeof reason === 'string',
  seen: () => true,
  briefed: ({ failures, dead }) =>
    isListOf(failures, (id) => typeof id === 'string') &&
    isListOf(dead, (one) => has(one, 'string', ['agent', 'sessionId', 'lastSeenAt'])),
};

/**
 * Parses one line of the spool or the journal. Undefined for a line that is not a fact of a known version: a torn line
 * of a killed writer, a person's edit, a later version. One bad line must not hold up the facts after it.
 */
export function parseFact(line: string): Fact | undefined {
  try {
    const fact: unknown = JSON.parse(line);
    return isFact(fact) ? fact : undefined;
  } catch {
    return undefined;
  }
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** A fact of a later version, which we must neither judge nor delete. */
function isLaterFact(line: string): boolean {
  try {
    const { v } = JSON.parse(line) as { readonly v?: unknown };
    return typeof v === 'number' && v > FACT_VERSION;
  } catch {
    return false;
  }
}

function isFact(value: unknown): value is Fact {
  if (!has(value, 'string', ['kind', 'agent', 'sessionId', 'at'])) return false;
  if (!mayHave(value, 'string', ['cwd', 'transcriptPath', 'host']) || !mayHave(value, 'number', ['pid'])) return false;
  const kind = String(value.kind);
  return value.v === FACT_VERSION && Object.hasOwn(SHAPES, kind) && SHAPES[kind as Fact['kind']](value);
}

type Kind = 'string' | 'number' | 'boolean';

function has(value: unknown, kind: Kind, keys: readonly string[]): value is Shape {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => typeof (value as Shape)[key] === kind);
}

function mayHave(value: Shape, kind: Kind, keys: readonly string[]): boolean {
  return keys.every((key) => value[key] === undefined || typeof value[key] === kind);
}
