/** The settings file as a tree that knows where everything stands. */
import { getNodeValue, type Node } from 'jsonc-parser';
import { listProperties, parseJsonc, toLineNumber } from './jsonc-text.ts';
import type { SettingsProblem } from './settings-error.ts';

interface SettingsTree {
  /** Absent for a file with nothing in it but comments. */
  readonly root?: Node;
  /** What keeps it from being read at all. */
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

/** The value that the file gives a setting; undefined where it gives none. */
export function findFileValue(text: string, path: readonly string[]): unknown {
  let node = parseSettingsTree(text).root;
  for (const part of path) node = listProperties(node).findLast(({ name }) => name === part)?.value;
  return node === undefined ? undefined : getNodeValue(node);
}
