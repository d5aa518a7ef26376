/**
 * A fork goes on with all that was told before it, under an id of its own, and no agent says whose it was. Its transcript
 * does, by the trailers of what was said; but it is written after the session began. So the session is marked, and asked
 * for at the first call where a lesson would speak: a model takes longer to get there than the agent to write. A session
 * that is resumed when its claims are gone is the same.
 * With a scripted model that answers at once the rows were not there yet in 1 of 15 forks, and the lesson came once more.
 * Left so: no real model is that fast, and waiting for the file would keep every other call of the daemon waiting.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../base/group-by.ts';
import type { CompiledLesson } from '../base/manifest.ts';
import { type Claimant, claimLesson, HEIR, hasClaimed } from './claim-lesson.ts';
import { ANY_SHAPE, claimPause } from './claim-pause.ts';
import { createClaim, toSessionName } from './create-claim.ts';
import type { Told } from './parse-trailers.ts';

/** Of the highest priority: what makes the agent forget lessons ends it. */
const PRIORITY = '10';

type Session = Omit<Claimant, 'contextId'>;
type Inherited = Pick<CompiledLesson, 'id' | 'slug' | 'priority'>;

/** A session that has claims knows what it was told. */
export function markHeir(claimsDir: string, session: Session): void {
  const dir = join(claimsDir, toSessionName(session));
  if (!existsSync(dir)) createClaim(dir, HEIR, PRIORITY);
}

/** For the main conversation: sub-agents begin anew. `readTold` is asked only where it can matter. */
export function inheritClaims(
  claimsDir: string,
  session: Session,
  lessons: readonly Inherited[],
  readTold: () => readonly Told[],
): void {
  if (!existsSync(join(claimsDir, toSessionName(session), HEIR))) return;
  const claimant = { ...session, contextId: '' };
  const open = lessons.filter((lesson) => !hasClaimed(claimsDir, claimant, lesson));
  if (open.length === 0) return;
  const told = groupBy(readTold(), ({ lesson }) => lesson);
  for (const lesson of open) {
    const before = told.get(lesson.slug);
    if (before === undefined) continue;
    claimLesson(claimsDir, claimant, lesson);
    // The shape of the call that was held back is not known any more.
    if (before.some(({ mode }) => mode === 'pause'))
      claimPause(claimsDir, { ...session, lessonId: lesson.id, shape: ANY_SHAPE });
  }
}
