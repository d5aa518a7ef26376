/** Ids of feedback that somebody took back with `lessons undo`: it is kept, for who redoes it, and counts no more. */
import type { Feedback } from '../../base/feedback.ts';
import type { Store } from '../../base/store.ts';
import { isStanding } from '../../promote/give-feedback.ts';

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
