/**
 * Parses and edits JSON with comments, for our own settings file and for those of agents. Edits insert and cut between
 * bytes, in the layout around them, because comments and white space are the user's; `removeItem` is the exact inverse
 * of `insertItem`. jsonc-parser's own `modify` is not used, because it reformats the lines that it touches.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  createScanner,
  type Edit,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

interface ParsedJsonc {
  /** Absent if the text contains only comments. */
  readonly root?: Node;
  readonly faults: readonly JsoncFault[];
}

interface JsoncFault {
  readonly line: number;
  /** `comma expected` */
  readonly reason: string;
}

/** Allows comments and trailing commas. */
export function parseJsonc(text: string): ParsedJsonc {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  // One mistake causes several parser errors, so only the first of a line is reported.
  const byLine = new Map<number, JsoncFault>();
  for (const { offset, error } of errors) {
    const line = toLineNumber(text, offset);
    if (!byLine.has(line)) byLine.set(line, { line, reason: toWords(printParseErrorCode(error)) });
  }
  return { ...(root && { root }), faults: [...byLine.values()] };
}

/** Some editors begin a file with a byte order mark. Offsets after it stay the same. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}

/** `comma expected` of `CommaExpected`. */
function toWords(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}

export function toLineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

interface Property {
  readonly name: string;
  readonly node: Node;
  readonly value: Node;
}

/** The properties of an object in order, including duplicated keys. Empty if the node is not an object. */
export function listProperties(node: Node | undefined): readonly Property[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    return name === undefined || value === undefined ? [] : [{ name: String(name.value), node: property, value }];
  });
}

/** The values of a key; several if it is duplicated, which JSON allows. */
export function findMembers(node: Node | undefined, key: string): readonly Node[] {
  return listProperties(node).flatMap(({ name, value }) => (name === key ? value : []));
}

export function toEnd(node: Node): number {
  return node.offset + node.length;
}

/** The line break of a text, by its first. */
export function findLineBreak(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}

/** The indentation of the line that contains an offset. */
export function findLineIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The next comma after an offset, past white space and comments. */
export function findComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

interface Item {
  /** For an item of an object. */
  readonly key?: string;
  readonly value: unknown;
}

/** Adds an item at the end of an array or object, or at `place`: the end of a comment line directly inside it. */
export function insertItem(text: string, container: Node, item: Item, place?: number): string {
  const layout = toLayout(text, container, place);
  const items = container.children ?? [];
  const close = toEnd(container) - 1;
  const key = item.key === undefined ? '' : `${JSON.stringify(item.key)}: `;
  const content = key + renderValue(item.value, layout);
  const lead = layout.isInline ? ' ' : layout.eol + layout.indent;
  const last = items.at(-1);
  if (last === undefined && place === undefined) {
    // The text between the brackets stays before the item, so that removing the item restores it.
    const added = layout.isInline ? content : lead + content + layout.eol + findLineIndent(text, container.offset);
    return applyEdits(text, [insertion(close, added)]);
  }
  // By default after the comments that follow the last item, because they belong to it.
  const offset = place ?? text.slice(0, close).replace(/[ \t\r\n]+$/, '').length;
  const previous = items.findLast((one) => toEnd(one) <= offset);
  const comma = previous && findComma(text, toEnd(previous));
  const isSeparated = previous === undefined || (comma !== undefined && comma < offset);
  const hasComma = isSeparated && (comma !== undefined || items.length > 0);
  return applyEdits(text, [
    ...(isSeparated ? [] : [insertion(toEnd(previous), ',')]),
    insertion(offset, `${lead}${content}${hasComma ? ',' : ''}`),
  ]);
}

/** Leaves the text alone if it already has the value. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  if (isDeepStrictEqual(getNodeValue(node), value)) return text;
  const layout = { ...toLayout(text, node.parent ?? node), indent: findLineIndent(text, node.offset) };
  return applyEdits(text, [{ offset: node.offset, length: node.length, content: renderValue(value, layout) }]);
}

interface Layout {
  readonly isInline: boolean;
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  /** The indentation of the item. */
  readonly indent: string;
}

