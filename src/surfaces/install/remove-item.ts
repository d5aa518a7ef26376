/**
 * Takes an item of an array, or a property of an object, out of a JSON text: with its comma and the line break before
 * it, and nothing else. Comments beside it stay.
 */
import { applyEdits, createScanner, type Edit, type Node } from 'jsonc-parser';

export function removeItem(text: string, item: Node): string {
  const siblings = item.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(item) - 1];
  const commaAfter = findCommaAfter(text, toEnd(item));
  const commaBefore = previous === undefined ? undefined : findCommaAfter(text, toEnd(previous));
  const comma = commaAfter ?? commaBefore;
  if (comma === undefined) return applyEdits(text, [toLoneEdit(text, item)]);
  const end = toEnd(item);
  const start = toStart(text, item, comma === end ? end + 1 : end);
  return applyEdits(text, [
    { offset: start, length: end - start, content: '' },
    { offset: comma, length: 1, content: '' },
  ]);
}

/** The comma that comes next after an offset, past white space and comments. */
export function findCommaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

export function toEnd(node: Node): number {
  return node.offset + node.length;
}

/** On lines of its own it goes with both its line breaks, so that the brackets meet again. */
function toLoneEdit(text: string, item: Node): Edit {
  const end = toEnd(item);
  const after = /^(?:\r\n|\r|\n)[ \t]*(?=[\]}])/.exec(text.slice(end))?.[0] ?? '';
  const start = toStart(text, item, end);
  const isOnOwnLine = after !== '' && /[\r\n]/.test(text.slice(start, item.offset));
  if (!isOnOwnLine) return { offset: item.offset, length: item.length, content: '' };
  const last = isAfterLineComment(text, item, start) ? end : end + after.length;
  return { offset: start, length: last - start, content: '' };
}

/** The item with the space before it, back to the line's break; but a break that ends a comment has to stay. */
function toStart(text: string, item: Node, end: number): number {
  const lead = /(?:\r\n|\r|\n)?[ \t]*$/.exec(text.slice(0, item.offset))?.[0] ?? '';
  const start = item.offset - lead.length;
  const isBreakNeeded = !/^[ \t]*[\r\n]/.test(text.slice(end)) && isAfterLineComment(text, item, start);
  return isBreakNeeded ? item.offset : start;
}

function isAfterLineComment(text: string, item: Node, start: number): boolean {
  const siblings = item.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(item) - 1];
  const from = previous === undefined ? (item.parent?.offset ?? 0) + 1 : toEnd(previous);
  const scanner = createScanner(text.slice(from, start), false);
  let last = '';
  while (scanner.getPosition() < start - from) {
    scanner.scan();
    last = text.slice(from + scanner.getTokenOffset(), from + scanner.getTokenOffset() + scanner.getTokenLength());
  }
  return last.startsWith('//');
}
