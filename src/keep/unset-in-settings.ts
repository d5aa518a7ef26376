/** One setting taken out of the text of the settings file. Comments stay; a line that is empty then goes. */
import type { Node } from 'jsonc-parser';
import { listProperties, parseSettingsTree } from './parse-settings-tree.ts';
import { applyEdits, findComma, findIndent, findLineRest, type TextEdit, toEnd } from './settings-edit.ts';

/** Undefined when it is not there. A key that is there twice goes twice. */
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
