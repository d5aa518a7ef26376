/**
 * Sets or removes one setting in the text of the settings file. Every byte outside the edited value stays (comments,
 * order, space), because comments are the user's own words.
 */

import { isDeepStrictEqual } from 'node:util';
import { createScanner, getNodeValue, type JSONScanner, type Node } from 'jsonc-parser';
import { listProperties, parseSettingsTree } from './settings-tree.ts';

const STEP = '  ';

/** The file must be one that can be parsed. */
export function setInSettings(text: string, path: readonly string[], value: unknown): string {
  const { root } = parseSettingsTree(text);
  if (root === undefined) return addRoot(text, path, value);
  let node = root;
  for (const [depth, part] of path.entries()) {
    const found = listProperties(node).findLast(({ name }) => name === part);
    const rest = path.slice(depth + 1);
    if (found === undefined) return applyEdits(text, toInsertion(text, node, part, toNested(rest, value)));
    if (rest.length === 0 || found.value.type !== 'object') return replace(text, found.value, toNested(rest, value));
    node = found.value;
  }
  return text;
}

function replace(text: string, node: Node, value: unknown): string {
  if (isDeepStrictEqual(getNodeValue(node), value)) return text;
  const indent = findLineIndent(text, node.offset);
  return applyEdits(text, [{ from: node.offset, to: toEnd(node), text: render(value, indent, findBreak(text)) }]);
}

/** A new property: below its own name in a comment, else behind the last one, else first. */
function toInsertion(text: string, object: Node, key: string, value: unknown): readonly TextEdit[] {
  const properties = listProperties(object).map(({ node }) => node);
  const last = properties.at(-1);
  const comment = findCommentedKey(text, object, key);
  // Between a name and its value is no place for another.
  const isInside = comment !== undefined && properties.some((one) => one.offset < comment && comment < toEnd(one));
  const commented = isInside ? undefined : comment;
  const behind = last && findLineRest(text, toEnd(last));
  const place = commented ?? (last === undefined ? findLineRest(text, object.offset + 1) : behind);
  if (place === undefined || place >= toEnd(object)) return toInline(object, last, key, value);
  const previous = properties.findLast((one) => toEnd(one) <= place);
  const next = properties.find((one) => one.offset >= place);
  const comma = previous && findComma(text, toEnd(previous));
  const [lineBreak, indent] = [findBreak(text), toIndent(text, object, properties[0], commented)];
  // A comma further down than the new line would be the one behind it.
  const isLate = comma !== undefined && comma >= place;
  const isBefore = previous !== undefined && (comma === undefined || isLate);
  const isBehind = !isLate && (next !== undefined || comma !== undefined);
  const line = `${lineBreak}${indent}${JSON.stringify(key)}: ${render(value, indent, lineBreak)}${isBehind ? ',' : ''}`;
  return [
    ...(isBefore ? [{ from: toEnd(previous), to: toEnd(previous), text: ',' }] : []),
    { from: place, to: place, text: line },
  ];
}

/** Where an object and its end share a line, or something else follows in it. */
function toInline(object: Node, last: Node | undefined, key: string, value: unknown): readonly TextEdit[] {
  const added = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  if (last === undefined) return [{ from: object.offset + 1, to: object.offset + 1, text: added }];
  // Before the comma of the last property, if it has one, which then is the new one's.
  return [{ from: toEnd(last), to: toEnd(last), text: `, ${added}` }];
}

function toIndent(text: string, object: Node, first: Node | undefined, commented: number | undefined): string {
  const own = first && findIndent(text, first.offset);
  if (own !== undefined) return own;
  if (commented !== undefined) return findLineIndent(text, commented);
  const outer = findLineIndent(text, object.offset);
  return `${outer}${outer.includes('\t') ? '\t' : STEP}`;
}

/** A file with nothing in it, or comments only: they stay on top. */
function addRoot(text: string, path: readonly string[], value: unknown): string {
  const lineBreak = findBreak(text);
  const before = text === '' || /[\n\r]$/.test(text) ? text : `${text}${lineBreak}`;
  return `${before}${render(toNested(path, value), '', lineBreak)}${lineBreak}`;
}

/** Groups over several lines, lists in one. */
function render(value: unknown, indent: string, lineBreak: string): string {
  if (Array.isArray(value)) return `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}${indent.includes('\t') ? '\t' : STEP}`;
  const lines = Object.entries(value).map(
    ([key, one]) => `${inner}${JSON.stringify(key)}: ${render(one, inner, lineBreak)}`,
  );
  return `{${lineBreak}${lines.join(`,${lineBreak}`)}${lineBreak}${indent}}`;
}

function toNested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

/**
 * One setting taken out of the text of the settings file. Comments stay; a line that is empty then goes. Undefined
 * when it is not there. A key that is there twice goes twice.
 */
export function unsetInSettings(text: string, path: readonly string[]): string | undefined {
  const edited = unsetOnce(text, path);
  return edited === undefined ? undefined : (unsetInSettings(edited, path) ?? edited);
}

function unsetOnce(text: string, path: readonly string[]): string | undefined {
  let object = parseSettingsTree(text).root;
  for (const part of path.slice(0, -1)) object = listProperties(object).find(({ name }) => name === part)?.value;
  const properties = listProperties(object);
  const at = properties.findIndex(({ name }) => name === path.at(-1));
  const found = properties[at]?.node;
  return found === undefined ? undefined : applyEdits(text, toRemoval(text, found, properties[at - 1]?.node));
}

/** With the comma behind it; the last one of an object takes the comma before it along. */
function toRemoval(text: string, property: Node, previous: Node | undefined): readonly TextEdit[] {
  const end = toEnd(property);
  const comma = findComma(text, end);
  const line = findWholeLine(text, property.offset, comma === undefined ? end : comma + 1);
  if (comma !== undefined) {
    // Comments between the property and its comma stay.
    return line === undefined
      ? [cut(property.offset, end), cut(comma, comma + 1)]
      : text.slice(end, comma).trim() === ''
        ? [line]
        : [cut(property.offset, end), cut(comma, comma + 1)];
  }
  const before = previous && findComma(text, toEnd(previous));
  return [line ?? cut(property.offset, end), ...(before === undefined ? [] : [cut(before, before + 1)])];
}

/** From the beginning of the line to that of the next, if nothing else is in it. */
function findWholeLine(text: string, from: number, to: number): TextEdit | undefined {
  const indent = findIndent(text, from);
  const rest = findLineRest(text, to);
  if (indent === undefined || rest === undefined || text.slice(to, rest).trim() !== '') return undefined;
  const lineBreak = text.startsWith('\r\n', rest) ? 2 : 1;
  return cut(from - indent.length, rest + lineBreak);
}

function cut(from: number, to: number): TextEdit {
  return { from, to, text: '' };
}

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

/**
 * Places in the text of the settings file: where a line ends, where a comma stands. Comments are a person's own words, so
 * edits are made between bytes and nothing is ever written anew.
 */
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
function findLineRest(text: string, from: number): number | undefined {
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
