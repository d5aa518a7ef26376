/**
 * Renders the settings file with every key as a comment below its help, and adds missing keys as comments to an
 * existing file. Values and all other text of the user stay unchanged.
 */

import { applyEdits, type Edit, type Node } from 'jsonc-parser';
import { DEFAULT_SETTINGS } from '../../base/model/settings.ts';
import { isRecord } from '../../base/records.ts';
import { findCommentedKey } from './edit-settings.ts';
import { findComma, findLineIndent, listProperties, toEnd, toLayout } from './jsonc-text.ts';
import { SETTING_KEYS } from './setting-keys.ts';
import { describeSetting } from './settings-schema.ts';
import { parseSettingsTree } from './settings-tree.ts';

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
  '// Settings of Oncebitten. Every key is here as a comment with its default: take the slashes away to change it.',
  '// Changes count at once. What is in force and where it comes from: oncebitten config list',
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
