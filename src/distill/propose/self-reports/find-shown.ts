/** How a block is set off from the text around it, and what that text says of it. */
import type { Shown } from './self-report.ts';

const QUOTE = /^\s{0,3}>/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
const FENCE = /^\s*(?:>\s?)*(`{3,}|~{3,})/;
/** The words that present something as an example, or as said by another. */
const PRESENTS =
  /\b(?:examples?|e\.g|for instance|such as|looks? like|like (?:this|so)|format(?:ted)?|template|syntax|schema|placeholder|sample|documented?|documents|documentation|docs?|readme|guide|manual|page|says|said|states|reads|quot(?:e|es|ed|ing)|according to|protocol|is how|how (?:to|a|an|you|it|they|agents)|would be|could be|shown?|shows|contains|found (?:in|this)|wrote|written in)\b/i;
/** So far from a block words speak of it. */
const NEAR = 2;

/** `from` and `to`: the block's first line and the one behind its last. */
export function findShown(lines: readonly string[], from: number, to: number): Shown | undefined {
  const first = lines[from] ?? '';
  if (QUOTE.test(first)) return 'quoted';
  const isFenced = isInFence(lines, from);
  // A list indents too, but a block of code has an empty line before it.
  const isCode = INDENTED.test(first) && (lines[from - 1] ?? '').trim() === '';
  if (!isFenced && !isCode) return undefined;
  return PRESENTS.test(toAround(lines, from, to)) ? 'quoted' : 'fenced';
}

function isInFence(lines: readonly string[], at: number): boolean {
  let open: string | undefined;
  for (const line of lines.slice(0, at)) {
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  // The marker may stand on the fence's own line.
  return open !== undefined || FENCE.test(lines[at] ?? '');
}

/** The nearest lines with words before and behind. */
function toAround(lines: readonly string[], from: number, to: number): string {
  const isWords = (line: string): boolean => /\p{L}/u.test(line) && !FENCE.test(line) && !MARKER.test(line);
  const before = lines.slice(0, from).filter(isWords).slice(-NEAR);
  const behind = lines.slice(to).filter(isWords).slice(0, NEAR);
  return [...before, ...behind].join('\n');
}

const MARKER = /#\/?lesson\b|\[\/?process[_ -]knowledge\]/i;
