/**
 * Finds, writes and removes Oncebitten's block of promoted lessons in somebody's Markdown file. All edits work on raw
 * text, one character for each byte, so every byte outside the block stays as it is. The block runs from `<!--
 * oncebitten:begin … -->` and the title `## Lessons from earlier work` to `<!-- oncebitten:end -->`, and each lesson in
 * it follows a marker `<!-- oncebitten:lesson <slug> <hash of its text> -->`.
 */

import { hashText } from '../base/ids.ts';
import type { Lesson } from '../base/model/lesson.ts';
import type { Refusal } from './transition.ts';

export interface Section {
  readonly slug: string;
  /** The hash in the marker. */
  readonly hash: string;
  /** Without the marker, lines ended by \n. */
  readonly text: string;
  /** The start of the section, including its marker; the section ends at the next marker. */
  readonly start: number;
  readonly end: number;
}

export interface ManagedBlock {
  readonly start: number;
  /** After the last marker, before its line end. */
  readonly end: number;
  /** Where the last marker begins. */
  readonly close: number;
  readonly eol: string;
  readonly sections: readonly Section[];
  /** Nobody added text between the first marker and the first lesson. */
  readonly isHeadOurs: boolean;
}

export const BEGIN =
  '<!-- oncebitten:begin Written by `oncebitten lessons promote`. To change these lessons, use that command, or delete this whole block. -->';
export const END = '<!-- oncebitten:end -->';
export const TITLE = '## Lessons from earlier work';

export function decodeBytes(bytes: Buffer): string {
  return bytes.toString('latin1');
}

export function toBytes(raw: string): Buffer {
  return Buffer.from(raw, 'latin1');
}

/** Converts our own text to raw text. */
export function encode(text: string, eol: string): string {
  return decodeBytes(Buffer.from(text.replaceAll('\n', eol)));
}

function decode(raw: string): string {
  return toBytes(raw).toString('utf8').replaceAll('\r\n', '\n');
}

/** The slug if it has our format, else the id. */
export function toSectionName({ slug, id }: Pick<Lesson, 'slug' | 'id'>): string {
  return /^[\w.-]+$/.test(slug) ? slug : id;
}

/** Includes the last line end. */
export function renderSection(slug: string, text: string, eol: string): string {
  return encode(`<!-- oncebitten:lesson ${slug} ${hashText(text)} -->\n${text}\n`, eol);
}

/** A byte order mark may precede it. */
const MARKER = /^(?:\xef\xbb\xbf)?([ \t]*<!--[ \t]*oncebitten:(begin|end|lesson)\b.*)$/;
const WHOLE = /-->[ \t]*$/;
const LESSON = /^[ \t]*<!-- oncebitten:lesson (\S+) (\S+) -->[ \t]*$/;
/** `=======` alone may underline a heading. */
const CONFLICT = /^(?:<{7}|>{7})(?: .*)?$/m;
const UTF_16 = /^(?:\xff\xfe|\xfe\xff)/;
/** The number of characters checked for UTF-16 without a byte order mark. */
const UTF_16_CHARS = 400;

