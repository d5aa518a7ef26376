/** The manifest from its file; where that is broken, the spare one beside it. */
import { readFileSync } from 'node:fs';
import { type Manifest, openManifest } from './open-manifest.ts';

export function toSpareManifestFile(file: string): string {
  return `${file}.spare`;
}

/** Undefined when there is none at all, or none that can be used. */
export function readManifest(file: string): Manifest | undefined {
  return findIn(file) ?? findIn(toSpareManifestFile(file));
}

function findIn(file: string): Manifest | undefined {
  try {
    return openManifest(readFileSync(file));
  } catch {
    return undefined;
  }
}
