/** What a process that was killed left beside a file: the copy that it was about to put in its place. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** As `writeFileAtomically` names them. */
const REST = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;
/** A younger one may be at work still: it takes a moment. */
const AGE_MS = 5_000;

export function removeLeftovers(path: string): void {
  const [folder, start] = [dirname(path), `.${basename(path)}`];
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(start) || !REST.test(name.slice(start.length))) continue;
      const leftover = join(folder, name);
      if (Date.now() - statSync(leftover).mtimeMs > AGE_MS) rmSync(leftover, { force: true });
    }
  } catch {
    // No such folder, or not ours to tidy: what is to be done does not hang on it.
  }
}
