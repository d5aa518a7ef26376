/**
 * Reads JSON documents for transcript readers: one file, the files of a folder, and the small files beside a session
 * that its reader asks for. Sizes are bounded, because a whole document is in memory several times over.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '../../base/records.ts';

/** A whole document is in memory several times over. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

interface FoundDocument {
  /** Undefined if the file is too large, not JSON, or gone. */
  readonly value: unknown;
  readonly bytes: number;
}

export function findDocument(path: string): FoundDocument {
  try {
    if (statSync(path).size > MAX_DOCUMENT_BYTES) return { value: undefined, bytes: 0 };
    const text = readFileSync(path);
    return { value: parseJson(text.toString('utf8')), bytes: text.length };
  } catch {
    return { value: undefined, bytes: 0 };
  }
}

/** The paths of the JSON files in a folder, sorted by name; empty if the folder does not exist. */
export function listDocuments(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

const MAX_BESIDE_BYTES = 64 * 1024;

/** The small files beside a session that its reader needs. */
export function readBeside(path: string, names: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = findFileText(join(dirname(path), name));
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function findFileText(path: string): string | undefined {
  try {
    return statSync(path).size > MAX_BESIDE_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
