/** One setting set in the text of the settings file. Every byte that is not the value stays: comments, order, space. */
import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import { listProperties, parseSettingsTree } from './parse-settings-tree.ts';
import {
  applyEdits,
  findBreak,
  findComma,
  findCommentedKey,
  findIndent,
  findLineIndent,
  findLineRest,
  type TextEdit,
  toEnd,
} from './settings-edit.ts';

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
