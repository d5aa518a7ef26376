/**
 * A failure is told once in a conversation: by a known fix with its error, by a warning before the call, or by a lesson
 * about it. The claim on the failure and on its lessons decides which of them it is.
 */

import { makeId } from '../../base/ids.ts';
import { type CuredFailure, toCureId } from '../../base/model/cure.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { isWithheld } from '../../base/model/may-fire.ts';
import { isMuted, type Switches } from '../../base/model/switches.ts';
import { type Claimant, claimLesson, hasClaimed } from '../../match/claims.ts';
import type { Manifest } from '../../match/manifest.ts';

type KnownFailure = Pick<CuredFailure, 'signatureId' | 'lessons' | 'withheld'>;

/** `clear` lets a failure be told again, compaction does not. */
export const PRIORITY = 0;

export function isFailureTold(claimsDir: string, claimant: Claimant, failure: KnownFailure): boolean {
  return [toClaimed(failure), ...failure.lessons].some((one) => hasClaimed(claimsDir, claimant, one));
}

/**
 * True if this process is the first and there is room. The lessons about the failure are claimed with it, so that they
 * do not tell it again.
 */
export function claimFailure(
  claimsDir: string,
  claimant: Claimant,
  failure: KnownFailure,
  hasRoom: () => boolean = () => true,
): boolean {
  if (!claimLesson(claimsDir, claimant, toClaimed(failure)) || !hasRoom()) return false;
  for (const lesson of failure.lessons) claimLesson(claimsDir, claimant, lesson);
  return true;
}

export function isFailureMuted({ signatureId, lessons }: KnownFailure, event: AgentEvent, switches: Switches): boolean {
  const { sessionId, at } = event;
  return [toCureId(signatureId), ...lessons.map(({ id }) => id)].some((lessonId) =>
    isMuted(switches, { lessonId, sessionId }, Date.parse(at)),
  );
}

export function isFailureWithheld(failure: KnownFailure, event: AgentEvent, { header }: Manifest): boolean {
  const { withheld } = failure;
  return isWithheld(
    { id: toCureId(failure.signatureId), ...(withheld === undefined ? {} : { withheld }) },
    event,
    header,
  );
}

type FailureFacts = Pick<Delivery, 'kind' | 'callId' | 'mode' | 'bytes' | 'latencyUs'>;

/** Without bytes it was withheld. */
export function toFailureDelivery(event: AgentEvent, { signatureId }: KnownFailure, facts: FailureFacts): Delivery {
  const { agent, sessionId, contextId, at } = event;
  return {
    ...{ id: makeId('dlv', Date.parse(at)), lessonId: toCureId(signatureId), agent, sessionId, contextId },
    ...{ arm: facts.bytes === 0 ? 'holdout' : 'shown', score: 0, deliveredAt: at },
    ...facts,
  };
}

function toClaimed({ signatureId }: KnownFailure) {
  return { id: toCureId(signatureId), priority: PRIORITY };
}
