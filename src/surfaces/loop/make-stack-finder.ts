/** The languages of projects, read from their folders when lessons are compiled: never while an agent waits. */
import { readdirSync, statSync } from 'node:fs';
import { findStack } from '../../capture/find-stack.ts';

/** Clones and worktrees of one project are alike. */
const MAX_ROOTS = 3;

export type StackFinder = (roots: readonly string[]) => readonly string[];

/** A folder is read again when something was added to it or removed. */
export function makeStackFinder(): StackFinder {
  const known = new Map<string, { readonly stamp: number; readonly langs: readonly string[] }>();
  const find = (root: string): readonly string[] => {
    try {
      const stamp = statSync(root).mtimeMs;
      const before = known.get(root);
      if (before?.stamp === stamp) return before.langs;
      const langs = findStack(readdirSync(root));
      known.set(root, { stamp, langs });
      return langs;
    } catch {
      return [];
    }
  };
  // The folder seen last is the likeliest to be there.
  return (roots) => [...new Set(roots.slice(-MAX_ROOTS).flatMap(find))].sort();
}
