/**
 * Narrows and parses JSON that other programs wrote: object fields, log lines, and values back to JSON text. The checks
 * are written by hand, because loading a schema library would slow the start of the hook. No function throws on any
 * input, and a missing field is undefined.
 */
import { dropAbsent, isRecord, parseJson, parseRecord } from '../base/records.ts';

/** Any JSON object. */
export type Wire = Readonly<Record<string, unknown>>;

/** A non-empty string. */
export function findText(wire: Wire, key: string): string | undefined {
  const value = wire[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of these fields; undefined if one of them is missing. */
export function findTexts<K extends string>(wire: Wire, ...keys: readonly K[]): Record<K, string> | undefined {
  const texts = dropAbsent(Object.fromEntries(keys.map((key) => [key, findText(wire, key)])));
  return Object.keys(texts).length < keys.length ? undefined : (texts as Record<K, string>);
}

export function findNumber(wire: Wire, key: string): number | undefined {
  const value = wire[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function findWire(wire: Wire, key: string): Wire | undefined {
  const value = wire[key];
  return isRecord(value) ? value : undefined;
}

/** The objects of a list; empty if the value is not a list. */
export function toWires(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The texts of a list of content blocks, one below the other. */
export function toBlocksText(blocks: unknown): string {
  const texts = toWires(blocks).map((block) => findText(block, 'text'));
  return texts.filter((text) => text !== undefined).join('\n');
}

type LineFault = 'line cut off' | 'broken JSON' | 'not a JSON object';

interface ParsedLine {
  /** Usually one row; several if a newline was lost between rows; none if the line could not be parsed. */
  readonly rows: readonly Wire[];
  readonly fault?: LineFault;
}

/** A quote inside a text is escaped, so this appears only between two rows. */
const SEAM = '}{"';
const MAX_SEAMS = 8;

/** Parses the memo of a reader. Empty if there is none. */
export function parseMemo(memo: string | undefined): Wire {
  return parseRecord(memo ?? '') ?? {};
}

/** The rows of one line of a log, or what is wrong with it. */
export function parseLine(text: string): ParsedLine {
  const value = parseJson(text);
  if (isRecord(value)) return { rows: [value] };
  return value === undefined ? parseJoined(text) : { rows: [], fault: 'not a JSON object' };
}

/** Somebody concatenated files, or a writer died before its newline. */
function parseJoined(text: string): ParsedLine {
  let at = text.indexOf(SEAM);
  for (let tries = 0; at !== -1 && tries < MAX_SEAMS; tries++) {
    const first = parseJson(text.slice(0, at + 1));
    if (isRecord(first)) {
      const { rows, fault } = parseLine(text.slice(at + 1));
      return { rows: [first, ...rows], ...dropAbsent({ fault }) };
    }
    at = text.indexOf(SEAM, at + 1);
  }
  return { rows: [], fault: toFault(text.trim()) };
}

function toFault(text: string): LineFault {
  if (!text.startsWith('{')) return 'not a JSON object';
  return text.endsWith('}') ? 'broken JSON' : 'line cut off';
}

/** Any value as JSON. Never throws: an input nested too deeply for the stack counts as empty. */
export function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return '';
  }
}
