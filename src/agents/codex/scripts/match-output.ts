/**
 * Compares what a script printed with the value it was printed from: whether the two fit, and what the text shows about
 * the results of tool calls. Only what the text determines uniquely is used.
 */

import { isRecord } from '../../../base/records.ts';
import { findPlain, type Primitive, type Value } from './values.ts';

/** The known facts about the result of a call. */
export interface Facts {
  readonly fields: Map<string, Primitive>;
  /** The text that the call was rejected with. */
  failure?: string;
  /** Texts that the script derived from the call's output and printed. */
  readonly shown: string[];
}

/** Facts by the number of the call. */
export type Findings = Map<number, Facts>;

/** False if the text cannot have been printed from the value. */
export function matchBlock(value: Value, block: string, findings: Findings): boolean {
  switch (value.kind) {
    case 'known':
      return toPrinted(value.value) === block;
    case 'text':
      return matchParts(value.parts, block, findings);
    case 'list':
    case 'dict':
    case 'settled': {
      const json = parseJson(block);
      return json !== undefined && matchJson(value, json.value, findings);
    }
    case 'json': {
      const json = parseJson(block);
      return json === undefined ? value.of.kind !== 'list' : matchJson(value.of, json.value, findings);
    }
    case 'result': {
      const json = parseJson(block);
      if (json !== undefined) return matchJson(value, json.value, findings);
      return !value.isCommand && addShown(value.call, block, findings);
    }
    case 'field':
      return matchField(value.call, value.name, toFieldValue(value.name, block), findings);
    case 'derived':
      return addShown(value.call, block, findings);
    case 'failure':
      return addFailure(value, block, findings);
    default:
      return true;
  }
}

