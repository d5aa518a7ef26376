/**
 * The bytes of a row as text, without what its reader would not look at: searching bytes is many times faster than
 * decoding and parsing them. All that is searched for holds a quote behind another character, as no text inside JSON can:
 * there a quote is escaped.
 */
import { mayTellBytes } from './row-kinds.ts';

/** Shorter rows are decoded faster than searched. */
const LONG_BYTES = 1024;
/** Rows that say how old the file is, though nothing else in them is of use. */
const QUEUED = Buffer.from('{"type":"queue-operation"');

const OUTPUT = Buffer.from('"toolUseResult":{');
const RESULT_ID = Buffer.from('"tool_use_id":');
const RESULT_TEXT = Buffer.from('"type":"tool_result","content":"');
const RESULT_END = Buffer.from('}]},"');
/** What stands before it where the text has ended and the call has not failed. */
const RESULT_TAILS = ['"', '","is_error":false'].map((tail) => Buffer.from(tail));
const FAILED = Buffer.from('"is_error":true');

const EDITED = Buffer.from('{"filePath":"');
const EDIT = Buffer.from(',"oldString":');
const CONTENT = Buffer.from(',"content":"');
const CONTENT_END = Buffer.from('","numLines":');
const EDIT_ENDS = [',"userModified":', ',"structuredPatch":'].map((end) => Buffer.from(end));

/** At each end of what a file tool printed: more than is kept of it, however its characters are written. */
const SHOWN_BYTES = 4096;
const SPACE = 32;

/** Empty for a row that tells nothing. */
export function decodeRow(bytes: Buffer): string {
  if (bytes.length < LONG_BYTES) return bytes.toString('utf8');
  if (!mayTellBytes(bytes) && !stands(bytes, QUEUED, 0)) return '';
  const output = bytes.indexOf(OUTPUT);
  return output < 0 ? bytes.toString('utf8') : join(bytes, [findTold(bytes, output), findShown(bytes, output)]);
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** What the model was told of a call that worked: the output object beside it tells the same. */
function findTold(bytes: Buffer, output: number): Gap | undefined {
  const message = bytes.subarray(0, output);
  const id = message.indexOf(RESULT_ID);
  const text = message.indexOf(RESULT_TEXT);
  if (id < 0 || text < id) return undefined;
  const from = text + RESULT_TEXT.length;
  // With several results nobody knows whose output it is.
  if (message.indexOf(RESULT_ID, from) >= 0 || message.indexOf(FAILED) >= 0) return undefined;
  const end = message.indexOf(RESULT_END, from);
  const tail = RESULT_TAILS.find((one) => stands(message, one, end - one.length));
  return tail === undefined ? undefined : toGap(from, end - tail.length);
}

/** Of the output object of a file tool: the file before and after an edit, the middle of what was read or found. */
function findShown(bytes: Buffer, output: number): Gap | undefined {
  const start = output + OUTPUT.length - 1;
  if (stands(bytes, EDITED, start)) {
    const from = bytes.indexOf(EDIT, start);
    return from < 0 ? undefined : toGap(from, findBest(bytes, EDIT_ENDS, from));
  }
  const from = bytes.indexOf(CONTENT, start) + CONTENT.length;
  const to = from < start ? -1 : bytes.indexOf(CONTENT_END, from);
  if (to - from < 3 * SHOWN_BYTES) return undefined;
  // Between words: a blank is no part of an escape, and half a secret is no longer known as one.
  return toGap(bytes.lastIndexOf(SPACE, from + SHOWN_BYTES), bytes.indexOf(SPACE, to - SHOWN_BYTES), from, to);
}

function stands(bytes: Buffer, mark: Buffer, at: number): boolean {
  return at >= 0 && mark.equals(bytes.subarray(at, at + mark.length));
}

function toGap(from: number, to: number, min = from, max = to): Gap | undefined {
  return from < min || to < from || to > max ? undefined : { from, to };
}

/** The first of the list that is there. */
function findBest(bytes: Buffer, ends: readonly Buffer[], from: number): number {
  for (const end of ends) {
    const at = bytes.indexOf(end, from);
    if (at >= 0) return at;
  }
  return -1;
}

function join(bytes: Buffer, gaps: readonly (Gap | undefined)[]): string {
  let text = '';
  let at = 0;
  for (const gap of gaps) {
    if (gap === undefined) continue;
    text += bytes.toString('utf8', at, gap.from);
    at = gap.to;
  }
  return text + bytes.toString('utf8', at);
}
