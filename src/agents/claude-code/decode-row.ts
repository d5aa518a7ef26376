/**
 * Decodes the bytes of a row without the parts that its reader ignores, because searching bytes is many times faster
 * than decoding and parsing them. Every searched mark contains an unescaped quote after another character, which no
 * text inside JSON can contain. Marks that are always near an end are searched only there.
 */
import { mayBytesMatter, mayMatter, toKindOfBytes } from './row-kinds.ts';

/** Shorter rows are decoded faster than searched. */
const LONG_BYTES = 2048;
/** Rows that show the age of the file, though nothing else in them is used. */
const QUEUED = '{"type":"queue-operation"';
const QUEUED_BYTES = Buffer.from(QUEUED);

/** Without its first letters, because a search starts with the first character, which is rare here. */
const OUTPUT = Buffer.from('UseResult":{');
const OUTPUT_HEAD = Buffer.from('"tool');
const RESULT_ID = Buffer.from('"tool_use_id":');
const RESULT_TEXT = Buffer.from('"type":"tool_result","content":"');
const RESULT_END = Buffer.from('}]},"');
/** The bytes before it if the text has ended and the call has not failed. */
const RESULT_TAILS = ['"', '","is_error":false'].map((tail) => Buffer.from(tail));
const FAILED = Buffer.from('"is_error":true');
/** Between two fields, the first of which is a string. */
const NEXT_FIELD = Buffer.from('","');

const EDITED = Buffer.from('{"filePath":"');
const EDIT = Buffer.from(',"oldString":');
const EDIT_ENDS = [',"userModified":', ',"structuredPatch":'].map((end) => Buffer.from(end));
const CONTENT = Buffer.from(',"content":"');
const CONTENT_ENDS = [Buffer.from('","numLines":')];

/** The size of each end of a file tool's output: more than is kept, in any encoding. */
const SHOWN_BYTES = 4096;
/** A row has its flags, numbers and ids, which follow its long texts, within this many bytes of its end. */
const END_BYTES = 600;
const SPACE = 32;

/** Empty for a row without events. */
export function decodeRow(bytes: Buffer): string {
  return bytes.length < LONG_BYTES ? decodeShort(bytes) : decodeLong(bytes);
}

function decodeShort(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return mayMatter(text) || text.startsWith(QUEUED) ? text : '';
}

function decodeLong(bytes: Buffer): string {
  const kind = toKindOfBytes(bytes);
  if (!mayBytesMatter(bytes, kind) && !stands(bytes, QUEUED_BYTES, 0)) return '';
  const output = kind === 'user' ? findOutput(bytes) : -1;
  return output < 0 ? bytes.toString('utf8') : join(bytes, findRepeatedOutput(bytes, output), findShown(bytes, output));
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The start of the tool's own output object. */
function findOutput(bytes: Buffer): number {
  const at = bytes.indexOf(OUTPUT);
  return stands(bytes, OUTPUT_HEAD, at - OUTPUT_HEAD.length) ? at + OUTPUT.length - 1 : -1;
}

/** The model's copy of a successful result, which the output object repeats. */
function findRepeatedOutput(bytes: Buffer, output: number): Gap | undefined {
  const text = bytes.indexOf(RESULT_TEXT);
  if (text < 0 || text > output) return undefined;
  const from = text + RESULT_TEXT.length;
  const head = bytes.subarray(0, from);
  if (head.indexOf(RESULT_ID) < 0 || head.indexOf(FAILED) >= 0) return undefined;
  const end = bytes.lastIndexOf(RESULT_END, output);
  const tail = RESULT_TAILS.find((one) => stands(bytes, one, end - one.length));
  if (tail === undefined) return undefined;
  const to = end - tail.length;
  // Another field comes before it: the call failed, or there are several results and the owner of the output is
  // unknown.
  const next = bytes.indexOf(NEXT_FIELD, from);
  return next >= 0 && next < to ? undefined : toGap(from, to);
}

/** Parts of a file tool's output object: the file before and after an edit, the middle of what was read or found. */
function findShown(bytes: Buffer, output: number): Gap | undefined {
  if (stands(bytes, EDITED, output)) {
    const from = bytes.indexOf(EDIT, output);
    return from < 0 ? undefined : toGap(from, findEnd(bytes, EDIT_ENDS, from));
  }
  if (bytes.length - output < 3 * SHOWN_BYTES) return undefined;
  const from = bytes.indexOf(CONTENT, output) + CONTENT.length;
  const to = from < output ? -1 : findEnd(bytes, CONTENT_ENDS, from);
  if (to - from < 3 * SHOWN_BYTES) return undefined;
  // Cuts between words: a blank is not part of an escape, and half a secret is not recognized.
  return toGap(bytes.lastIndexOf(SPACE, from + SHOWN_BYTES), bytes.indexOf(SPACE, to - SHOWN_BYTES), from, to);
}

/** The first end of the list that is found; at the end of the row, unless a newline was lost before another row. */
function findEnd(bytes: Buffer, ends: readonly Buffer[], from: number): number {
  const isOneRow = bytes.indexOf(OUTPUT, from) < 0;
  const starts = isOneRow ? [Math.max(from, bytes.length - END_BYTES), from] : [from];
  for (const start of starts) {
    for (const end of ends) {
      const at = bytes.indexOf(end, start);
      if (at >= 0) return at;
    }
  }
  return -1;
}

/** Compares byte by byte, because a mark is too short to be worth a native call. */
function stands(bytes: Buffer, mark: Buffer, at: number): boolean {
  if (at < 0) return false;
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}

function toGap(from: number, to: number, min = from, max = to): Gap | undefined {
  return from < min || to < from || to > max ? undefined : { from, to };
}

function join(bytes: Buffer, ...gaps: readonly (Gap | undefined)[]): string {
  let text = '';
  let at = 0;
  for (const gap of gaps) {
    if (gap === undefined) continue;
    text += bytes.toString('utf8', at, gap.from);
    at = gap.to;
  }
  return text + bytes.toString('utf8', at);
}