/** The head and tail of an output that was cut in the middle; it contains all texts of the script, in lines. */
export function matchCut(texts: readonly Value[], head: string, tail: string, findings: Findings): void {
  let from = 0;
  for (const text of texts) {
    const end = head.indexOf('\n', from);
    if (isFree(text)) {
      const code = /^\{"chunk_id":"\w*","wall_time_seconds":[\d.e-]+,"exit_code":(-?\d+),/.exec(head.slice(from))?.[1];
      if (text.kind === 'result' && code !== undefined) addField(text.call, 'exit_code', Number(code), findings);
      const call = text.kind === 'result' ? undefined : findCall(text);
      if (call !== undefined) addShown(call, head.slice(from), findings);
      break;
    }
    if (end === -1 || !matchBlock(text, head.slice(from, end), findings)) break;
    from = end + 1;
  }
  let to = tail.length;
  for (const text of [...texts].reverse()) {
    const start = tail.lastIndexOf('\n', to - 1);
    if (isFree(text) || start === -1 || !matchBlock(text, tail.slice(start + 1, to), findings)) break;
    to = start;
  }
}

/** The value may contain line breaks, so its end is unknown. */
function isFree(value: Value): boolean {
  if (value.kind === 'known') return String(value.value).includes('\n');
  if (value.kind === 'field') return !(value.name in NUMBERS);
  if (value.kind === 'text')
    return value.parts.some((part) => (typeof part === 'string' ? part.includes('\n') : isFree(part)));
  return true;
}

function findCall(value: Value): number | undefined {
  return value.kind === 'derived' || (value.kind === 'field' && value.name === 'output') ? value.call : undefined;
}

/** Every known entry must be present; the text shows the values of the others. */
function matchJson(value: Value, json: unknown, findings: Findings): boolean {
  switch (value.kind) {
    case 'known':
      return value.value === json || (value.value === undefined && json === null);
    case 'text':
      return typeof json === 'string' && matchParts(value.parts, json, findings);
    case 'list':
      if (!Array.isArray(json)) return false;
      if (value.isOpen === true) return true;
      return json.length === value.items.length && value.items.every((item, at) => matchJson(item, json[at], findings));
    case 'dict':
      return isRecord(json) && matchDict(value, json, findings);
    case 'result':
      return isResult(value, json) && matchResult(value.call, json, findings);
    case 'field':
      return isPrimitive(json) ? matchField(value.call, value.name, json, findings) : true;
    case 'settled':
      return isRecord(json) && matchSettled(value, json, findings);
    case 'derived':
      return typeof json === 'string' ? addShown(value.call, json, findings) : true;
    case 'failure':
      return typeof json === 'string' ? addFailure(value, json, findings) : true;
    default:
      return true;
  }
}

function matchDict(
  { entries, from }: Extract<Value, { kind: 'dict' }>,
  json: Readonly<Record<string, unknown>>,
  findings: Findings,
): boolean {
  for (const [name, entry] of entries) {
    const isThere = Object.hasOwn(json, name);
    // JSON omits undefined values and functions.
    if (!isThere && ['known', 'text', 'list', 'dict'].includes(entry.kind) && !isUndefined(entry)) return false;
    if (isThere && !matchJson(entry, json[name], findings)) return false;
  }
  if (from?.kind !== 'result') return true;
  return matchResult(
    from.call,
    Object.fromEntries(Object.entries(json).filter(([name]) => !entries.has(name))),
    findings,
  );
}

/** The result of a command always contains how long Codex waited for it. */
function isResult({ isCommand }: Extract<Value, { kind: 'result' }>, json: unknown): boolean {
  return !isCommand || (isRecord(json) && typeof json.wall_time_seconds === 'number');
}

function matchResult(call: number, json: unknown, findings: Findings): boolean {
  if (typeof json === 'string') return addShown(call, json, findings);
  if (!isRecord(json)) return true;
  return Object.entries(json).every(([name, item]) => !isPrimitive(item) || addField(call, name, item, findings));
}

function matchSettled(
  settled: Extract<Value, { kind: 'settled' }>,
  json: Readonly<Record<string, unknown>>,
  findings: Findings,
): boolean {
  const { call } = settled;
  if (json.status === 'rejected') return addFailure(settled, String(json.reason), findings);
  if (json.status !== 'fulfilled') return false;
  addField(call, 'status', 'fulfilled', findings);
  return matchResult(call, json.value, findings);
}

const NUMBERS: Readonly<Record<string, true>> = { exit_code: true, session_id: true, wall_time_seconds: true };

/** The value of a field that is printed alone: numbers are numbers, and absent ones are `undefined`. */
function toFieldValue(name: string, text: string): Primitive {
  if (!Object.hasOwn(NUMBERS, name)) return text;
  if (text === 'undefined' || text === 'null') return undefined;
  return /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text) ? Number(text) : text;
}

function matchField(call: number, name: string, value: Primitive, findings: Findings): boolean {
  const isNumber = Object.hasOwn(NUMBERS, name);
  if (isNumber && typeof value !== 'number' && value !== undefined && value !== null) return false;
  return addField(call, name, value ?? undefined, findings);
}

/** Pieces of text with gaps between them. A gap is filled if every way to fit the pieces gives it the same text. */
function matchParts(parts: readonly (string | Value)[], text: string, findings: Findings): boolean {
  const { pieces, gaps } = toPieces(parts);
  const budget = { left: 4_000 };
  const first = fit(pieces, gaps, text, 'first', budget);
  if (budget.left <= 0) return true;
  if (first === undefined) return false;
  const last = fit(pieces, gaps, text, 'last', budget);
  if (last === undefined) return true;
  return gaps.every((gap, at) => {
    const found = first[at];
    return found === undefined || found !== last[at] || gap === undefined || matchBlock(gap, found, findings);
  });
}

interface Pieces {
  /** One more than there are gaps. */
  readonly pieces: readonly string[];
  /** Undefined for adjacent values, because the end of the first is unknown. */
  readonly gaps: readonly (Value | undefined)[];
}

