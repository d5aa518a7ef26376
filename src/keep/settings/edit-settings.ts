/**
 * Edits the text of the settings file: sets or removes one setting, and adds every missing key as a comment below its
 * help. Every byte outside an edit stays (comments, order, space), because comments are the user's own words.
 */

import { applyEdits, createScanner, type Edit, type Node } from 'jsonc-parser';
import { DEFAULT_SETTINGS } from '../../base/model/settings.ts';
import { isRecord } from '../../base/records.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { parseSettingsTree } from './check-settings.ts';
import {
  findComma,
  findLineBreak,
  findLineIndent,
  insertItem,
  listProperties,
  removeItem,
  renderValue,
  replaceValue,
  toEnd,
  toLayout,
} from './jsonc-text.ts';
import { SETTING_KEYS } from './setting-keys.ts';
import { describeSetting } from './settings-schema.ts';

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
function findCommentedKey(text: string, object: Node, key: string): number | undefined {
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

interface CommentedSettings {
  readonly text: string;
  /** Names of the settings that were neither set nor present as a comment. */
  readonly added: readonly string[];
}

/** The text must be parseable. `schema`: the schema that an empty file gets. */
export function addSettingComments(text: string, schema: string): CommentedSettings {
  const { root } = parseSettingsTree(text);
  if (root === undefined) {
    const before = text === '' || /[\n\r]$/.test(text) ? text : `${text}\n`;
    return { text: `${before}${renderSettingsFile(schema)}`, added: SETTING_KEYS.map(({ name }) => name) };
  }
  const added: string[] = [];
  const edits = listEdits(text, { object: root, defaults: DEFAULT_SETTINGS, path: [] }, added);
  return { text: applyEdits(text, [...edits]), added };
}

interface Group {
  readonly object: Node;
  readonly defaults: object;
  readonly path: readonly string[];
}

function listEdits(text: string, { object, defaults, path }: Group, added: string[]): readonly Edit[] {
  const missing: Record<string, unknown> = {};
  const inner = Object.entries(defaults).flatMap(([key, value]) => {
    const found = listProperties(object).findLast(({ name }) => name === key)?.value;
    if (found === undefined) {
      if (findCommentedKey(text, object, key) === undefined) missing[key] = value;
      return [];
    }
    const isGroup = isRecord(value) && found.type === 'object';
    return isGroup ? listEdits(text, { object: found, defaults: value, path: [...path, key] }, added) : [];
  });
  added.push(...listNames(missing, path));
  return Object.keys(missing).length === 0
    ? inner
    : [...inner, ...toInsertion(text, { object, path, defaults: missing })];
}

/** Inserts before the closing brace. The last property gets a comma, because the comments may become settings. */
function toInsertion(text: string, { object, defaults, path }: Group): readonly Edit[] {
  const { eol, indent } = toLayout(text, object);
  const last = listProperties(object).at(-1)?.node;
  const lines = renderSettingLines(defaults, path, indent);
  const inside = text.slice(0, toEnd(object) - 1);
  const isBraceOnOwnLine = /[\r\n][ \t]*$/.test(inside);
  const [offset, content] = isBraceOnOwnLine
    ? [inside.replace(/[ \t]+$/, '').length, `${lines.join(eol)}${eol}`]
    : [inside.length, `${eol}${lines.join(eol)}${eol}${findLineIndent(text, object.offset)}`];
  const isOpen = last !== undefined && findComma(text, toEnd(last)) === undefined;
  return [...(isOpen ? [{ offset: toEnd(last), length: 0, content: ',' }] : []), { offset, length: 0, content }];
}

function listNames(defaults: object, path: readonly string[]): readonly string[] {
  return Object.entries(defaults).flatMap(([key, value]) =>
    isRecord(value) ? listNames(value, [...path, key]) : [[...path, key].join('.')],
  );
}

const HEAD = [
  '// Settings of Oncebitten. Every key is listed as a comment with its default: remove the slashes to change it.',
  '// Changes take effect at once. To see the values in force and where they come from: oncebitten config list',
];

/** A settings file with every key as a comment below its help. A person uncomments the keys to set. */
export function renderSettingsFile(schema: string): string {
  const lines = [`  "$schema": ${JSON.stringify(schema)},`, ...renderSettingLines(DEFAULT_SETTINGS, [], '  ')];
  return `${[...HEAD, '{', ...lines, '}'].join('\n')}\n`;
}

/** A group is present and empty, so that one of its lines can be uncommented alone. */
function renderSettingLines(defaults: object, path: readonly string[], indent: string): readonly string[] {
  return Object.entries(defaults).flatMap(([key, value]) => {
    const here = [...path, key];
    const name = JSON.stringify(key);
    if (isRecord(value)) {
      return ['', `${indent}${name}: {`, ...renderSettingLines(value, here, `${indent}  `), `${indent}},`];
    }
    const { help, type } = describeSetting(here);
    const shown = Array.isArray(value)
      ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]`
      : JSON.stringify(value);
    return [...(path.length === 0 ? [''] : []), `${indent}// ${help} (${type})`, `${indent}// ${name}: ${shown},`];
  });
}
