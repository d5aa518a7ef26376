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
const FENCE = /^(?:\xef\xbb\xbf)?[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
/** Elsewhere in a line it ends with its paragraph. */
const COMMENT = /^(?:\xef\xbb\xbf)? {0,3}<!--/;

/** `raw`: one character for each byte. */
export function listPlainLines(raw: string): PlainLines {
  const lines: PlainLine[] = [];
  let fence: string | undefined;
  let fenced: PlainLine[] = [];
  let isComment = false;
  for (const match of raw.matchAll(LINE)) {
    const line = { text: match[0], start: match.index, end: match.index + match[0].length };
    if (fence !== undefined) {
      fenced.push(line);
      if (!isClosing(line.text, fence)) continue;
      fence = undefined;
      fenced = [];
      continue;
    }
    lines.push(line);
    if (isComment || COMMENT.test(line.text)) isComment = !line.text.includes('-->');
    else fence = FENCE.exec(line.text)?.[1];
  }
  const open = fence === undefined ? (isComment ? 'comment' : undefined) : 'fence';
  return { lines, fenced, ...(open === undefined ? {} : { open }) };
}

function isClosing(text: string, fence: string): boolean {
  const mark = text.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
}
