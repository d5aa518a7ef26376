/** The manifest from its file; where that is broken, the last good one, which is kept beside it. */
import { readFileSync } from 'node:fs';
import { type Manifest, openManifest } from './open-manifest.ts';

export function toLastManifestFile(file: string): string {
  return `${file}.last`;
}

/** Undefined when there is none at all, or none that can be used. */
export function readManifest(file: string): Manifest | undefined {
  return findIn(file) ?? findIn(toLastManifestFile(file));
}

function findIn(file: string): Manifest | undefined {
  try {
    return openManifest(readFileSync(file));
  } catch {
    return undefined;
  }
}
