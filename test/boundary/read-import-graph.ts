/** The real import graph of `src`: every file with what it imports, type imports included. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** `src/match/match-lessons.ts`. */
  readonly path: string;
  readonly text: string;
  /** Paths of our own files, else names of packages and `node:` modules. */
  readonly imports: readonly string[];
}

const IMPORT =
  /^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)|getBuiltinModule\??\.?\('([^']+)'\)/gm;

export function readImportGraph(): readonly SourceFile[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readSource(relative(ROOT, join(entry.parentPath, entry.name))))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((found) => toTarget(path, found[1] ?? found[2] ?? found[3] ?? ''));
  return { path, text, imports };
}

function toTarget(from: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(from), specifier) : specifier;
}

/** `match` of `src/match/x.ts`. */
export function toLayer(path: string): string {
  return path.split('/')[1] ?? '';
}