interface Marker {
  readonly kind: string;
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

interface ParsedFile {
  /** Undefined where the file has none. */
  readonly block: ManagedBlock | undefined;
  /** The fence or comment that is still open at the end of the file. */
  readonly openEnd?: 'fence' | 'comment';
}

/** Finds our block in a file's raw text, or says why the file should not be edited. */
export function parseManagedBlock(raw: string): ParsedFile | Refusal {
  if (isUtf16(raw)) return { refused: 'is not UTF-8 but UTF-16', next: 'save it as UTF-8 first' };
  if (CONFLICT.test(raw))
    return { refused: 'has merge conflicts (lines of <<<<<<< or >>>>>>>)', next: 'resolve them first' };
  const { lines, fenced, open } = listPlainLines(raw);
  // It is unclear whether they are an example or our block.
  if (fenced.some((line) => toMarkers(line).length > 0))
    return {
      refused: 'has a code fence that does not end, with markers of Oncebitten in it',
      next: 'end the fence first',
    };
  const markers = lines.flatMap(toMarkers);
  if (markers.length === 0) return { block: undefined, ...(open === undefined ? {} : { openEnd: open }) };
  const fault = findFault(markers);
  if (fault !== undefined)
    return { refused: `has a broken oncebitten block: ${fault}`, next: 'repair its markers, or remove them all' };
  return { block: toBlock(raw, markers) };
}

/** One or none. */
function toMarkers({ text, end }: PlainLine): readonly Marker[] {
  const [, line, kind = ''] = MARKER.exec(text) ?? [];
  return line === undefined ? [] : [{ kind, line, start: end - line.length, end }];
}

/** In UTF-16, most letters have a zero byte; text in UTF-8 has none. */
function isUtf16(raw: string): boolean {
  if (UTF_16.test(raw)) return true;
  const head = raw.slice(0, UTF_16_CHARS);
  const countZeros = (odd: number): number => [...head].filter((char, i) => char === '\0' && i % 2 === odd).length;
  return head.length > 3 && Math.max(countZeros(0), countZeros(1)) * 4 > head.length;
}

function findFault(markers: readonly Marker[]): string | undefined {
  const count = (kind: string): number => markers.filter((marker) => marker.kind === kind).length;
  if (count('begin') > 1 || count('end') > 1) return 'it begins or ends more than once';
  if (count('begin') === 0) return 'it has no beginning';
  if (count('end') === 0) return 'it has no end';
  if (markers[0]?.kind !== 'begin' || markers.at(-1)?.kind !== 'end') return 'a marker is outside of it';
  if (!markers.every(({ line }) => WHOLE.test(line))) return 'a marker does not end on its line';
  const slugs = markers.filter(({ kind }) => kind === 'lesson').map(({ line }) => LESSON.exec(line)?.[1]);
  if (slugs.includes(undefined)) return 'a lesson has no name';
  return new Set(slugs).size < slugs.length ? 'it contains a lesson twice' : undefined;
}

function toBlock(raw: string, markers: readonly Marker[]): ManagedBlock {
  const [first, last] = [markers[0] as Marker, markers.at(-1) as Marker];
  const eol = raw.startsWith('\r\n', first.end) ? '\r\n' : '\n';
  const head = raw.slice(first.end, markers[1]?.start);
  return {
    start: first.start,
    end: last.end,
    close: last.start,
    eol,
    sections: markers.slice(1, -1).map((marker, i) => toSection(raw, marker, markers[i + 2]?.start ?? last.start)),
    isHeadOurs: head === encode(`\n${TITLE}\n`, eol),
  };
}

function toSection(raw: string, { line, start, end }: Marker, next: number): Section {
  const [, slug = '', hash = ''] = LESSON.exec(line) ?? [];
  const text = decode(raw.slice(end, next)).replace(/^\n/, '').replace(/\n$/, '');
  return { slug, hash, text, start, end: next };
}

/** A line of a Markdown file outside code fences. */
interface PlainLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface PlainLines {
  readonly lines: readonly PlainLine[];
  /** The fence or comment that is still open at the end of the file. */
  readonly open?: 'fence' | 'comment';
  /** The lines after a fence that is never closed. */
  readonly fenced: readonly PlainLine[];
}

const LINE = /^.*$/gm;
/** In a list it may be indented further. No backtick may follow the backticks. */
const FENCE = /^(?:\xef\xbb\xbf)?([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;
/** Indented this far from the text of the list, it is a code block, and a fence in it is plain text. */
const CODE_COLUMNS = 4;
const LIST = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,4}|$)/;
/** Elsewhere in a line, a comment ends with its paragraph. */
const COMMENT = /^(?:\xef\xbb\xbf)? {0,3}<!--/;

interface Fence {
  readonly mark: string;
  /** For a fence inside a code block: it ends at the first line with less indentation. */
  readonly codeColumns?: number;
}

/** `raw`: one character for each byte. */
function listPlainLines(raw: string): PlainLines {
  const lines: PlainLine[] = [];
  let fence: Fence | undefined;
  let fenced: PlainLine[] = [];
  let isComment = false;
  let listColumns = 0;
  for (const match of raw.matchAll(LINE)) {
    const line = { text: match[0], start: match.index, end: match.index + match[0].length };
    if (fence !== undefined && !isPastCode(line.text, fence)) {
      fenced.push(line);
      if (isClosing(line.text, fence)) [fence, fenced] = [undefined, []];
      continue;
    }
    [fence, fenced] = [undefined, []];
    lines.push(line);
    listColumns = toListColumns(line.text, listColumns);
    if (isComment || COMMENT.test(line.text)) isComment = !line.text.includes('-->');
    else fence = findFence(line.text, listColumns + CODE_COLUMNS);
  }
  // Any text after a code block ends it.
  const isOpen = fence !== undefined && fence.codeColumns === undefined;
  const open = isOpen ? 'fence' : isComment ? 'comment' : undefined;
  return { lines, fenced: isOpen ? fenced : [], ...(open === undefined ? {} : { open }) };
}

function findFence(text: string, codeColumns: number): Fence | undefined {
  const [, indent = '', mark] = FENCE.exec(text) ?? [];
  if (mark === undefined) return undefined;
  return toColumns(indent) < codeColumns ? { mark } : { mark, codeColumns };
}

/** The column at which the text of the enclosing list begins; 0 outside a list. */
function toListColumns(text: string, before: number): number {
  const item = LIST.exec(text)?.[0];
  if (item !== undefined) return toColumns(item);
  return before > 0 && text.trim() !== '' && toIndent(text) === 0 ? 0 : before;
}

/** Has the line left the code block, although nothing has closed it? */
function isPastCode(text: string, { codeColumns }: Fence): boolean {
  return codeColumns !== undefined && text.trim() !== '' && toIndent(text) < codeColumns;
}

function toIndent(text: string): number {
  return toColumns(/^[ \t]*/.exec(text)?.[0] ?? '');
}

function toColumns(text: string): number {
  return [...text].reduce((column, char) => (char === '\t' ? column + 4 - (column % 4) : column + 1), 0);
}

function isClosing(text: string, { mark: opening }: Fence): boolean {
  const mark = text.trim();
  return mark.length >= opening.length && mark === opening.charAt(0).repeat(mark.length);
}

/** Writes one lesson into our block: in its place, at its end, or in a new block at the end of the file. */
export function putSection(
  raw: string,
  block: ManagedBlock | undefined,
  { slug, text }: { readonly slug: string; readonly text: string },
): string {
  if (block === undefined) return addBlock(raw, (eol) => renderSection(slug, text, eol));
  const known = block.sections.find((section) => section.slug === slug);
  const [start, end] = known === undefined ? [block.close, block.close] : [known.start, known.end];
  return raw.slice(0, start) + renderSection(slug, text, block.eol) + raw.slice(end);
}

/** A file without a final newline stays without one, so that `dropSection` can restore it. */
function addBlock(raw: string, render: (eol: string) => string): string {
  const eol = findEol(raw);
  const block = encode(`${BEGIN}\n${TITLE}\n`, eol) + render(eol) + END;
  if (raw === '') return block + eol;
  return raw.endsWith('\n') ? raw + eol + block + eol : raw + eol + eol + block;
}

/** The line end of most lines. */
function findEol(raw: string): string {
  // Otherwise it would become part of our newline.
  if (raw.endsWith('\r')) return '\r\n';
  const all = raw.split('\n').length - 1;
  const windows = raw.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Removes one lesson from our block, and the block with the last lesson. */
export function dropSection(raw: string, block: ManagedBlock, section: Section): string {
  const isLast = block.sections.length === 1 && block.isHeadOurs;
  if (!isLast) return raw.slice(0, section.start) + raw.slice(section.end);
  const tail = raw.slice(block.end).replace(/^\r?\n/, '');
  // The block has no line end, so the file had none at its end before.
  const isOpenEnd = raw.length === block.end;
  return raw.slice(0, block.start).replace(isOpenEnd ? /\r?\n\r?\n$/ : /(?<=\n)\r?\n$/, '') + tail;
}
