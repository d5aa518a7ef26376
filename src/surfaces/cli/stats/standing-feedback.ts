/**
 * Lists the feedback on lessons that is still in force, oldest first. Feedback that somebody took back with `lessons
 * undo` stays stored for a redo, but no longer counts.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { Feedback, FeedbackFilter } from '../../../base/model/feedback.ts';
import { isStanding } from '../../../promote/confidence.ts';

export async function listStandingFeedback(store: Store, filter?: FeedbackFilter): Promise<readonly Feedback[]> {
  const said = await store.listFeedback(filter);
  const taken = await listTakenBack(store, said);
  return said.filter(({ id }) => !taken.has(id));
}

/** Ids of feedback that somebody took back with `lessons undo`: it is kept, for who redoes it, and counts no more. */
export async function listTakenBack(
  store: Pick<Store, 'listChangesBy'>,
  feedback: readonly Feedback[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const [by, said] of Map.groupBy(feedback, (one) => one.by)) {
    const changes = await store.listChangesBy(by);
    for (const one of said) if (!isStanding(one, changes)) taken.add(one.id);
  }
  return taken;
}
