/** What an edit is about, from Codex's own form of patches and from the changes it made of one. */
import { findText, findWire, type Wire } from '../wire.ts';

export interface Edit {
  /** The first file. */
  readonly path?: string;
  /** The new text of all files. */
  readonly content?: string;
}

const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m;

export function parsePatch(patch: string): Edit {
  const path = FILE.exec(patch)?.[1]?.trim();
  return toEdit(path, toAdded(patch));
}

/** `{path: {type: add, content} | {type: update, unified_diff}}`. */
export function toChangedEdit(changes: Wire): Edit {
  const paths = Object.keys(changes);
  const texts = paths.map((path) => {
    const change = findWire(changes, path) ?? {};
    return findText(change, 'content') ?? toAdded(findText(change, 'unified_diff') ?? '');
  });
  return toEdit(paths[0], texts.filter((text) => text !== '').join('\n'));
}

function toEdit(path: string | undefined, content: string): Edit {
  return { ...(path ? { path } : {}), ...(content === '' ? {} : { content }) };
}

function toAdded(diff: string): string {
  return diff
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1))
    .join('\n');
}
