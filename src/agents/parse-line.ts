/** The rows of one line of a log, or what is wrong with it. */
import { isWire, type Wire } from './wire.ts';

export type LineFault = 'line cut off' | 'broken JSON' | 'not a JSON object';

export interface ParsedLine {
  /** One; several where a newline was lost between rows; none where nothing could be read. */
  readonly rows: readonly Wire[];
  readonly fault?: LineFault;
}

/** A quote inside a text is escaped: this stands between two rows, or hardly anywhere. */
const SEAM = '}{"';
const MAX_SEAMS = 8;

export function parseLine(text: string): ParsedLine {
  const value = parse(text);
  if (isWire(value)) return { rows: [value] };
  return value === undefined ? parseJoined(text) : { rows: [], fault: 'not a JSON object' };
}

/** Somebody put files one behind the other, or a writer died before its newline. */
function parseJoined(text: string): ParsedLine {
  let at = text.indexOf(SEAM);
  for (let tries = 0; at !== -1 && tries < MAX_SEAMS; tries++) {
    const first = parse(text.slice(0, at + 1));
    if (isWire(first)) {
      const { rows, fault } = parseLine(text.slice(at + 1));
      return { rows: [first, ...rows], ...(fault === undefined ? {} : { fault }) };
    }
    at = text.indexOf(SEAM, at + 1);
  }
  return { rows: [], fault: toFault(text.trim()) };
}

function toFault(text: string): LineFault {
  if (!text.startsWith('{')) return 'not a JSON object';
  return text.endsWith('}') ? 'broken JSON' : 'line cut off';
}

/** Undefined for what is no JSON: JSON itself has no such value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
