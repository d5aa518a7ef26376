/** The small files beside a session that its reader asked for. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MAX_BYTES = 64 * 1024;

export function readBeside(path: string, names: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = findText(join(dirname(path), name));
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function findText(path: string): string | undefined {
  try {
    return statSync(path).size > MAX_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
