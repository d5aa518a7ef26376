/** Parses the settings file into a tree with positions. */
import { getNodeValue, type Node } from 'jsonc-parser';
import { listProperties, parseJsonc, toLineNumber } from './jsonc-text.ts';
import type { SettingsProblem } from './settings-error.ts';

interface SettingsTree {
  /** Absent for a file with only comments. */
  readonly root?: Node;
  /** Syntax problems that prevent reading the file. */
  readonly problems: readonly SettingsProblem[];
}

export function parseSettingsTree(text: string): SettingsTree {
  const { root, faults } = parseJsonc(text);
  if (faults.length > 0)
    return { problems: faults.map(({ line, reason }) => toProblem(line, `is not JSON with comments (${reason})`)) };
  if (root === undefined || root.type === 'object') return { ...(root && { root }), problems: [] };
  return { problems: [toProblem(toLineNumber(text, root.offset), 'is not an object')] };
}

function toProblem(line: number, text: string): SettingsProblem {
  return { key: '', line, kind: 'syntax', text };
}

/** The value of a setting in the file; undefined if it is not set there. */
export function findFileValue(text: string, path: readonly string[]): unknown {
  let node = parseSettingsTree(text).root;
  for (const part of path) node = listProperties(node).findLast(({ name }) => name === part)?.value;
  return node === undefined ? undefined : getNodeValue(node);
}
