/**
 * Sets or removes one setting in the text of the settings file. Every byte outside the edited value stays (comments,
 * order, space), because comments are the user's own words.
 */

import { createScanner, type Node } from 'jsonc-parser';
import { toLiteral } from '../../base/text/regex-literal.ts';
import {
  findLineBreak,
  insertItem,
  listProperties,
  removeItem,
  renderValue,
  replaceValue,
  toEnd,
} from './jsonc-text.ts';
import { parseSettingsTree } from './settings-tree.ts';

/** The text must be parseable. */
export function setInSettings(text: string, path: readonly string[], value: unknown): string {
  const { root } = parseSettingsTree(text);
  if (root === undefined) return addRoot(text, toNested(path, value));
  let node = root;
  for (const [depth, part] of path.entries()) {
    const found = listProperties(node).findLast(({ name }) => name === part);
    const rest = path.slice(depth + 1);
    if (found === undefined) {
      const item = { key: part, value: toNested(rest, value) };
      return insertItem(text, node, item, findCommentedKey(text, node, part));
    }
    if (rest.length === 0 || found.value.type !== 'object')
      return replaceValue(text, found.value, toNested(rest, value));
    node = found.value;
  }
  return text;
}

/** For an empty file, or one with comments only, which stay on top. */
function addRoot(text: string, value: unknown): string {
  const eol = findLineBreak(text);
  const before = text === '' || /[\n\r]$/.test(text) ? text : `${text}${eol}`;
  return `${before}${renderValue(value, { isInline: false, eol, unit: '  ', indent: '' })}${eol}`;
}

function toNested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

/** Undefined if the setting is not there. Removes every occurrence of a duplicated key. */
export function unsetInSettings(text: string, path: readonly string[]): string | undefined {
  let object = parseSettingsTree(text).root;
  for (const part of path.slice(0, -1)) object = listProperties(object).find(({ name }) => name === part)?.value;
  const found = listProperties(object).find(({ name }) => name === path.at(-1));
  if (found === undefined) return undefined;
  const edited = removeItem(text, found.node);
  return unsetInSettings(edited, path) ?? edited;
}

/** The end of the line with this key as a comment, directly inside an object; left by a person or by `config init`. */
export function findCommentedKey(text: string, object: Node, key: string): number | undefined {
  const pattern = new RegExp(`^//\\s*${toLiteral(JSON.stringify(key))}\\s*:`);
  const scanner = createScanner(text, false);
  scanner.setPosition(object.offset);
  for (;;) {
    scanner.scan();
    const [from, to] = [scanner.getTokenOffset(), scanner.getPosition()];
    if (to >= toEnd(object)) return undefined;
    const isInside = object.children?.some((one) => one.offset < from && from < toEnd(one));
    if (!isInside && pattern.test(text.slice(from, to))) return to;
  }
}
