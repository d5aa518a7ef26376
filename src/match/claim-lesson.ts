/** Once per context: a lesson is shown by whoever makes its claim. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../base/hash.ts';
import type { CompiledLesson } from '../base/manifest.ts';
import { createClaim, toSessionName } from './create-claim.ts';

/** The mark of a session that goes on with what another was told (`inherit-claims.ts`). */
export const HEIR = 'heir';

export interface Claimant {
  readonly agent: string;
  readonly sessionId: string;
  /** The empty string is the main conversation. */
  readonly contextId: string;
}

type Claimed = Pick<CompiledLesson, 'id' | 'priority'>;

/** True when this caller is the first. False when another was, or when a claim cannot be made: silence over nagging. */
export function claimLesson(claimsDir: string, claimant: Claimant, lesson: Claimed): boolean {
  // Compaction asks for the priority.
  const priority = String(lesson.priority);
  return createClaim(join(claimsDir, toSessionName(claimant)), toName(claimant, lesson), priority) === 'made';
}

export function hasClaimed(claimsDir: string, claimant: Claimant, lesson: Claimed): boolean {
  return existsSync(join(claimsDir, toSessionName(claimant), toName(claimant, lesson)));
}

function toName({ contextId }: Claimant, { id }: Claimed): string {
  return `${hashText(contextId)}-${hashText(id)}`;
}

/**
 * Lessons of this priority or more may speak again: the agent has forgotten them (`clear`, compaction). Of one
 * conversation: its sub-agents have contexts of their own.
 */
export function dropClaims(claimsDir: string, claimant: Claimant, minPriority: number): void {
  const dir = join(claimsDir, toSessionName(claimant));
  const own = hashText(claimant.contextId);
  for (const name of listNames(dir)) {
    // Where the disk was full, the priority stands behind the name of the claim: `create-claim.ts`.
    const [claim = '', priority] = name.split('.');
    // A call that was held back once in a session is not held back again.
    if (!claim.startsWith(`${own}-`) && claim !== HEIR) continue;
    try {
      if (!(Number(priority ?? readFileSync(join(dir, name), 'utf8')) >= minPriority)) continue;
      for (const file of [name, claim]) rmSync(join(dir, file), { force: true });
    } catch {
      // Another process dropped it first, or it is none of ours: the claims behind it are dropped all the same.
    }
  }
}

/** Everything about a session, as if it had never been. */
export function forgetClaims(claimsDir: string, session: Omit<Claimant, 'contextId'>): void {
  rmSync(join(claimsDir, toSessionName(session)), { recursive: true, force: true });
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
