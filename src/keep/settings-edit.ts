/**
 * Places in the text of the settings file: where a line ends, where a comma stands. Comments are a person's own words, so
 * edits are made between bytes and nothing is ever written anew.
 */
import { createScanner, type JSONScanner, type Node } from 'jsonc-parser';

/** The scanner's kinds of tokens: its own names exist for its types only. */
const KIND = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  end: 17,
} as const;

export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Edits of one place come in the order of the list. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toReversed()
    .toSorted((a, b) => b.from - a.from)
    .reduce((edited, { from, to, text: added }) => edited.slice(0, from) + added + edited.slice(to), text);
}

export function toEnd(node: Node): number {
  return node.offset + node.length;
}

/** The next comma, with nothing but space and comments before it. */
export function findComma(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  const token: number = scanner.scan();
  return token === KIND.comma ? scanner.getTokenOffset() : undefined;
}

/**
 * Behind what else is in the line and belongs to it: a comma, a comment. Undefined when the line goes on with something
 * that does not.
 */
export function findLineRest(text: string, from: number): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  for (let comma = false; ; ) {
    const token: number = scanner.scan();
    if (token === KIND.lineBreak) return scanner.getTokenOffset();
    if (token === KIND.comma && !comma) comma = true;
    else if (token === KIND.blockComment && toTokenText(text, scanner).includes('\n')) return undefined;
    else if (!isQuiet(token)) return undefined;
  }
}

/** The end of the line in which a person, or `config init`, left this key as a comment, directly inside an object. */
export function findCommentedKey(text: string, object: Node, key: string): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(object.offset);
  const pattern = new RegExp(`^//\\s*${escapeRegex(JSON.stringify(key))}\\s*:`);
  let depth = 0;
  while (scanner.getPosition() < toEnd(object)) {
    const token: number = scanner.scan();
    if (token === KIND.end) return undefined;
    if (token === KIND.openBrace || token === KIND.openBracket) depth++;
    if (token === KIND.closeBrace || token === KIND.closeBracket) depth--;
    if (depth !== 1 || token !== KIND.lineComment || !pattern.test(toTokenText(text, scanner))) continue;
    return scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return undefined;
}

/** The space that a line begins with, if nothing else stands before the offset. */
export function findIndent(text: string, offset: number): string | undefined {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(start, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** The space that the line of an offset begins with. */
export function findLineIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** As the text ends its lines. */
export function findBreak(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The scanner's own value of a comment begins one character early. */
function toTokenText(text: string, scanner: JSONScanner): string {
  return text.slice(scanner.getTokenOffset(), scanner.getPosition());
}

function isQuiet(token: number): boolean {
  return token === KIND.space || token === KIND.lineComment || token === KIND.blockComment;
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
