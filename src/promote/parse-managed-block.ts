/** Finds our block in a file's raw text, or says why the file had better be left alone. */
import { listPlainLines, type PlainLine } from './list-plain-lines.ts';
import { decode, encode, type ManagedBlock, type Section, TITLE } from './managed-block.ts';
import type { Refusal } from './transition.ts';

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

export interface ParsedFile {
  /** Undefined where the file has none. */
  readonly block: ManagedBlock | undefined;
  /** What the end of the file is still part of. */
  readonly openEnd?: 'fence' | 'comment';
}

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
