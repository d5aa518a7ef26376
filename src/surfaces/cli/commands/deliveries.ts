/** `oncebitten deliveries`: what was said to agents lately, and what came of it. */
import type { Store } from '../../../base/store.ts';
import type { Handler } from '../command.ts';
import { listStandingFeedback } from '../list-standing-feedback.ts';
import { readHome } from '../open-home.ts';
import { type ListedDelivery, renderDeliveries } from '../render-deliveries.ts';
import { toDeliveryQuery } from '../to-delivery-query.ts';
import { toLimit } from '../to-limit.ts';
import { toProjectLabels } from '../to-project-labels.ts';

const DEFAULT_LIMIT = 20;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const limit = toLimit(input.options.limit as string | undefined, DEFAULT_LIMIT);
    const query = await toDeliveryQuery(input, store);
    const listed = await listNamed(store, await store.listPlacedDeliveries({ ...query, limit }));
    const isAny = listed.length > 0 || (await store.countAll()).deliveries > 0;
    return { json: listed, text: renderDeliveries(listed, { limit, isAny }) };
  });

type Placed = Awaited<ReturnType<Store['listPlacedDeliveries']>>;

/** What people call things, beside their ids. */
async function listNamed(store: Store, deliveries: Placed): Promise<readonly ListedDelivery[]> {
  const labels = toProjectLabels(await store.listProjects());
  const voices = Map.groupBy(await listStandingFeedback(store), ({ deliveryId }) => deliveryId ?? '');
  const slugs = new Map<string, string>();
  for (const id of new Set(deliveries.map(({ lessonId }) => lessonId))) {
    const lesson = await store.findLesson(id);
    if (lesson !== undefined) slugs.set(id, lesson.slug);
  }
  return deliveries.map((delivery) => {
    const lesson = slugs.get(delivery.lessonId);
    const project = labels.get(delivery.projectId ?? '');
    const feedback = (voices.get(delivery.id) ?? []).map(({ by, verdict, note, at }) => ({
      ...{ by, verdict, at },
      ...(note === undefined ? {} : { note }),
    }));
    return {
      ...delivery,
      ...(lesson === undefined ? {} : { lesson }),
      ...(project === undefined ? {} : { project }),
      feedback,
    };
  });
}
