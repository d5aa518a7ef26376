/**
 * Appends and removes items of arrays and objects inside a JSON text, in the layout around them, without touching any
 * other byte. `removeItem` is the exact inverse of `appendItem`. jsonc-parser's own `modify` is not used, because it
 * reformats the lines it touches.
 */

import { applyEdits, createScanner, type Edit, type Node } from 'jsonc-parser';

interface Item {
  /** For an object. */
  readonly key?: string;
  readonly value: unknown;
}

interface Layout {
  readonly isInline: boolean;
  readonly eol: string;
  readonly unit: string;
  readonly itemIndent: string;
  readonly closeIndent: string;
}

export function appendItem(text: string, container: Node, item: Item): string {
  const layout = toLayout(text, container);
  const content = renderItem(item, layout);
  const close = toEnd(container) - 1;
  const last = container.children?.at(-1);
  const lead = layout.isInline ? ' ' : layout.eol + layout.itemIndent;
  if (last === undefined) {
    // What stands between the brackets stays before the item, so that taking the item out leaves it as it was.
    const whole = layout.isInline ? content : lead + content + layout.eol + layout.closeIndent;
    return applyEdits(text, [{ offset: close, length: 0, content: whole }]);
  }
  // After the comments that follow the last item: they belong to it.
  const end = close - (/[ \t\r\n]*$/.exec(text.slice(toEnd(last), close))?.[0].length ?? 0);
  if (findCommaAfter(text, toEnd(last)) !== undefined) {
    return applyEdits(text, [{ offset: end, length: 0, content: `${lead}${content},` }]);
  }
  return applyEdits(text, [
    { offset: toEnd(last), length: 0, content: ',' },
    { offset: end, length: 0, content: lead + content },
  ]);
}

function renderItem({ key, value }: Item, layout: Layout): string {
  if (layout.isInline) return (key === undefined ? '' : `${JSON.stringify(key)}:`) + JSON.stringify(value);
  const lines = JSON.stringify(value, null, layout.unit).split('\n');
  return (key === undefined ? '' : `${JSON.stringify(key)}: `) + lines.join(layout.eol + layout.itemIndent);
}

function toLayout(text: string, container: Node): Layout {
  const root = toRoot(container);
  const unit = toIndentUnit(text, root);
  const closeIndent = toLineIndent(text, container.offset);
  const last = container.children?.at(-1);
  const isOnOwnLine = last !== undefined && hasLineBreak(text, container.offset, last.offset);
  return {
    isInline: isOneLine(text, container) || isOneLine(text, root),
    eol: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n',
    unit,
    closeIndent,
    itemIndent: isOnOwnLine ? toLineIndent(text, last.offset) : closeIndent + unit,
  };
}

/** Written on one line by choice: an empty container shows no choice. */
function isOneLine(text: string, node: Node): boolean {
  return (node.children ?? []).length > 0 && !hasLineBreak(text, node.offset, toEnd(node));
}

function toIndentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  return first !== undefined && hasLineBreak(text, root.offset, first.offset) ? toLineIndent(text, first.offset) : '  ';
}

function toLineIndent(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function hasLineBreak(text: string, from: number, to: number): boolean {
  return /[\r\n]/.test(text.slice(from, to));
}

function toRoot(node: Node): Node {
  return node.parent === undefined ? node : toRoot(node.parent);
}

/**
 * Takes an item of an array, or a property of an object, out of a JSON text: with its comma and the line break before
 * it, and nothing else. Comments beside it stay.
 */
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
function findCommaAfter(text: string, offset: number): number | undefined {
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

/**
 * The values of a key in an object node. More than one when the key is written twice, which JSON allows; none when the
 * node is no object.
 */
export function findMembers(node: Node | undefined, key: string): Node[] {
  if (node?.type !== 'object') return [];
  const properties = (node.children ?? []).filter((property) => property.children?.[0]?.value === key);
  return properties.flatMap((property) => property.children?.[1] ?? []);
}
