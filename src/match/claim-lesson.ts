/**
 * Once per context: a lesson is shown by whoever creates its claim file, exclusively among parallel calls and
 * processes, with and without the daemon. The file system decides; no state in memory is trusted.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../base/hash.ts';
import type { CompiledLesson } from '../base/manifest.ts';

export interface Claimant {
  readonly agent: string;
  readonly sessionId: string;
  /** The empty string is the main conversation. */
  readonly contextId: string;
}

type Claimed = Pick<CompiledLesson, 'id' | 'priority'>;

/** True when this caller is the first. False when another was, or when a claim cannot be made: silence over nagging. */
export function claimLesson(claimsDir: string, claimant: Claimant, lesson: Claimed): boolean {
  const dir = join(claimsDir, toSessionName(claimant));
  const file = join(dir, `${hashText(claimant.contextId)}-${hashText(lesson.id)}`);
  return create(file, lesson) ?? (makeDir(dir) && create(file, lesson) === true);
}

/** Lessons of this priority or more may speak again: the agent has forgotten them (`clear`, compaction). */
export function dropClaims(claimsDir: string, claimant: Omit<Claimant, 'contextId'>, minPriority: number): void {
  const dir = join(claimsDir, toSessionName(claimant));
  for (const name of listNames(dir)) dropClaim(join(dir, name), minPriority);
}

function dropClaim(file: string, minPriority: number): void {
  try {
    if (Number(readFileSync(file, 'utf8')) >= minPriority) rmSync(file, { force: true });
  } catch {
    // Another process dropped it first, or it is none of ours: the claims behind it are dropped all the same.
  }
}

/** Undefined when the folder is missing, which is so at the first claim of a session. */
function create(file: string, lesson: Claimed): boolean | undefined {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeSync(handle, String(lesson.priority));
    } catch {
      // A full disk makes files without content: the claim is the file, and only compaction asks for the priority.
    } finally {
      closeSync(handle);
    }
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : false;
  }
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
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
