/**
 * The blocks of a text, however they are dressed: any case, quoted, in a list, in a fence, with CRLF, without an end.
 * Both markers stand at the start of a line: words in a sentence are no block.
 */
import type { ReportForm } from '../../../base/model/finding.ts';
import { findShown } from './find-shown.ts';
import type { Shown } from './self-report.ts';

export interface Block {
  readonly form: ReportForm;
  /** 1-based, of the opening marker. */
  readonly line: number;
  /** Without the dress of quotations; indentation is kept. */
  readonly lines: readonly string[];
  readonly isClosed: boolean;
  readonly shown?: Shown | undefined;
}

const MAX_TEXT_CHARS = 64 * 1024;
const MAX_BLOCKS = 20;
const MAX_BLOCK_LINES = 120;
const MAX_LINE_CHARS = 2_000;

/** What may stand before a marker: a list's sign, a fence, emphasis. */
const DRESS = String.raw`^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\x60{1,3}|\*\*)?\s*`;
const OPENINGS: readonly (readonly [ReportForm, RegExp])[] = [
  ['lesson', new RegExp(String.raw`${DRESS}#lesson(?:\*\*|\x60{1,3}|:)?(?:\s+(?=[a-z]+\s*:)(.*))?\s*$`, 'i')],
  ['process-knowledge', new RegExp(String.raw`${DRESS}\[process[_ -]knowledge\](?:\*\*|\x60{1,3}|:)?\s*$`, 'i')],
];
const ENDINGS: Readonly<Record<ReportForm, RegExp>> = {
  lesson: /^(.*?)\s*(?:\*\*|`{1,3})?#(?:\/|end[-_ ]?)lesson\b/i,
  'process-knowledge': /^(.*?)\s*(?:\*\*|`{1,3})?\[(?:\/|end[-_ ]?)process[_ -]knowledge\]/i,
};
const QUOTE = /^(?:\s{0,3}>\s?)+/;
const FENCE = /^\s*(?:`{3,}|~{3,})\w*\s*$/;

export function findBlocks(text: string): readonly Block[] {
  const written = text
    .slice(0, MAX_TEXT_CHARS)
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, MAX_LINE_CHARS));
  const lines = written.map((line) => line.replace(QUOTE, ''));
  const found: Block[] = [];
  for (let at = 0; at < lines.length && found.length < MAX_BLOCKS; ) {
    const opening = findOpening(lines[at] ?? '');
    if (opening === undefined) at++;
    else {
      const block = readBlock(lines, at, opening);
      found.push({ ...block, shown: findShown(written, at, at + block.size) });
      at += Math.max(1, block.size);
    }
  }
  return found;
}

interface Opening {
  readonly form: ReportForm;
  /** What stands on the marker's own line. */
  readonly rest: string;
}

function findOpening(line: string): Opening | undefined {
  for (const [form, pattern] of OPENINGS) {
    const match = pattern.exec(line);
    if (match !== null) return { form, rest: match[1] ?? '' };
  }
  return undefined;
}

function readBlock(lines: readonly string[], from: number, { form, rest }: Opening): Block & { readonly size: number } {
  const body: string[] = [];
  const isFenced = FENCE.test(lines[from - 1] ?? '');
  const inner = [rest, ...lines.slice(from + 1, from + 1 + MAX_BLOCK_LINES)];
  const end = (isClosed: boolean, size: number) => ({ form, line: from + 1, lines: body, isClosed, size });
  for (const [n, line] of inner.entries()) {
    const last = ENDINGS[form].exec(line);
    if (last !== null) {
      if (last[1]?.trim()) body.push(last[1]);
      return end(true, n + 1);
    }
    // Without an end: up to what cannot be part of it any more.
    if (n > 0 && findOpening(line) !== undefined) return end(false, n);
    const isOver = FENCE.test(line) ? isFenced : form === 'lesson' && line.trim() === '' && body.length > 0;
    if (isOver && !isClosedLater(inner, n, form)) return end(false, n);
    if (!FENCE.test(line) && !(n === 0 && line === '')) body.push(line);
  }
  return end(false, inner.length);
}

function isClosedLater(inner: readonly string[], from: number, form: ReportForm): boolean {
  for (const line of inner.slice(from)) {
    if (findOpening(line) !== undefined) return false;
    if (ENDINGS[form].test(line)) return true;
  }
  return false;
}
