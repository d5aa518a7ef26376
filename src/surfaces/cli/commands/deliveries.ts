/** `oncebitten deliveries`: what was said to agents lately, and what came of it. */
import type { Store } from '../../../base/store.ts';
import type { Handler } from '../command.ts';
import { listStandingFeedback } from '../list-standing-feedback.ts';
import { readHome } from '../open-home.ts';
import { toPage } from '../page.ts';
import { type ListedDelivery, renderDeliveries } from '../render-deliveries.ts';
import { toDeliveryQuery } from '../to-delivery-query.ts';
import { toProjectLabels } from '../to-project-labels.ts';

const LISTED = 20;
const ALL = 1_000_000;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const query = await toDeliveryQuery(input, store);
    const placed = toPage(await store.listPlacedDeliveries({ ...query, limit: ALL }), input.options, LISTED);
    const page = { ...placed, items: await listNamed(store, placed.items) };
    const isAny = page.total > 0 || (await store.countAll()).deliveries > 0;
    return { json: page, text: renderDeliveries(page, { columns: input.columns, isAny }) };
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
