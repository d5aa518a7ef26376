/**
 * A claim is a file that is created exclusively: the file system decides among parallel calls and processes, with and
 * without the daemon, and a process that dies leaves it behind. No state in memory is trusted.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../base/hash.ts';

/** `impossible`: a full disk, one that cannot be written. */
export type Claim = 'made' | 'taken' | 'impossible';

export function createClaim(dir: string, name: string, content: string): Claim {
  const file = join(dir, name);
  // The folder is missing at the first claim of a session.
  return create(file, content) ?? (makeDir(dir) ? create(file, content) : undefined) ?? 'impossible';
}

/** Undefined when the folder is missing. */
function create(file: string, content: string): Claim | undefined {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeSync(handle, content);
    } catch {
      // A full disk makes files without content: the claim is the file, and another file's name has the content.
      create(`${file}.${content}`, '');
    } finally {
      closeSync(handle);
    }
    return 'made';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    return code === 'EEXIST' ? 'taken' : 'impossible';
  }
}

function makeDir(dir: string): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** Session ids come from outside: hashed, they are safe as file names. */
export function toSessionName({ agent, sessionId }: { readonly agent: string; readonly sessionId: string }): string {
  return hashText(`${agent}\n${sessionId}`);
}
