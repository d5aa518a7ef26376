/** An exclusive claim by name: the first caller gets true, everybody after it, in any process, false. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

export function claimName(claimsDir: string, name: string): boolean {
  try {
    mkdirSync(claimsDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(claimsDir, name), 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
}
