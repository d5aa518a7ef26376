/** A file of the data directory: for the user alone, whole or not at all. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomically } from './write-file-atomically.ts';

export function writeOwnFile(path: string, content: string | Buffer, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomically({ path, bytes: typeof content === 'string' ? Buffer.from(content) : content, mode });
}
