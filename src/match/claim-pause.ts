/**
 * A lesson holds a call back once per session and shape of call, whatever happens to us in between: only who has made
 * the claim may refuse, and whoever finds it lets the call pass.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../base/hash.ts';
import { type Claim, createClaim, toSessionName } from './create-claim.ts';

export const PAUSE_PREFIX = 'pause-';

/** Whatever the call: for a pause that somebody else's claim stands for. */
export const ANY_SHAPE = '';

/** Whichever lesson: of a call that was refused. */
export const ANY_LESSON = '';

export interface Pause {
  readonly agent: string;
  readonly sessionId: string;
  readonly lessonId: string;
  /** See `toCallShape`. */
  readonly shape: string;
}

export function claimPause(claimsDir: string, pause: Pause): Claim {
  return createClaim(join(claimsDir, toSessionName(pause)), toName(pause), '');
}

export function hasPaused(claimsDir: string, pause: Pause): boolean {
  const dir = join(claimsDir, toSessionName(pause));
  return [pause, { ...pause, shape: ANY_SHAPE }].some((one) => existsSync(join(dir, toName(one))));
}

function toName({ lessonId, shape }: Pause): string {
  return `${PAUSE_PREFIX}${hashText(lessonId)}-${hashText(shape)}`;
}
