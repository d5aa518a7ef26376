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
  /** As the marker says. */
  readonly hash: string;
  /** Without the marker, lines ended by \n. */
  readonly text: string;
  /** With the marker, up to the next one. */
  readonly start: number;
  readonly end: number;
}

export interface ManagedBlock {
  readonly start: number;
  /** Behind the last marker, before its line's end. */
  readonly end: number;
  /** Where the last marker begins. */
  readonly close: number;
  readonly eol: string;
  readonly sections: readonly Section[];
  /** Nobody wrote anything between the first marker and the first lesson. */
  readonly isHeadOurs: boolean;
}

export const BEGIN =
  '<!-- oncebitten:begin Lessons that `oncebitten promote` wrote here; change them with it, or remove the whole block. -->';
export const END = '<!-- oncebitten:end -->';
export const TITLE = '## Lessons from earlier work';

export function decodeBytes(bytes: Buffer): string {
  return bytes.toString('latin1');
}

export function toBytes(raw: string): Buffer {
  return Buffer.from(raw, 'latin1');
}

/** Text of ours as raw text. */
export function encode(text: string, eol: string): string {
  return decodeBytes(Buffer.from(text.replaceAll('\n', eol)));
}

function decode(raw: string): string {
  return toBytes(raw).toString('utf8').replaceAll('\r\n', '\n');
}

/** A slug as all of ours are; whatever else, by its id. */
export function toSectionName({ slug, id }: Pick<Lesson, 'slug' | 'id'>): string {
  return /^[\w.-]+$/.test(slug) ? slug : id;
}

/** With its last line's end. */
export function renderSection(slug: string, text: string, eol: string): string {
  return encode(`<!-- oncebitten:lesson ${slug} ${hashText(text)} -->\n${text}\n`, eol);
}

/** A byte order mark may stand before. */
const MARKER = /^(?:\xef\xbb\xbf)?([ \t]*<!--[ \t]*oncebitten:(begin|end|lesson)\b.*)$/;
const WHOLE = /-->[ \t]*$/;
const LESSON = /^[ \t]*<!-- oncebitten:lesson (\S+) (\S+) -->[ \t]*$/;
/** `=======` alone may underline a heading. */
const CONFLICT = /^(?:<{7}|>{7})(?: .*)?$/m;
const UTF_16 = /^(?:\xff\xfe|\xfe\xff)/;
/** Without a byte order mark: so much of it is looked at. */
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
  /** What the end of the file is still part of. */
  readonly openEnd?: 'fence' | 'comment';
}

/** Finds our block in a file's raw text, or says why the file had better be left alone. */
export function parseManagedBlock(raw: string): ParsedFile | Refusal {
  if (isUtf16(raw)) return { refused: 'is not UTF-8 but UTF-16', next: 'save it as UTF-8 first' };
  if (CONFLICT.test(raw))
    return { refused: 'has merge conflicts (lines of <<<<<<< or >>>>>>>)', next: 'resolve them first' };
  const { lines, fenced, open } = listPlainLines(raw);
  // Whether they are an example or our block nobody can say.
  if (fenced.some((line) => toMarkers(line).length > 0))
    return { refused: 'has a code fence that does not end, with our markers in it', next: 'end the fence first' };
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

/** Letters of most languages have a zero for every other byte there, and text in UTF-8 has none. */
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
  if (markers[0]?.kind !== 'begin' || markers.at(-1)?.kind !== 'end') return 'a marker stands outside of it';
  if (!markers.every(({ line }) => WHOLE.test(line))) return 'a marker does not end on its line';
  const slugs = markers.filter(({ kind }) => kind === 'lesson').map(({ line }) => LESSON.exec(line)?.[1]);
  if (slugs.includes(undefined)) return 'a lesson has no name';
  return new Set(slugs).size < slugs.length ? 'a lesson stands in it twice' : undefined;
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

/** The lines of a Markdown file that stand in no code fence, and what is still open where it ends. */
interface PlainLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface PlainLines {
  readonly lines: readonly PlainLine[];
  /** What the end of the file is still part of. */
  readonly open?: 'fence' | 'comment';
  /** The lines behind a fence that does not end. */
  readonly fenced: readonly PlainLine[];
}

const LINE = /^.*$/gm;
/** In a list it may stand further in. Behind backticks there is none of them. */
const FENCE = /^(?:\xef\xbb\xbf)?([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;
/** So far in, counted from where the text of the list begins, is a block of code: what looks like a fence there is its text. */
const CODE_COLUMNS = 4;
const LIST = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,4}|$)/;
/** Elsewhere in a line it ends with its paragraph. */
const COMMENT = /^(?:\xef\xbb\xbf)? {0,3}<!--/;

interface Fence {
  readonly mark: string;
  /** In code: it ends with that, at the first line that is not so far in. */
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
    if (fence !== undefined && !isBehind(line.text, fence)) {
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
  // Whatever is written behind code ends it.
  const isOpen = fence !== undefined && fence.codeColumns === undefined;
  const open = isOpen ? 'fence' : isComment ? 'comment' : undefined;
  return { lines, fenced: isOpen ? fenced : [], ...(open === undefined ? {} : { open }) };
}

function findFence(text: string, codeColumns: number): Fence | undefined {
  const [, indent = '', mark] = FENCE.exec(text) ?? [];
  if (mark === undefined) return undefined;
  return toColumns(indent) < codeColumns ? { mark } : { mark, codeColumns };
}

/** Where the text of the list begins that this line is part of; 0 where it is part of none. */
function toListColumns(text: string, before: number): number {
  const item = LIST.exec(text)?.[0];
  if (item !== undefined) return toColumns(item);
  return before > 0 && text.trim() !== '' && toIndent(text) === 0 ? 0 : before;
}

/** Is the line no part of it any more, though nothing has closed it? */
function isBehind(text: string, { codeColumns }: Fence): boolean {
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

/** Writes one lesson into our block: in its place, at the end, or with a block at the end of the file. */
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

/** A file without a newline at its end still has none: so `dropSection` knows what was there. */
function addBlock(raw: string, render: (eol: string) => string): string {
  const eol = findEol(raw);
  const block = encode(`${BEGIN}\n${TITLE}\n`, eol) + render(eol) + END;
  if (raw === '') return block + eol;
  return raw.endsWith('\n') ? raw + eol + block + eol : raw + eol + eol + block;
}

/** What most of its lines end with. */
function findEol(raw: string): string {
  // Else it would become part of our newline.
  if (raw.endsWith('\r')) return '\r\n';
  const all = raw.split('\n').length - 1;
  const windows = raw.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Takes one lesson out of our block, and the block with the last one. */
export function dropSection(raw: string, block: ManagedBlock, section: Section): string {
  const isLast = block.sections.length === 1 && block.isHeadOurs;
  if (!isLast) return raw.slice(0, section.start) + raw.slice(section.end);
  const tail = raw.slice(block.end).replace(/^\r?\n/, '');
  // Nothing ends its line: nothing ended the line that the file ended with before.
  const isOpenEnd = raw.length === block.end;
  return raw.slice(0, block.start).replace(isOpenEnd ? /\r?\n\r?\n$/ : /(?<=\n)\r?\n$/, '') + tail;
}
