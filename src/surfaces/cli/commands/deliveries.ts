/** `oncebitten deliveries`: what was said to agents lately, and what came of it. */
import type { StoredDelivery } from '../../../base/delivery.ts';
import type { Lesson } from '../../../base/lesson.ts';
import type { Store } from '../../../base/store.ts';
import { listItems } from '../../../measure/procedure.ts';
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
  const lessons = new Map<string, Lesson>();
  for (const id of new Set(deliveries.map(({ lessonId }) => lessonId))) {
    const lesson = await store.findLesson(id);
    if (lesson !== undefined) lessons.set(id, lesson);
  }
  return deliveries.map((delivery) => {
    const lesson = lessons.get(delivery.lessonId);
    const project = labels.get(delivery.projectId ?? '');
    const feedback = (voices.get(delivery.id) ?? []).map(({ by, verdict, note, at }) => ({
      ...{ by, verdict, at },
      ...(note === undefined ? {} : { note }),
    }));
    return {
      ...delivery,
      ...(lesson === undefined ? {} : { lesson: lesson.slug, ...toOpenItems(delivery, lesson) }),
      ...(project === undefined ? {} : { project }),
      feedback,
    };
  });
}

function toOpenItems({ items }: StoredDelivery, lesson: Lesson): Pick<ListedDelivery, 'openItems'> {
  if (items === undefined) return {};
  const open = listItems(lesson).filter(({ number }) => items.open.includes(number));
  return { openItems: open.map(({ text }) => text) };
}
