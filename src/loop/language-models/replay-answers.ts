/**
 * The answers to packs of single sessions, ready for a replay: each is learned from when its session has ended. Nothing
 * here looks at another session, and the replay's guard verifies that.
 */

import { UserError } from '../../base/errors.ts';
import type { PackedCall } from '../../base/model/pack.ts';
import { type SessionKey, toSessionKey } from '../../base/model/session.ts';
import type { Conversation } from '../../distill/packs/conversation.ts';
import type { DroppedProposal } from '../../distill/packs/propose-lessons.ts';
import type { Found } from '../digest-events.ts';
import type { AnswerFile } from './pack-files.ts';
import { makeCallFinder, makeHasRun, toFound, toProposals } from './take-answers.ts';

export interface SessionAnswer extends SessionKey {
  readonly pack: string;
  /** Every call that the pack shows. */
  readonly calls: readonly PackedCall[];
  readonly found: readonly Found[];
  readonly dropped: readonly DroppedProposal[];
}

/** `conversations`: of the sessions that are replayed. Answers to packs of other sessions are left out. */
export function toSessionAnswers(
  files: readonly AnswerFile[],
  conversations: readonly Conversation[],
): readonly SessionAnswer[] {
  const bySession = Map.groupBy(
    conversations.filter(({ calls }) => calls.length > 0),
    ({ calls: [first] }) => (first === undefined ? '' : toSessionKey(first)),
  );
  return files.flatMap(({ index, text }) => {
    if (index.by !== 'session') throw wrongKind(index.id);
    const calls = Object.values(index.calls).flat();
    const [first] = calls;
    const own = first && bySession.get(toSessionKey(first));
    if (first === undefined || own === undefined) return [];
    const known = { find: makeCallFinder(own), hasRun: makeHasRun(own.flatMap((one) => one.calls)) };
    const answer = { index, text, provider: 'file' };
    const { proposals, dropped } = toProposals(answer, { ...known, findLesson: () => undefined });
    const found = proposals.flatMap((proposal) => toFound(proposal, own));
    return [{ agent: first.agent, sessionId: first.sessionId, pack: index.id, calls, found, dropped }];
  });
}

function wrongKind(pack: string): UserError {
  return new UserError({
    subject: `pack ${pack}`,
    reason: 'is about several sessions, so a replay cannot tell when its answer was known',
    next: 'answer packs that were written with: oncebitten learn --export <dir> --by session',
  });
}
