/** What was said of lessons and not taken back, oldest first. */
import type { Feedback, FeedbackFilter } from '../../base/feedback.ts';
import type { Store } from '../../base/store.ts';
import { listTakenBack } from './list-taken-back.ts';

export async function listStandingFeedback(store: Store, filter?: FeedbackFilter): Promise<readonly Feedback[]> {
  const said = await store.listFeedback(filter);
  const taken = await listTakenBack(store, said);
  return said.filter(({ id }) => !taken.has(id));
}
