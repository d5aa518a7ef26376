/** The lines of a Markdown file that stand in no code fence, and what is still open where it ends. */

export interface PlainLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface PlainLines {
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
export function listPlainLines(raw: string): PlainLines {
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
