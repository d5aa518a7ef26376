/** What a JSON file says. */
import { readFileSync, statSync } from 'node:fs';

/** A whole document is held in memory several times over. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export interface FoundDocument {
  /** Undefined when the file is too large or no JSON, or gone. */
  readonly value: unknown;
  readonly bytes: number;
}

export function findDocument(path: string): FoundDocument {
  try {
    if (statSync(path).size > MAX_DOCUMENT_BYTES) return { value: undefined, bytes: 0 };
    const text = readFileSync(path);
    return { value: parseDocument(text.toString('utf8')), bytes: text.length };
  } catch {
    return { value: undefined, bytes: 0 };
  }
}

export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