function toPieces(parts: readonly (string | Value)[]): Pieces {
  const pieces: string[] = [''];
  const gaps: (Value | undefined)[] = [];
  let isAfterGap = false;
  for (const part of parts) {
    if (typeof part === 'string') pieces[pieces.length - 1] += part;
    else if (isAfterGap) gaps[gaps.length - 1] = undefined;
    else {
      gaps.push(part);
      pieces.push('');
    }
    isAfterGap = typeof part !== 'string';
  }
  return { pieces, gaps };
}

/** The texts of the gaps, with every piece as near to the beginning (or the end) as possible. */
function fit(
  pieces: readonly string[],
  gaps: readonly (Value | undefined)[],
  text: string,
  which: 'first' | 'last',
  budget: { left: number },
): readonly string[] | undefined {
  const [start = '', ...rest] = pieces;
  if (!text.startsWith(start)) return undefined;
  const go = (at: number, from: number): readonly string[] | undefined => {
    const piece = rest[at];
    if (piece === undefined) return from === text.length ? [] : undefined;
    const isLast = at === rest.length - 1;
    for (const found of placesOf(piece, text, from, isLast, which)) {
      if (budget.left-- <= 0) return undefined;
      const between = text.slice(from, found);
      if (!mayBe(gaps[at], between)) continue;
      const more = go(at + 1, found + piece.length);
      if (more !== undefined) return [between, ...more];
    }
    return undefined;
  };
  return go(0, start.length);
}

function* placesOf(piece: string, text: string, from: number, isLast: boolean, which: 'first' | 'last') {
  if (isLast) {
    const at = text.length - piece.length;
    if (at >= from && text.endsWith(piece)) yield at;
    return;
  }
  if (which === 'first') for (let at = text.indexOf(piece, from); at !== -1; at = text.indexOf(piece, at + 1)) yield at;
  else
    for (let at = text.lastIndexOf(piece); at >= from; at = at === 0 ? -1 : text.lastIndexOf(piece, at - 1)) yield at;
}

function mayBe(gap: Value | undefined, text: string): boolean {
  if (gap?.kind !== 'field' || !Object.hasOwn(NUMBERS, gap.name)) return true;
  return /^(?:-?\d+(?:\.\d+)?(?:e-?\d+)?|undefined|null)$/.test(text);
}

function addField(call: number, name: string, value: Primitive, findings: Findings): boolean {
  const { fields } = getFacts(call, findings);
  if (fields.has(name) && fields.get(name) !== value) return false;
  fields.set(name, value);
  return true;
}

function addShown(call: number, text: string, findings: Findings): boolean {
  const { shown } = getFacts(call, findings);
  if (!shown.includes(text)) shown.push(text);
  return true;
}

function addFailure(
  { call, tool }: { readonly call: number; readonly tool: string },
  text: string,
  findings: Findings,
): boolean {
  const facts = getFacts(call, findings);
  facts.failure = facts.failure ?? text;
  return isErrorOfTool(tool, text);
}

/** Codex rejects a call with a sentence that gives the reason; one about a patch is not about a command. */
export function isErrorOfTool(tool: string, error: string): boolean {
  const [, named] = /^(exec_command|apply_patch|write_stdin) (?:\w+ )?failed\b/.exec(error) ?? [];
  if (named !== undefined) return named === tool;
  return !OWN_TOOLS.has(tool) || REJECTION.test(error.slice(0, 300));
}

const OWN_TOOLS = new Set(['exec_command', 'apply_patch', 'write_stdin']);
const REJECTION =
  /\b(?:fail\w*|blocked|reject\w*|abort\w*|denied|unsupported|cancell?ed|timed out|unknown|invalid|missing|not)\b/i;

export function getFacts(call: number, findings: Findings): Facts {
  const known = findings.get(call);
  if (known !== undefined) return known;
  const facts = { fields: new Map<string, Primitive>(), shown: [] };
  findings.set(call, facts);
  return facts;
}

/** As `text(…)` prints it. */
function toPrinted(value: Primitive): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

function isUndefined(value: Value): boolean {
  return findPlain(value)?.value === undefined;
}

function isPrimitive(value: unknown): value is Primitive {
  return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