/** The layout of a container's items; for `place`, see `insertItem`. */
export function toLayout(text: string, container: Node, place?: number): Layout {
  const root = toRoot(container);
  const unit = toIndentUnit(text, root);
  const last = container.children?.at(-1);
  const isOnOwnLine = last !== undefined && hasLineBreak(text, container.offset, last.offset);
  const sample = isOnOwnLine ? last.offset : place;
  return {
    isInline: isOneLine(text, container) || isOneLine(text, root),
    eol: findLineBreak(text),
    unit,
    indent: sample === undefined ? findLineIndent(text, container.offset) + unit : findLineIndent(text, sample),
  };
}

/** Written on one line by choice; an empty container shows no choice. */
function isOneLine(text: string, node: Node): boolean {
  return (node.children ?? []).length > 0 && !hasLineBreak(text, node.offset, toEnd(node));
}

function toIndentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  const isOnOwnLine = first !== undefined && hasLineBreak(text, root.offset, first.offset);
  return (isOnOwnLine && findLineIndent(text, first.offset)) || '  ';
}

function hasLineBreak(text: string, from: number, to: number): boolean {
  return /[\r\n]/.test(text.slice(from, to));
}

function toRoot(node: Node): Node {
  return node.parent === undefined ? node : toRoot(node.parent);
}

/** Objects on several lines, lists of plain values on one. */
export function renderValue(value: unknown, layout: Layout): string {
  if (!isContainer(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const isInline = layout.isInline || (isList && !value.some(isContainer));
  const indent = layout.indent + layout.unit;
  const rows = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([key, one]) => (isList ? '' : `${JSON.stringify(key)}: `) + renderValue(one, { ...layout, indent }));
  const inner = isInline
    ? rows.join(', ')
    : `${layout.eol}${indent}${rows.join(`,${layout.eol}${indent}`)}${layout.eol}${layout.indent}`;
  return isList ? `[${inner}]` : `{${inner}}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function insertion(offset: number, content: string): Edit {
  return { offset, length: 0, content };
}

/** Removes an item or property with its comma and the line break before it. Comments beside it stay. */
export function removeItem(text: string, item: Node): string {
  const end = toEnd(item);
  const previous = findPrevious(item);
  const comma = findComma(text, end) ?? (previous && findComma(text, toEnd(previous)));
  const start = toStart(text, item, comma === end ? end + 1 : end);
  if (comma !== undefined)
    return applyEdits(text, [
      { offset: start, length: end - start, content: '' },
      { offset: comma, length: 1, content: '' },
    ]);
  if (!hasLineBreak(text, start, item.offset))
    return applyEdits(text, [{ offset: item.offset, length: item.length, content: '' }]);
  // A single item on its own lines is removed with both line breaks, so that the brackets meet again.
  const after = /^(?:\r\n|\r|\n)[ \t]*(?=[\]}])/.exec(text.slice(end))?.[0] ?? '';
  const last = isAfterLineComment(text, item, start) ? end : end + after.length;
  return applyEdits(text, [{ offset: start, length: last - start, content: '' }]);
}

/**
 * The start of an item with the space before it, back to the line break. The break stays if it ends a comment, or if a
 * comment follows the item on its line. `end`: of the item with its comma.
 */
function toStart(text: string, item: Node, end: number): number {
  const lead = /(?:\r\n|\r|\n)?[ \t]*$/.exec(text.slice(0, item.offset))?.[0] ?? '';
  const start = item.offset - lead.length;
  const rest = text.slice(end);
  const isBreakNeeded =
    /^[ \t]*\/[/*]/.test(rest) || (!/^[ \t]*[\r\n]/.test(rest) && isAfterLineComment(text, item, start));
  return isBreakNeeded ? item.offset : start;
}

function isAfterLineComment(text: string, item: Node, start: number): boolean {
  const previous = findPrevious(item);
  const from = previous === undefined ? (item.parent?.offset ?? 0) + 1 : toEnd(previous);
  const scanner = createScanner(text.slice(from, start), false);
  let last = '';
  while (scanner.getPosition() < start - from) {
    scanner.scan();
    last = text.slice(from + scanner.getTokenOffset(), from + scanner.getPosition());
  }
  return last.startsWith('//');
}

function findPrevious(item: Node): Node | undefined {
  const siblings = item.parent?.children ?? [];
  return siblings[siblings.indexOf(item) - 1];
}
