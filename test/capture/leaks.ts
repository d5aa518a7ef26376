/** Finds what is left of a credential: any ten characters of it in a row, in a text or in the files of a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Credential } from './secret-kinds.ts';
import { makeBeginningFinder } from './secret-list.ts';

const PIECE = 10;
/** Copies of our own bundles and of Node. */
const OWN = /^(?:app|bin|node|plugin)\//;

export type FindLeak = (text: string) => string | undefined;

/** Returns the first piece of one of the credentials that a text contains. */
export function makeLeakFinder(credentials: readonly Credential[]): FindLeak {
  const pieces = new Set<string>();
  for (const secret of credentials.flatMap(({ hidden }) => hidden))
    for (let at = 0; at + PIECE <= secret.length; at++) pieces.add(secret.slice(at, at + PIECE));
  const findBeginnings = makeBeginningFinder(pieces);
  return (text) => {
    for (const at of findBeginnings(text)) {
      const piece = text.slice(at, at + PIECE);
      if (pieces.has(piece)) return piece;
    }
    return undefined;
  };
}

/** File -> what leaked into it. Names of files count. */
export function findLeaks(folder: string, findLeak: FindLeak): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !OWN.test(relative(folder, file)));
  const leaks = files.map((file) => {
    const name = relative(folder, file);
    const text = readText(file);
    return [name, findLeak(name) ?? findLeak(text) ?? findLeak(text.replaceAll('\0', ''))] as const;
  });
  return Object.fromEntries(leaks.flatMap(([name, leak]) => (leak === undefined ? [] : [[name, leak]])));
}

/** Notes of a daemon that starts come and go. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
