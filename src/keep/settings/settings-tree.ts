/** The settings file as a tree that knows where everything stands. */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { SettingsProblem } from './settings-error.ts';

interface SettingsTree {
  /** Absent for a file with nothing in it but comments. */
  readonly root?: Node;
  /** What keeps it from being read at all. */
  readonly problems: readonly SettingsProblem[];
}

export function parseSettingsTree(text: string): SettingsTree {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) return { problems: toProblems(text, errors) };
  if (root === undefined) return { problems: [] };
  if (root.type === 'object') return { root, problems: [] };
  const line = toLineNumber(text, root.offset);
  return { problems: [{ key: '', line, kind: 'syntax', text: 'is not an object' }] };
}

export function toLineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Name and value of each property that is whole. */
export function listProperties(
  node: Node | undefined,
): readonly { readonly name: string; readonly node: Node; readonly value: Node }[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    return name === undefined || value === undefined ? [] : [{ name: String(name.value), node: property, value }];
  });
}

/** One mistake makes the parser stumble several times: the first of a line is the one to tell. */
function toProblems(text: string, errors: readonly ParseError[]): readonly SettingsProblem[] {
  const byLine = new Map<number, SettingsProblem>();
  for (const { offset, error } of errors) {
    const line = toLineNumber(text, offset);
    const told = `is not JSON with comments (${printParseErrorCode(error)})`;
    if (!byLine.has(line)) byLine.set(line, { key: '', line, kind: 'syntax', text: told });
  }
  return [...byLine.values()];
}

/** Editors of some systems begin a file with a mark of its encoding. Everything else keeps its place. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}

/** What a text says for a setting; undefined where it says nothing. */
export function findFileValue(text: string, path: readonly string[]): unknown {
  let node = parseSettingsTree(text).root;
  for (const part of path) node = listProperties(node).findLast(({ name }) => name === part)?.value;
  return node === undefined ? undefined : getNodeValue(node);
}
