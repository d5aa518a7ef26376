/** Every file of a folder in which some text stands, in plain or as UTF-16. Our own bundles and Node are left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const OWN = /^(?:app|bin|node|plugin)\//;

export function findBytes(folder: string, text: string): readonly string[] {
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !OWN.test(relative(folder, file)))
    .filter((file) => file.includes(text) || forms.some((form) => read(file).includes(form)))
    .map((file) => relative(folder, file));
}

/** A daemon that starts or ends removes files: one that is gone holds nothing. */
function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
