/**
 * Once per context: a lesson is shown by whoever creates its claim file, exclusively among parallel calls and
 * processes, with and without the daemon. The file system decides; no state in memory is trusted.
 */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../base/hash.ts';

export interface Claimant {
  readonly agent: string;
  readonly sessionId: string;
  /** The empty string is the main conversation. */
  readonly contextId: string;
}

/** True when this caller is the first. False when another was, or when a claim cannot be made: silence over nagging. */
export function claimLesson(claimsDir: string, claimant: Claimant, lessonId: string): boolean {
  const dir = join(claimsDir, toSessionName(claimant));
  const file = join(dir, `${hashText(claimant.contextId)}-${hashText(lessonId)}`);
  return create(file) ?? (makeDir(dir) && create(file) === true);
}

/** After `clear` the agent remembers nothing: every lesson may speak again. */
export function dropClaims(claimsDir: string, claimant: Omit<Claimant, 'contextId'>): void {
  rmSync(join(claimsDir, toSessionName(claimant)), { recursive: true, force: true });
}

/** Undefined when the folder is missing, which is so at the first claim of a session. */
function create(file: string): boolean | undefined {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : false;
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
function toSessionName({ agent, sessionId }: Omit<Claimant, 'contextId'>): string {
  return hashText(`${agent}\n${sessionId}`);
}
