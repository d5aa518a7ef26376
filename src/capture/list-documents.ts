/** The JSON files of a folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Their paths, in the order of their names; none when there is no such folder. */
export function listDocuments(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
